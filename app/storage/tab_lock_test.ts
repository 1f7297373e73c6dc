import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { claimsIn } from "./tab_lock.ts";

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

test("claims: the first tab may write, the second only read until the first is gone", async () => {
  const { locks, release } = sharedLocks();
  const [first, second, third] = [1, 2, 3].map(() => claimsIn(() => locks));
  assert.equal(await first!.claim("run"), "writer");
  assert.equal(await second!.claim("run"), "reader");
  assert.equal(await first!.claim("run"), "writer");
  assert.equal(await second!.claim("other run"), "writer");
  let free = false;
  const freed = second!.whenFree("run").then(() => free = true);
  await new Promise((resolve) => setTimeout(resolve, 5));
  assert.equal(free, false);
  release("touchstone-rating:run");
  await freed;
  assert.equal(await second!.claim("run"), "writer");
  assert.equal(await third!.claim("run"), "reader");
});

test("claims: without locks, or where they are denied, a tab may write", async () => {
  const denied = { request: () => Promise.reject(new Error("denied")) } as unknown as LockManager;
  for (const locks of [denied, undefined]) {
    assert.equal(await claimsIn(() => locks).claim("run"), "writer");
  }
});

test("claims: however many tabs claim at one moment, exactly one may write", async () => {
  await fc.assert(fc.asyncProperty(fc.integer({ min: 1, max: 6 }), async (n) => {
    const { locks } = sharedLocks();
    const tabs = Array.from({ length: n }, () => claimsIn(() => locks));
    const claims = await Promise.all(tabs.map(({ claim }) => claim("run")));
    assert.equal(claims.filter((claim) => claim === "writer").length, 1);
  }));
});
