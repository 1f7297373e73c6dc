import assert from "node:assert/strict";
import { wordsOf } from "../text.ts";
import type { Segment } from "./outputs.ts";
import { mostTypical, spoil } from "./spoil.ts";

const SENTENCES = [
  "Seit Mittag schläft die Katze auf dem Sofa, weil der Regen gegen die Fenster schlägt.",
  "Der Minister hat gestern erklärt, dass die Steuern im nächsten Jahr sinken sollen.",
  "Nach dem Spiel gingen die Kinder langsam nach Hause, obwohl niemand müde war.",
  "Die Firma verkauft seit Jahren Schrauben, ohne jemals ein Lager gebaut zu haben.",
  "Im Winter frieren die Seen zu, und die Fischer bleiben wochenlang an Land.",
];
const CORPUS: readonly Segment[] = SENTENCES.map((text, n) => ({
  segment: "1",
  document: `d${n}`,
  source: `Source ${n}.`,
  translations: [text, text.replace("die ", "eine "), "Ja."],
}));

const spoiled = (n: number, system = 0) =>
  CORPUS.flatMap((item) =>
    spoil(item, system, { secret: `s${n}`, segments: CORPUS, language: "de" }) ?? []
  );

Deno.test("spoil() uses every type of corruption, and no spoiled text is recognisable by its shape", () => {
  const ways = new Set<string>();
  for (let n = 0; n < 30; n++) {
    for (const { text, spoiledBy } of spoiled(n)) {
      ways.add(spoiledBy);
      assert.ok(!SENTENCES.includes(text), text);
      // Length, capital, full stop, no word in a row twice, no space before a mark or doubled.
      assert.match(text, /^\p{Lu}[^.]*\p{L}\.$/u);
      assert.doesNotMatch(text, / {2}| [,.]|\b(\p{L}+) \1\b/u);
    }
    for (const [index, item] of CORPUS.entries()) {
      const spoiled = spoil(item, 0, { secret: `s${n}`, segments: CORPUS, language: "de" })!;
      const share = spoiled.text.length / SENTENCES[index]!.length;
      assert.ok(share >= 0.7 && share <= 1.4, `${share}`);
    }
  }
  assert.deepEqual([...ways].sort(), [
    "clause of another segment",
    "content words exchanged",
    "negated",
  ]);
});

Deno.test("spoil() exchanges content words, the first and small ones stay, capitals with capitals", () => {
  const words = (text: string) => wordsOf(text, "de").map((word) => word.text);
  const texts = Array.from({ length: 30 }, (_, n) => spoiled(n)).flat()
    .filter(({ spoiledBy }) => spoiledBy === "content words exchanged");
  assert.ok(texts.length > 10);
  for (const { text } of texts) {
    const now = words(text);
    const before = words(
      SENTENCES.find((it) => words(it).sort().join() === now.toSorted().join())!,
    );
    const changed = now.flatMap((word, at) => word === before[at] ? [] : [[word, before[at]!]]);
    assert.ok(changed.length >= 2 && now[0] === before[0]);
    for (const [word, instead] of changed) {
      assert.equal(/^\p{Lu}/u.test(word!), /^\p{Lu}/u.test(instead!));
      assert.ok(word!.length >= 4);
    }
  }
});

Deno.test("spoil() turns a short sentence into its contrary, by its language", () => {
  /** Digits lengthen the text and leave nothing to borrow or exchange. */
  const digits = " 1 2 3 4 5 6 7 8 9.";
  const contrary = (language: string, text: string) => {
    const translations = [text.replace(/\.$/, digits), "x"];
    const item = { segment: "1", document: "a", source: "S", translations };
    return spoil(item, 0, { secret: "s", segments: [item], language })?.text.replace(digits, ".");
  };
  const cases = [
    ["de", "Er ist da.", "Er ist nicht da."],
    ["de-AT", "Er ist nicht da.", "Er ist da."],
    ["de", "Das ist ein Ei.", "Das ist kein Ei."],
    ["en", "He was in.", "He was not in."],
    ["en", "He isn’t in.", "He is in."],
    ["en", "I can't go.", "I can go."],
    ["es", "Él no va.", "Él va."],
    ["es", "Él está aquí.", "Él no está aquí."],
    ["fr", "Il ne va pas.", "Il va."],
    ["fr", "Il n’est pas là.", "Il est là."],
    ["fr", "Il est là.", "Il n’est pas là."],
    ["it", "Lui non va.", "Lui va."],
    ["it", "Lei è qui.", "Lei non è qui."],
    ["nl", "Hij is er.", "Hij is niet er."],
    ["nl", "Hij had een ei.", "Hij had geen ei."],
    ["pt", "Ele não vai.", "Ele vai."],
    ["pt", "Ela é má.", "Ela não é má."],
  ] as const;
  for (const [language, text, expected] of cases) assert.equal(contrary(language, text), expected);
  assert.equal(contrary("tlh", "Er ist da."), undefined);
  assert.equal(contrary("de", `Er ist da ${"so ".repeat(30)}.`), undefined);
});

Deno.test("mostTypical() shares most words with the others, is not cut off, and of two the longer", () => {
  const whole = "Die Katze schläft seit Mittag auf dem Sofa.";
  const free = "Seit zwölf Uhr liegt die Katze auf der Couch.";
  assert.equal(mostTypical(["Die Katze schläft", whole, free]), 1);
  assert.equal(mostTypical([whole, `${whole} Ganz fest.`]), 1);
});
