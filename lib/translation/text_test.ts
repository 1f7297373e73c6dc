import assert from "node:assert/strict";
import fc from "fast-check";
import { canonicalText, differences, nameAsWord } from "./text.ts";

Deno.test("canonicalText() turns line ends into LF, drops controls and mends surrogates", () => {
  assert.equal(canonicalText("a\r\nb\rc\nd\te"), "a\nb\nc\nd\te");
  assert.equal(canonicalText("\0a\x0bb\x1f\x7fc\ufffe\uffff"), "abc");
  assert.equal(canonicalText("\ud800x\udc00"), "\ufffdx\ufffd");
});

Deno.test("NFR-1: canonicalText() is idempotent on any text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.constantFrom("\ud800", "\r", ""), (a, b) => {
      const once = canonicalText(a + b + a);
      assert.equal(canonicalText(once), once);
    }),
    { numRuns: 500 },
  );
});

const isIn = (name: string, text: string) => nameAsWord(name).test(text);

Deno.test("nameAsWord() finds a name in any case, not within a longer word", () => {
  assert.ok(isIn("Fir", "the fir tree"));
  assert.ok(isIn("GPT-4", "(gpt-4)"));
  for (const text of ["first", "Kefir", "Fir2", "éfir"]) assert.ok(!isIn("Fir", text), text);
});

Deno.test("nameAsWord() finds a name where words are not set apart, or take endings", () => {
  for (const text of ["由GPT-4翻译", "GPT-4による", "GPT-4는", "โดยGPT-4แปล"]) {
    assert.ok(isIn("GPT-4", text), text);
  }
  assert.ok(isIn("百度", "百度翻译"));
});

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

Deno.test("differences() finds words where none are set apart", () => {
  const words = (text: string) => differences([text])[0]!.map((part) => part.text);
  assert(words("我喜欢猫").includes("喜欢"));
  assert(words("รักแมว").length > 1);
  assert.deepEqual(words("वह घर गया।"), ["वह", " ", "घर", " ", "गया", "।"]);
  assert.deepEqual(words("هذا بيت."), ["هذا", " ", "بيت", "."]);
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
