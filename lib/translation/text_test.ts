import assert from "node:assert/strict";
import fc from "fast-check";
import {
  canonicalText,
  commonScript,
  differences,
  isOtherScript,
  nameAsWord,
  scriptOf,
} from "./text.ts";

Deno.test("NFR-1: canonicalText() is idempotent on any text", () => {
  const units = fc.constantFrom("\ud800", "\udc00", "\r", "\n", "\0", "\ufffe", "é", "😀");
  fc.assert(fc.property(fc.array(units), fc.string({ unit: "grapheme" }), (odd, plain) => {
    const once = canonicalText(odd.join("") + plain);
    assert.equal(canonicalText(once), once);
  }));
});

Deno.test("nameAsWord() finds a name in any case and script, not within a longer word", () => {
  const isIn = (name: string, text: string) => nameAsWord(name).test(text);
  assert.ok(isIn("Fir", "the fir tree") && isIn("GPT-4", "(gpt-4)") && isIn("百度", "百度翻译"));
  for (const text of ["first", "Kefir", "Fir2", "éfir"]) assert.ok(!isIn("Fir", text), text);
  for (const text of ["由GPT-4翻译", "GPT-4による", "GPT-4는", "โดยGPT-4แปล"]) {
    assert.ok(isIn("GPT-4", text), text);
  }
});

Deno.test("scriptOf() tells what most letters are in, and its direction; texts without are in none", () => {
  const names = ["Straße 3", "Привет", "東京タワー", "한국어", "𞤀𞤁", "42!", "ⵣⵓⵍ"]
    .map((text) => scriptOf(text).name);
  assert.deepEqual(names, ["Latin", "Cyrillic", "Han", "Hangul", "Adlam", "none", "other"]);
  assert.deepEqual(scriptOf("مرحبا PC"), { name: "Arabic", rightToLeft: true });
  const common = commonScript(["", "42", "?", "привет", "ja", "nein"]);
  const others = ["", "42", "ja", "привет"].filter((text) => isOtherScript(text, common));
  assert.deepEqual([common.name, others], ["Latin", ["привет"]]);
});

Deno.test("differences() counts the other texts that have a word at the same place", () => {
  const shown = differences(["the cat sat.", "the dog sat.", "a cat sat!"])
    .map((parts) => parts.map(({ text, share }) => `${text} ${Math.round(share * 2)}`).join("|"));
  assert.deepEqual(shown, [
    "the 1|  2|cat 1|  2|sat 2|. 1",
    "the 1|  2|dog 0|  2|sat 2|. 1",
    "a 0|  2|cat 1|  2|sat 2|! 0",
  ]);
  const words = (text: string) => differences([text])[0]!.map((part) => part.text);
  assert(words("我喜欢猫").includes("喜欢") && words("รักแมว").length > 1);
  assert.deepEqual(words("هذا بيت."), ["هذا", " ", "بيت", "."]);
});

Deno.test("FR-3: the parts joined are the text that is rated, and shares lie in [0, 1]", () => {
  const words = fc.constantFrom("the", "cat", "  ", "\n", "猫", "e\u0301", "😀", "\ud800");
  const text = fc.array(words, { maxLength: 12 }).map((words) => words.join(" "));
  fc.assert(fc.property(fc.array(text, { maxLength: 6 }), (texts) => {
    const cut = differences(texts);
    assert.deepEqual(cut.map((parts) => parts.map((part) => part.text).join("")), texts);
    for (const { share } of cut.flat()) assert(share >= 0 && share <= 1);
    for (const { share } of differences(texts.map(() => "the cat")).flat()) assert(share === 1);
  }));
});
