import assert from "node:assert/strict";
import {
  attestedNouns,
  extractionPrecision,
  extractNouns,
  formatCells,
  LEXICON as GITA_LEXICON,
  type LexiconEntry,
  type NounToken,
  wordThatCouldBe,
} from "./nouns.ts";
import { parseCell } from "./paradigms.ts";
import { fromIast } from "./sounds.ts";
import { readTreebank } from "./treebank.ts";
import { type Verse, VERSES as GITA } from "./verses.ts";

const DEVA: LexiconEntry = { stem: "deva", declension: "a_masculine", isAddressable: true };
const PHALA: LexiconEntry = { stem: "phala", declension: "a_neuter", isAddressable: false };
const KRIYA: LexiconEntry = { stem: "kriya", declension: "a_neuter", isAddressable: false };
const KRIYĀ: LexiconEntry = { stem: "kriyā", declension: "ā_feminine", isAddressable: false };
const LEXICON = [DEVA, PHALA, KRIYA, KRIYĀ];

const verse = (text: string): Verse => ({
  ...{ id: "BG_01_01", chapter: 1, verse: 1, speaker: "", padas: [], metre: "" },
  lines: [{ label: "a", text: fromIast(text) }],
});

const extract = (text: string) => extractNouns([verse(text)], LEXICON, () => undefined);

const tokens = (text: string) =>
  extract(text).tokens.map(({ token, entry, cells }) =>
    `${token} ${entry.stem} ${formatCells(cells)}`
  );

const reasons = (text: string) => extract(text).passedOver.map(({ reason }) => reason);

Deno.test("wordThatCouldBe() sees a noun by its look, also without its visarga or written together", () => {
  const wordFor = (cell: string, gender: "masculine" | "feminine", text: string) =>
    wordThatCouldBe(parseCell(cell), [gender], text.split(" | ").map((line) => line.split(" ")));
  const cases = [
    ["nom.pl", "masculine", "evaṃ guṇā vartante", "guṇā"],
    ["nom.pl", "masculine", "evaṃ | guṇāḥ", "guṇāḥ"],
    ["nom.pl", "masculine", "guṇāsteṣu", "guṇāsteṣu"],
    // Before k the visarga would stand, at a line's end too; guṇena is another cell.
    ["nom.pl", "masculine", "guṇā karoti | guṇā", undefined],
    ["nom.pl", "masculine", "guṇena vartante", undefined],
    ["nom.sg", "feminine", "tejo dhṛtirdākṣyaṃ", "dhṛtirdākṣyaṃ"],
    ["nom.sg", "feminine", "śraddhāvān", undefined],
    ["acc.sg", "feminine", "prakṛtimāśritya", "prakṛtimāśritya"],
    ["acc.sg", "feminine", "prakṛtiṃ yānti", "prakṛtiṃ"],
    ["acc.sg", "masculine", "prakṛtiṃ yānti", undefined],
  ] as const;
  for (const [cell, gender, text, word] of cases) {
    assert.equal(wordFor(cell, gender, text), word, text);
  }
});

Deno.test("extractNouns() finds forms that sandhi left alone, with every cell they may be but a vocative", () => {
  assert.deepEqual(tokens("devaḥ phalaṃ karoti"), ["1 deva nom.sg", "2 phala nom.sg/acc.sg"]);
  assert.deepEqual(tokens("phale"), ["1 phala nom.du/acc.du/loc.sg"]);
  assert.deepEqual(tokens("paśya devāḥ"), ["2 deva nom.pl"]);
  assert.deepEqual(reasons("paśya deva"), ["vocative"]);
  // deva āgacchati may be devaḥ, devāya or a vocative; devā gacchanti is devāḥ.
  assert.deepEqual(reasons("devena āgacchati"), ["changed by sandhi"]);
  assert.deepEqual(tokens("devena gacchati"), ["1 deva ins.sg"]);
});

Deno.test("extractNouns() asks the stop list by form and place", () => {
  const asked: string[] = [];
  const stopped = (form: string, place: string) => {
    asked.push(`${form} ${place}`);
    return place === "BG_01_01.a.3" ? "adjective" as const : undefined;
  };
  const text = "phalaṃ paśya phalaṃ paśya";
  const { tokens, passedOver } = extractNouns([verse(text)], LEXICON, stopped);
  assert.deepEqual(asked, ["फलं BG_01_01.a.1", "फलं BG_01_01.a.3"]);
  assert.deepEqual(tokens.map(({ token }) => token), [1]);
  assert.deepEqual(passedOver, [{ form: "फलं", reason: "adjective" }]);
});

const entry = (stem: string): LexiconEntry => ({
  ...{ stem, declension: "a_neuter", isAddressable: false },
});

const tokensOf = (entry: LexiconEntry, ...cells: readonly string[]): readonly NounToken[] =>
  cells.map((labels, index) => ({
    ...{ line: { verse: "BG_01_01", label: "a" }, token: index + 1, form: "", entry },
    cells: labels.split("/").map(parseCell),
  }));

const [ATTESTED, DHANA, RATNA] = [entry("phala"), entry("dhana"), entry("ratna")];

Deno.test("attestedNouns() takes several cells or one unambiguous ending as evidence", () => {
  const { nouns, withoutEvidence } = attestedNouns([
    ...tokensOf(ATTESTED, "nom.sg/acc.sg", "nom.pl/acc.pl"),
    ...tokensOf(DHANA, "gen.sg"),
    ...tokensOf(RATNA, "nom.sg/acc.sg", "nom.sg/acc.sg"),
  ], 10);
  assert.deepEqual(nouns.map(({ entry, evidence }) => [entry.stem, evidence]), [
    ["phala", "several cells"],
    ["dhana", "one unambiguous ending"],
  ]);
  assert.deepEqual(withoutEvidence, [RATNA]);
});

const VERSES = GITA.read();
const TREEBANK = readTreebank();
const EXTRACTION = extractNouns(VERSES, GITA_LEXICON);

Deno.test("of the tokens extracted from the Gītā 98 in a hundred are what the treebank says", () => {
  const { agreeing, extracted } = extractionPrecision(EXTRACTION.tokens, TREEBANK);
  assert.ok(extracted >= 900, `${extracted} tokens`);
  assert.ok(agreeing / extracted >= 0.98, `${agreeing} of ${extracted}`);
});
