import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type Channel, claimsIn } from "./tab_lock.ts";

/** Locks that all tabs share, as `navigator.locks` are; `release` is what the end of a tab does. */
function sharedLocks() {
  const queues = new Map<string, (() => void)[]>();
  const request = (name: string, ...rest: readonly unknown[]) => {
    const callback = rest.at(-1) as LockGrantedCallback<unknown>;
    const queue = queues.get(name) ?? [];
    queues.set(name, queue);
    if (queue.length > 0 && rest.length > 1) return Promise.resolve(callback(null));
    const grant = () => void callback({ name, mode: "exclusive" });
    queue.push(grant);
    if (queue.length === 1) grant();
    return new Promise(() => {});
  };
  const release = (name: string) => {
    const queue = queues.get(name)!;
    queue.shift();
    queue[0]?.();
  };
  const locks = { request: request as LockManager["request"] };
  return { locks, release };
}

/** Channels that reach one another a moment later, never themselves. */
function sharedChannels(): (name: string) => Channel {
  const all: { readonly name: string; readonly channel: Channel }[] = [];
  return (name) => {
    const channel: Channel = {
      onmessage: null,
      postMessage(data) {
        for (const other of all) {
          if (other.name !== name || other.channel === channel) continue;
          queueMicrotask(() => deliver(other.channel, data));
        }
      },
    };
    all.push({ name, channel });
    return channel;
  };
}

function deliver(channel: Channel, data: unknown): void {
  channel.onmessage?.call(channel as BroadcastChannel, new MessageEvent("message", { data }));
}

const patience = 5;

test("claims: the first tab may write, the second only read until the first is gone", async () => {
  const { locks, release } = sharedLocks();
  const browser = { locks, openChannel: undefined, patience };
  const [first, second, third] = [1, 2, 3].map(() => claimsIn(browser));
  assert.equal(await first!.claim("run"), "writer");
  assert.equal(await second!.claim("run"), "reader");
  assert.equal(await first!.claim("run"), "writer");
  assert.equal(await second!.claim("other run"), "writer");
  let free = false;
  const freed = second!.whenFree("run").then(() => free = true);
  await new Promise((resolve) => setTimeout(resolve, patience));
  assert.equal(free, false);
  release("touchstone-rating:run");
  await freed;
  assert.equal(await second!.claim("run"), "writer");
  assert.equal(await third!.claim("run"), "reader");
});

test("claims: where locks are denied, tabs ask one another; where that is too, the tab may write", async () => {
  const denied = { request: () => Promise.reject(new Error("denied")) } as unknown as LockManager;
  const browser = { locks: denied, openChannel: sharedChannels(), patience };
  const [first, second] = [claimsIn(browser).claim, claimsIn(browser).claim];
  assert.equal(await first("run"), "writer");
  assert.equal(await second("run"), "reader");
  const { claim } = claimsIn({ locks: undefined, openChannel: undefined, patience });
  assert.equal(await claim("run"), "writer");
});

test("claims: however many tabs claim at one moment, exactly one may write", async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 6 }), fc.boolean(), async (n, locked) => {
      const browser = locked
        ? { locks: sharedLocks().locks, openChannel: undefined, patience }
        : { locks: undefined, openChannel: sharedChannels(), patience };
      const tabs = Array.from({ length: n }, () => claimsIn(browser));
      const claims = await Promise.all(tabs.map(({ claim }) => claim("run")));
      assert.equal(claims.filter((claim) => claim === "writer").length, 1);
    }),
  );
});
