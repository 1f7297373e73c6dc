import assert from "node:assert/strict";
import { fromIast } from "../devanagari.ts";
import type { Verse } from "../verses.ts";
import { extractNouns, formatCells } from "./extract_nouns.ts";
import type { LexiconEntry } from "./lexicon_entry.ts";

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

Deno.test("extractNouns() finds forms that sandhi left alone, with every cell they may be", () => {
  assert.deepEqual(tokens("devaḥ phalaṃ karoti"), ["1 deva nom.sg", "2 phala nom.sg/acc.sg"]);
  assert.deepEqual(tokens("phale"), ["1 phala nom.du/acc.du/loc.sg"]);
  assert.deepEqual(tokens("gacchati devena"), ["2 deva ins.sg"]);
});

Deno.test("extractNouns() leaves other words and other stems alone", () => {
  assert.deepEqual(extract("gacchati narasya").tokens, []);
  assert.deepEqual(reasons("gacchati narasya"), []);
});

Deno.test("extractNouns() passes over forms that sandhi may have changed", () => {
  // deva āgacchati may be devaḥ, devāya or a vocative; devā gacchanti is devāḥ.
  assert.deepEqual(reasons("devena āgacchati"), ["changed by sandhi"]);
  assert.deepEqual(reasons("phale agacchati"), ["changed by sandhi"]);
  assert.deepEqual(tokens("devena gacchati"), ["1 deva ins.sg"]);
});

Deno.test("extractNouns() passes over a form that is only a vocative, and drops that reading of others", () => {
  assert.deepEqual(reasons("paśya deva"), ["vocative"]);
  assert.deepEqual(tokens("paśya devāḥ"), ["2 deva nom.pl"]);
});

Deno.test("extractNouns() passes over a form that two entries have", () => {
  assert.deepEqual(reasons("kriye karoti"), ["two lexicon entries"]);
  assert.deepEqual(tokens("kriyayā karoti"), ["1 kriyā ins.sg"]);
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
