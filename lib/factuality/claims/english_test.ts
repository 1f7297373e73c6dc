import assert from "node:assert/strict";
import fc from "fast-check";
import { foreignLanguage, readEnglish } from "./english.ts";

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

Deno.test("foreignLanguage() names what is not English, and says nothing of what it cannot tell", async () => {
  const german = "Goethe wurde am 14. März 1749 in Frankfurt am Main geboren.";
  const texts = [
    german,
    "Der Eiffelturm steht in Paris.",
    "北京是中国的首都。",
    "La capitale de la France est Paris, une grande ville sur la Seine.",
  ];
  const named = await Promise.all(texts.map(foreignLanguage));
  assert.deepEqual(named, ["German", "German", "Chinese", "French"]);
  const silent = [
    "Kenya is a republic in eastern Africa, and its capital is Nairobi.",
    "Le Corbusier designed Villa Savoye in Poissy, France.",
    "Rio de Janeiro, São Paulo and Belo Horizonte are cities of Brazil.",
    "Elk swim. Elk fly.",
    "",
    "1,204 − 17 = ?",
  ];
  for (const text of silent) assert.equal(await foreignLanguage(text), undefined, text);
});

Deno.test("readEnglish() reads a text once, until so much else was read that it is forgotten", () => {
  const text = "Elk swim.";
  const first = readEnglish(text);
  assert.equal(readEnglish(text), first);
  for (let at = 0; at < 3; at++) readEnglish(`${at}${" ".repeat(100_000)}`);
  assert.notEqual(readEnglish(text), first);
  assert.deepEqual(readEnglish(text), first);
});
