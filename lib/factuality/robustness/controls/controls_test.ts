import assert from "node:assert/strict";
import { test } from "node:test";
import { randomSource } from "../../../stats/random.ts";
import { readWordNet } from "../../wordnet/read_wordnet.ts";
import { makeVariant } from "../make_variant.ts";
import { variantTools } from "../testdata/variant_tools.ts";
import type { ControlKind } from "../variant.ts";
import { SYNONYMS } from "./synonym.ts";

function outcomes(kind: ControlKind, text: string): readonly (string | undefined)[] {
  const made = Array.from(
    { length: 60 },
    (_, seed) => makeVariant(kind, text, variantTools, randomSource(seed))?.text,
  );
  return [...new Set(made)].toSorted();
}

test("reformatNumber() writes numbers otherwise", () => {
  assert.deepEqual(outcomes("number format", "It has 39.2 million people."), [
    "It has 39,200,000 people.",
  ]);
  assert.deepEqual(outcomes("number format", "It has 39,200,000 people."), [
    "It has 39.2 million people.",
  ]);
  assert.deepEqual(outcomes("number format", "It has 12 ports."), ["It has twelve ports."]);
  assert.deepEqual(outcomes("number format", "Two sq km are land."), ["2 sq km are land."]);
  assert.deepEqual(outcomes("number format", "2 sq km are land."), ["Two sq km are land."]);
  assert.deepEqual(outcomes("number format", "45% can read."), ["45 percent can read."]);
});

test("reformatDate() writes dates otherwise", () => {
  assert.deepEqual(outcomes("date format", "It fell on 18 February 1965."), [
    "It fell on 1965-02-18.",
    "It fell on February 18, 1965.",
  ]);
  assert.deepEqual(outcomes("date format", "It is on February 18."), ["It is on 18 February."]);
  assert.deepEqual(outcomes("date format", "It fell in 1965."), [undefined]);
});

test("convertUnit() rounds to the digits that were told, three at least: worked by hand", () => {
  // 536 / 1.609344 = 333.05; 580,367 / 1.609344² = 224,080.9; 5 × 3.28084 = 16.4042.
  assert.deepEqual(outcomes("unit converted", "It is 536 km long."), ["It is 333 miles long."]);
  assert.deepEqual(outcomes("unit converted", "It covers 580,367 sq km."), [
    "It covers 224,081 sq miles.",
  ]);
  assert.deepEqual(outcomes("unit converted", "It lies 5 m high."), ["It lies 16.4 feet high."]);
});

test("paraphrase() turns owners and voices round", () => {
  const said: readonly (readonly [string, string | undefined])[] = [
    ["Nairobi is the capital of Kenya.", "Nairobi is Kenya's capital."],
    ["Kenya's capital is Nairobi.", "The capital of Kenya is Nairobi."],
    [
      "The islands were discovered by the British in 1592.",
      "The British discovered the islands in 1592.",
    ],
    ["Uganda invaded Tanzania in 1978.", "Tanzania was invaded by Uganda in 1978."],
    ["The island of Bali is warm.", undefined],
    ["Since Kenya's independence it grew.", undefined],
    ["The Dutch seized Togo from the Spanish in 1634.", undefined],
    ["China buys the largest share of New Guinea's exports.", undefined],
    ["The poor live on Turks and Caicos Islands's coast.", undefined],
  ];
  for (const [text, to] of said) assert.deepEqual(outcomes("paraphrase", text), [to], text);
});

test("reorder() moves an adverbial only where it can belong to one clause", () => {
  const said: readonly (readonly [string, string | undefined])[] = [
    ["In 1963, Kenya joined the UN.", "Kenya joined the UN in 1963."],
    ["Kenya joined the UN in 1963.", "In 1963, Kenya joined the UN."],
    ["The war lasted from May 1942 to the surrender in August 1945.", undefined],
    ["Kenya joined the UN, which was founded in 1945.", undefined],
    ["A pact for the end of the century was signed by 1980 in 1977.", undefined],
    ["Farmers live off goats and camels.", undefined],
    ["Aid went to Uganda and Togo.", "Aid went to Togo and Uganda."],
    ["The flag is of red, white, and blue bands.", undefined],
  ];
  for (const [text, to] of said) assert.deepEqual(outcomes("order", text), [to], text);
});

test("respell() changes spelling or marks", () => {
  assert.deepEqual(outcomes("spelling", "The labor party won."), ["The labour party won."]);
  assert.deepEqual(outcomes("spelling", "Kenya's flag flew."), ["Kenya’s flag flew."]);
  assert.deepEqual(outcomes("spelling", "It flew."), ["It flew"]);
});

test("SYNONYMS have one meaning in WordNet, and share it", async () => {
  const wordnet = await readWordNet();
  for (const [word, others] of Object.entries(SYNONYMS)) {
    assert.equal(wordnet.senseCount(word), 1, word);
    for (const other of others) assert.equal(wordnet.relation(word, other), "same", other);
  }
});
