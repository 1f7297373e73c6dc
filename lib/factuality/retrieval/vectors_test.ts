import assert from "node:assert/strict";
import { join } from "node:path";
import { inFolder } from "../../files/testdata/folder.ts";
import { fakeEncoder } from "../verifiers/testdata/tiny_models.ts";
import { sentenceVectors } from "./vectors.ts";

/** Encodes a text as its length and its first letter's code, and notes what it was asked. */
function countingEncoder() {
  const asked: string[] = [];
  const encoder = fakeEncoder((text) => (asked.push(text), [text.length, text.charCodeAt(0)]));
  return { encoder, asked };
}

Deno.test("sentenceVectors() encodes a text once, and several encoders share the work", async () => {
  const [one, other] = [countingEncoder(), countingEncoder()];
  const { vectors } = sentenceVectors([one.encoder, other.encoder]);
  const found = await vectors(["a", "bb", "ccc", "a"]);
  assert.deepEqual(found.map((vector) => [...vector]), [[1, 97], [2, 98], [3, 99], [1, 97]]);
  assert.deepEqual([one.asked, other.asked], [["a", "bb"], ["ccc"]]);
  await vectors(["ccc", "bb"]);
  assert.equal(one.asked.length + other.asked.length, 3);
});

Deno.test("sentenceVectors() keeps vectors in a file; a torn or foreign one is made anew", () =>
  inFolder(async (folder) => {
    const path = join(folder, "made.vectors");
    /** What has to be encoded, when a run asks for two texts. */
    const run = async (of: string) => {
      const { encoder, asked } = countingEncoder();
      const { vectors, save } = sentenceVectors([encoder], { path, of });
      const found = await vectors(["Oslo", "Lima"]);
      assert.deepEqual(found.map((vector) => [...vector]), [[4, 79], [4, 76]]);
      save();
      return asked.length;
    };
    assert.deepEqual([await run("factbook"), await run("factbook")], [2, 0]);
    assert.deepEqual([await run("another index"), await run("another index")], [2, 0]);
    const whole = Deno.readFileSync(path);
    Deno.writeFileSync(path, whole.subarray(0, whole.length - 3));
    assert.deepEqual([await run("another index"), await run("another index")], [2, 0]);
    whole[whole.length - 1]! ^= 1;
    Deno.writeFileSync(path, whole);
    assert.equal(await run("another index"), 2);
  }));
