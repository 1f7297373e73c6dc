import assert from "node:assert/strict";
import fc from "fast-check";
import { mostTypical, spoil } from "./spoil.ts";
import type { Segment } from "./system_outputs.ts";
import { wordsOf } from "./words.ts";

const ITEM: Segment = {
  ...{ segment: "1", document: "a", source: "The cat has been asleep on the sofa since noon." },
  translations: [
    "Seit Mittag schläft die Katze auf dem Sofa.",
    "Die Katze schläft seit Mittag auf dem Sofa.",
    "Der Hund bellt.",
  ],
};
const OTHER: Segment = {
  ...{ segment: "1", document: "b", source: "It rains." },
  translations: ["Es regnet.", "Regen fällt.", "Es schüttet."],
};

Deno.test("spoil() goes each of its ways under some secret, each with what it promises", () => {
  const seen = new Map<string, string>();
  for (let n = 0; n < 30; n++) {
    const options = { secret: `s${n}`, segments: [ITEM, OTHER], language: "de" };
    const { spoiledBy, text } = spoil(ITEM, 1, options)!;
    seen.set(spoiledBy, text);
  }
  assert.equal(seen.get("translation of another segment"), "Regen fällt.");
  assert.equal(seen.get("cut after a third"), "Die Katze");
  const words = (text: string) => wordsOf(text, "de").map((word) => word.text).sort();
  assert.deepEqual(words(seen.get("words shuffled")!), words(ITEM.translations[1]!));
});

Deno.test("spoil() never gives one of the segment's own translations", () => {
  const property = fc.property(fc.string(), fc.integer({ min: 0, max: 2 }), (secret, system) => {
    const options = { secret, segments: [ITEM, OTHER], language: undefined };
    const { text } = spoil(ITEM, system, options)!;
    assert.ok(!ITEM.translations.includes(text) && text.trim() !== "");
  });
  fc.assert(property, { numRuns: 200 });
});

Deno.test("spoil() borrows no text that reads like the segment's own", () => {
  const again = {
    ...{ segment: "9", document: "c", source: "Since noon the cat has been asleep on the sofa." },
    translations: ITEM.translations.map((text) => text.replace("Sofa", "Sessel")),
  };
  for (let n = 0; n < 30; n++) {
    const options = { secret: `s${n}`, segments: [ITEM, again, OTHER], language: "de" };
    const { spoiledBy, text } = spoil(ITEM, 1, options)!;
    if (spoiledBy === "translation of another segment") assert.equal(text, "Regen fällt.");
  }
  const options = { secret: "s", segments: [ITEM, again], language: "de" };
  assert.notEqual(spoil(ITEM, 1, options)!.spoiledBy, "translation of another segment");
});

Deno.test("spoil() gives nothing if nothing can be done", () => {
  assert.equal(spoil(ITEM, 2, { secret: "s", segments: [ITEM], language: "de" }), undefined);
});

Deno.test("mostTypical() is the translation that shares most words with the others", () => {
  assert.equal(mostTypical([...ITEM.translations, "Die Katze schläft auf dem Sofa."]), 1);
  assert.equal(mostTypical(["", "Ja", "Ja"]), 1);
});

Deno.test("mostTypical() is no text that was cut off, and of two alike the longer", () => {
  const whole = "Die Katze schläft seit Mittag auf dem Sofa.";
  const free = "Seit zwölf Uhr liegt die Katze auf der Couch.";
  assert.equal(mostTypical(["Die Katze schläft", whole, free]), 1);
  assert.equal(mostTypical([whole, `${whole} Ganz fest.`]), 1);
});

Deno.test("mostTypical() finds none among texts that have nothing in common", () => {
  assert.equal(mostTypical(["", " "]), undefined);
  assert.equal(mostTypical(["Ja", "Nein"]), undefined);
});

Deno.test("wordsOf() finds words without spaces, and leaves punctuation out", () => {
  assert.deepEqual(wordsOf("Ja, 3,5 km!").map(({ text }) => text), ["Ja", "3,5", "km"]);
  assert.ok(wordsOf("今天天气很好", "zh").length > 1);
});
