import assert from "node:assert/strict";
import { test } from "node:test";
import { claimsIn } from "./tab_lock.ts";

/** Locks that all tabs share, as `navigator.locks` are; `release` is what the end of a tab does. */
function sharedLocks() {
  const held = new Set<string>();
  const request = (name: string, _: LockOptions, answer: LockGrantedCallback<unknown>) => {
    const lock = held.has(name) ? null : { name, mode: "exclusive" } as const;
    held.add(name);
    return Promise.resolve(answer(lock));
  };
  const locks = { request: request as LockManager["request"] };
  return { locks, release: (name: string) => held.delete(name) };
}

test("claims: the first tab may write, the second only read unless the first is gone", async () => {
  const { locks, release } = sharedLocks();
  const [first, second, third] = [1, 2, 3].map(() => claimsIn(() => locks));
  assert.equal(await first!("run"), "writer");
  assert.equal(await second!("run"), "reader");
  assert.equal(await first!("run"), "writer");
  assert.equal(await second!("other run"), "writer");
  release("touchstone-rating:run");
  assert.equal(await second!("run"), "writer");
  assert.equal(await third!("run"), "reader");
});

test("claims: without locks, or where they are denied, a tab may write", async () => {
  const denied = { request: () => Promise.reject(new Error("denied")) } as unknown as LockManager;
  for (const locks of [denied, undefined]) {
    assert.equal(await claimsIn(() => locks)("run"), "writer");
  }
});
