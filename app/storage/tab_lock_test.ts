import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type Channel, claimsIn, type TabsOfBrowser } from "./tab_lock.ts";

/** Locks that all tabs share, as `navigator.locks` are. */
function sharedLocks(): NonNullable<TabsOfBrowser["locks"]> {
  const held = new Set<string>();
  const request = async (
    name: string,
    _options: LockOptions,
    callback: LockGrantedCallback<void>,
  ) => {
    if (held.has(name)) return await callback(null);
    held.add(name);
    await callback({ name, mode: "exclusive" });
    held.delete(name);
  };
  return { request: request as LockManager["request"] };
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

test("claimRun: the first tab may write, the second may read, the first keeps its claim", async () => {
  const browser = { locks: sharedLocks(), openChannel: undefined, patience };
  const [first, second] = [claimsIn(browser), claimsIn(browser)];
  assert.equal(await first("run"), "writer");
  assert.equal(await second("run"), "reader");
  assert.equal(await first("run"), "writer");
  assert.equal(await second("other run"), "writer");
});

test("claimRun: where locks are denied, tabs ask one another", async () => {
  const denied = { request: () => Promise.reject(new Error("denied")) } as unknown as LockManager;
  const browser = { locks: denied, openChannel: sharedChannels(), patience };
  const [first, second] = [claimsIn(browser), claimsIn(browser)];
  assert.equal(await first("run"), "writer");
  assert.equal(await second("run"), "reader");
});

test("claimRun: where nobody can be asked, the tab may write", async () => {
  const claim = claimsIn({ locks: undefined, openChannel: undefined, patience });
  assert.equal(await claim("run"), "writer");
});

test("claimRun: however many tabs claim at one moment, exactly one may write", async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 6 }), fc.boolean(), async (n, locked) => {
      const browser = locked
        ? { locks: sharedLocks(), openChannel: undefined, patience }
        : { locks: undefined, openChannel: sharedChannels(), patience };
      const claims = await Promise.all(
        Array.from({ length: n }, () => claimsIn(browser)("run")),
      );
      assert.equal(claims.filter((claim) => claim === "writer").length, 1);
    }),
  );
});
