import assert from "node:assert/strict";
import { hasAbstentionPhrase } from "./substring_baseline.ts";

Deno.test("hasAbstentionPhrase() finds plain refusals, with either apostrophe", () => {
  assert.ok(hasAbstentionPhrase("I don’t know of any such lake."));
  assert.ok(hasAbstentionPhrase("I'm sorry, but I cannot find it."));
});

Deno.test("hasAbstentionPhrase() fires inside confident fabrications: that is why it is a baseline", () => {
  assert.ok(
    hasAbstentionPhrase("There is no better place to see the Sarvian leopard than Turkey."),
  );
  assert.ok(!hasAbstentionPhrase("No battle of that name was ever fought."));
});
