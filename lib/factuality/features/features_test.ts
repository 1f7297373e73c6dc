import assert from "node:assert/strict";
import { FEATURE_NAMES, FEATURES } from "./features.ts";

Deno.test("FEATURES names each feature once, by its group, and says what it means", () => {
  assert.equal(new Set(FEATURE_NAMES).size, FEATURES.length);
  for (const { name, group, means } of FEATURES) {
    assert.ok(name.startsWith(`${group}.`), name);
    assert.ok(means.length > 10, name);
  }
});
