import assert from "node:assert/strict";
import { nameAsWord } from "./name_as_word.ts";

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

Deno.test("nameAsWord() takes signs in a name as they stand", () => {
  assert.ok(isIn("A+B (v1.0) & [x]", "by a+b (v1.0) & [x]."));
  assert.ok(!isIn("v1.0", "v1x0"));
});
