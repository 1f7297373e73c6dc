import assert from "node:assert/strict";
import fc from "fast-check";
import { readEnglish } from "./english.ts";

Deno.test("readEnglish() gives spans in order in any text", () => {
  fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 80 }), (text) => {
    let cursor = 0;
    for (const { start, end, text: word } of readEnglish(text).tokens) {
      assert.ok(start >= cursor && end > start);
      assert.equal(text.slice(start, end), word);
      cursor = end;
    }
  }));
});

Deno.test("readEnglish() passes over the rest of a run that is no word, and what follows keeps its place", () => {
  const text = `Elk ${"x".repeat(50_000)} swim.`;
  const { tokens } = readEnglish(text);
  assert.deepEqual(tokens.map(({ text }) => text.length), [3, 1_000, 4, 1]);
  for (const { text: word, start, end } of tokens) assert.equal(text.slice(start, end), word);
});

Deno.test("readEnglish() reads a text once, until so much else was read that it is forgotten", () => {
  const text = "Elk swim.";
  const first = readEnglish(text);
  assert.equal(readEnglish(text), first);
  for (let at = 0; at < 3; at++) readEnglish(`${at}${" ".repeat(100_000)}`);
  assert.notEqual(readEnglish(text), first);
  assert.deepEqual(readEnglish(text), first);
});
