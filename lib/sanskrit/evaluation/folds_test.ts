import assert from "node:assert/strict";
import fc from "fast-check";
import { SANSKRIT_PATHS } from "../paths.ts";
import { type Verse, verseId } from "../verses.ts";
import { readVerses } from "../verses_file.ts";
import { foldedLines, foldOfSource, verseFolds } from "./folds.ts";

/** Verses 1.1, 1.2 … of the pādas told, two to a line. */
function made(...verses: readonly (readonly string[])[]): readonly Verse[] {
  return verses.map((padas, index) => ({
    ...{ id: verseId(1, index + 1), chapter: 1, verse: index + 1, speaker: "", metre: "" },
    lines: [{ label: "a", text: padas.slice(0, 2).join(" ") }],
    padas,
  }));
}

const foldsOf = (verses: readonly Verse[]) => verses.map(({ id }) => verseFolds(verses)(id));

Deno.test("verseFolds() joins verses that share a pāda, be it by way of another verse", () => {
  const verses = made(["p", "q"], ["r", "s"], ["s", "t"], ["u"], ["t", "q"]);
  assert.deepEqual(foldsOf(verses), ["BG_01_01", "BG_01_01", "BG_01_01", "BG_01_04", "BG_01_01"]);
});

Deno.test("verseFolds() joins verses that share a line whose pādas a word joins", () => {
  const [first, second] = made(["p q"], ["p", "q"]);
  assert.deepEqual(foldsOf([first!, second!]), ["BG_01_01", "BG_01_01"]);
});

Deno.test("verseFolds() refuses a verse that is not in the text", () => {
  assert.throws(() => verseFolds(made(["p"]))("BG_19_01"), {
    name: "RangeError",
    message: "Cannot hold out BG_19_01: the text has no such verse",
  });
});

Deno.test("foldOfSource() is the fold of the certificate's verse", () => {
  const foldOf = verseFolds(made(["p"], ["p", "q"]));
  const source = { text: "Bhagavad Gītā", chapter: 1, sentence: 2 };
  assert.equal(foldOfSource({ source }, foldOf), "BG_01_01");
});

Deno.test("Feature: held-out folds: no line or pāda stands in two folds, whatever the verses (100 runs)", () => {
  const pada = fc.constantFrom(..."abcdefgh");
  const verses = fc.array(fc.array(pada, { minLength: 1, maxLength: 4 }), { maxLength: 8 });
  fc.assert(
    fc.property(verses, (padas) => {
      const text = made(...padas);
      const foldOf = verseFolds(text);
      const found = new Map<string, string>();
      for (const { id, lines, padas } of text) {
        for (const part of [...lines.map(({ text }) => text), ...padas]) {
          assert.equal(found.get(part) ?? foldOf(id), foldOf(id));
          found.set(part, foldOf(id));
        }
      }
    }),
    { numRuns: 100 },
  );
});

Deno.test("verseFolds() of the Gītā: 82 verses that repeat each other are 38 folds", () => {
  const verses = readVerses(SANSKRIT_PATHS.verses);
  const foldOf = verseFolds(verses);
  const folds = Map.groupBy(verses, ({ id }) => foldOf(id));
  const joined = [...folds.values()].filter((members) => members.length > 1);
  assert.deepEqual([folds.size, joined.length, joined.flat().length], [657, 38, 82]);
  // Verses 3.35 and 18.47 begin alike: “better one's own duty, ill done …”.
  assert.equal(foldOf("BG_18_47"), "BG_03_35");
  const lines = foldedLines(verses, foldOf);
  assert.equal(lines.length, 1403);
  const texts = Map.groupBy(lines, ({ text }) => text);
  for (const same of texts.values()) assert.equal(new Set(same.map(({ fold }) => fold)).size, 1);
});
