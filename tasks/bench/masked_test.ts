import assert from "node:assert/strict";
import { heldOutScores } from "./masked.ts";

Deno.test("heldOutScores() by hand: two verses that differ in one letter", async () => {
  const sentences = [{ fold: "1", text: "a" }, { fold: "2", text: "b" }];
  const options = { contextCharacters: 1, backOffWeight: 1 };
  const [original, withinWord] = await heldOutScores(sentences, options);
  // Outside its verse each letter is unseen. Alone, of a, b and unknown: (1/3)/2 = 1/6, the seen one
  // 4/6. After the start and before the end alike: 1/12 and 10/12. So 1/24 : 25/24 : 1/24.
  assert.ok(Math.abs(original! - Math.log(1 / 27)) < 1e-12, `${original}`);
  assert.equal(withinWord, original);
});
