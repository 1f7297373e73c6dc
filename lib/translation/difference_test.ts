import assert from "node:assert/strict";
import fc from "fast-check";
import { differences } from "./difference.ts";

/** Parts with their share as a fraction of the other texts: `cat 1/3`. */
function shown(texts: readonly string[]): string[] {
  const others = texts.length - 1;
  return differences(texts).map((parts) =>
    parts.map(({ text, share }) => `${text} ${Math.round(share * others)}`).join("|")
  );
}

Deno.test("differences() counts the other texts that have a word at the same place", () => {
  assert.deepEqual(shown(["the cat sat.", "the dog sat.", "a cat sat!"]), [
    "the 1|  0|cat 1|  1|sat 2|. 1",
    "the 1|  0|dog 0|  0|sat 2|. 1",
    "a 0|  0|cat 1|  1|sat 2|! 0",
  ]);
});

Deno.test("differences() does not count a word that stands elsewhere", () => {
  // "b a" against "a b": a longest common subsequence holds one of the two.
  const [first] = differences(["a b", "b a"]);
  assert.equal(first!.filter(({ text, share }) => text !== " " && share === 1).length, 1);
});

Deno.test("differences() finds words where none are set apart", () => {
  const words = (text: string) => differences([text])[0]!.map((part) => part.text);
  assert(words("我喜欢猫").includes("喜欢"));
  assert(words("รักแมว").length > 1);
  assert.deepEqual(words("वह घर गया।"), ["वह", " ", "घर", " ", "गया", "।"]);
  assert.deepEqual(words("هذا بيت."), ["هذا", " ", "بيت", "."]);
});

Deno.test("differences() keeps empty texts, and one text shares everything with itself", () => {
  assert.deepEqual(differences(["", "a"]), [[], [{ text: "a", share: 0 }]]);
  assert.deepEqual(differences(["a"]), [[{ text: "a", share: 1 }]]);
  assert.deepEqual(differences([]), []);
});

const word = fc.constantFrom(
  "the",
  "cat",
  "sat",
  "  ",
  "\n",
  ",",
  "猫",
  "é",
  "e\u0301",
  "😀",
  "\ud800",
);
const text = fc.oneof(
  fc.array(word, { maxLength: 12 }).map((words) => words.join(" ")),
  fc.string({ unit: "grapheme", maxLength: 12 }),
);

Deno.test("FR-3: the parts joined are the text that is rated, and shares lie in [0, 1]", () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 6 }), (texts) => {
      const cut = differences(texts);
      assert.deepEqual(cut.map((parts) => parts.map((part) => part.text).join("")), texts);
      for (const { share } of cut.flat()) assert(share >= 0 && share <= 1);
    }),
    { numRuns: 200 },
  );
});

Deno.test("identical texts share everything", () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 12 }), (same, times) => {
      for (const { share } of differences(Array(times).fill(same)).flat()) assert.equal(share, 1);
    }),
    { numRuns: 100 },
  );
});

Deno.test("two texts share the same words, in order and equally many", () => {
  fc.assert(
    fc.property(text, text, (one, other) => {
      const [ours, theirs] = differences([one, other]).map((parts) =>
        parts.filter((part) => part.share === 1 && part.text.trim() !== "")
          .map((part) => part.text)
      );
      assert.deepEqual(ours, theirs);
    }),
    { numRuns: 200 },
  );
});

Deno.test("NFR-2: twelve texts of 100 words, a third of each its own, take less than 100 ms", () => {
  const texts = Array.from(
    { length: 12 },
    (_, text) =>
      Array.from({ length: 100 }, (_, at) => (at + text) % 3 === 0 ? `${at}by${text}` : `word${at}`)
        .join(" "),
  );
  const times = Array.from({ length: 3 }, () => {
    const start = performance.now();
    differences(texts);
    return performance.now() - start;
  });
  assert(Math.min(...times) < 100, `${times}`);
});
