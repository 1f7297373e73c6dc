import assert from "node:assert/strict";
import { parseCell } from "../cell.ts";
import { attestedNouns } from "./attested_nouns.ts";
import type { NounToken } from "./extract_nouns.ts";
import type { LexiconEntry } from "./lexicon_entry.ts";

const entry = (stem: string): LexiconEntry => ({
  ...{ stem, declension: "a_neuter", isAddressable: false },
});
const found = (entry: LexiconEntry, ...cells: readonly string[]): readonly NounToken[] =>
  cells.map((own, index) => ({
    ...{ line: { verse: "BG_01_01", label: "a" }, token: index + 1, form: "", entry },
    cells: own.split("/").map(parseCell),
  }));

const [PHALA, DHANA, RATNA] = [entry("phala"), entry("dhana"), entry("ratna")];

Deno.test("attestedNouns() takes several cells or one unambiguous ending as evidence", () => {
  const { nouns, withoutEvidence } = attestedNouns([
    ...found(PHALA, "nom.sg/acc.sg", "nom.pl/acc.pl"),
    ...found(DHANA, "gen.sg"),
    ...found(RATNA, "nom.sg/acc.sg", "nom.sg/acc.sg"),
  ], 10);
  assert.deepEqual(nouns.map(({ entry, evidence }) => [entry.stem, evidence]), [
    ["phala", "several cells"],
    ["dhana", "one unambiguous ending"],
  ]);
  assert.deepEqual(withoutEvidence, [RATNA]);
});

Deno.test("attestedNouns() keeps the most frequent stems, equal ones by stem", () => {
  const tokens = [
    ...found(RATNA, "gen.sg"),
    ...found(DHANA, "gen.sg"),
    ...found(PHALA, "gen.sg", "loc.sg"),
  ];
  const stems = (most: number) => attestedNouns(tokens, most).nouns.map(({ entry }) => entry.stem);
  assert.deepEqual(stems(Infinity), ["phala", "dhana", "ratna"]);
  assert.deepEqual(stems(2), ["phala", "dhana"]);
  assert.deepEqual(stems(0), []);
});
