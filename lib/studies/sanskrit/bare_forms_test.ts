import assert from "node:assert/strict";
import fc from "fast-check";
import { lookUp } from "../../pairs/clustered.ts";
import { inFolder } from "../../pairs/testdata/folder.ts";
import {
  attestedForms,
  bareContrasts,
  type BareForms,
  bareStatistics,
  bareTable,
  pairOfBareForms,
  readBareForms,
} from "./bare_forms.ts";
import { generateContrasts } from "./generate.ts";
import { extractNouns, LEXICON } from "./nouns.ts";
import { CASES, NUMBERS } from "./rules.ts";
import { writeContrasts } from "./records.ts";
import { illegalSequence, toIast } from "./sounds.ts";
import { GENERATED, scored, SETTINGS, SOURCES, verseOf, VERSES } from "./testdata/fixtures.ts";

const { tokens } = extractNouns(VERSES, LEXICON);
const isAttested = attestedForms(VERSES);
const bareOf = (targetSize: number, maxStems: number, seed = 42) =>
  bareContrasts(tokens, isAttested, { seed, targetSize, maxStems });
const changeOf = (record: BareForms) => `${record.phenomenon} ${pairOfBareForms(record).errorType}`;

Deno.test("bareContrasts() gives the specification's numbers: 333 of case, 167 of number, 200 stems", () => {
  const { bare } = GENERATED;
  assert.deepEqual(bare, bareOf(500, 200));
  assert.equal(bare.filter(({ phenomenon }) => phenomenon === "case").length, 333);
  assert.equal(bare.filter(({ phenomenon }) => phenomenon === "number").length, 167);
  assert.equal(new Set(bare.map(({ stem }) => stem)).size, 200);
  const changes = Map.groupBy(bare, changeOf);
  assert.equal(changes.size, CASES.length * (CASES.length - 1) + NUMBERS.length * 2);
  const sizes = (phenomenon: string) =>
    [...changes].filter(([name]) => name.startsWith(phenomenon)).map(([, { length }]) => length);
  assert.deepEqual([Math.min(...sizes("case")), Math.max(...sizes("case"))], [5, 6]);
  assert.deepEqual([Math.min(...sizes("number")), Math.max(...sizes("number"))], [27, 28]);
});

Deno.test("bareContrasts() writes the specification's fields, seven of them in metadata", () => {
  const record = bareOf(500, 200).find(({ phenomenon, metadata }) =>
    phenomenon === "case" && metadata.correct_case === "instrumental" &&
    metadata.number === "singular" && metadata.gender === "masculine"
  )!;
  assert.deepEqual(Object.keys(record), [
    ...["id", "phenomenon", "grammatical", "ungrammatical", "stem", "context", "metadata"],
  ]);
  assert.equal(record.context, "");
  assert.deepEqual(Object.keys(record.metadata), [
    ...["stem_class", "gender", "number", "correct_case", "incorrect_case"],
    ...["ending_from", "ending_to"],
  ]);
  const { stem_class, gender, correct_case, ending_from } = record.metadata;
  assert.deepEqual([stem_class, gender, correct_case, ending_from], [
    ...["a-stem", "masculine", "instrumental", "एन"],
  ]);
});

Deno.test("bareContrasts() pairs two different words, each two once, within the maximum of stems", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 100 }),
      fc.integer({ min: 1, max: 6 }),
      fc.integer({ min: 0, max: 1000 }),
      (targetSize, maxStems, seed) => {
        const pairs = bareOf(targetSize, maxStems, seed);
        assert.ok(pairs.length <= targetSize);
        assert.ok(new Set(pairs.map(({ stem }) => stem)).size <= maxStems);
        const words = pairs.map(({ grammatical, ungrammatical }) =>
          `${grammatical} ${ungrammatical}`
        );
        assert.equal(new Set(words).size, pairs.length);
        for (const { grammatical, ungrammatical } of pairs) {
          assert.notEqual(grammatical, ungrammatical);
          assert.equal(illegalSequence(`${grammatical} ${ungrammatical}`), undefined);
        }
      },
    ),
    { numRuns: 100 },
  );
});

Deno.test("bareContrasts() gives what a single stem has, and no more", () => {
  const pairs = bareOf(2000, 1);
  assert.equal(new Set(pairs.map(({ stem }) => stem)).size, 1);
  assert.ok(pairs.length > 60 && pairs.length < 200, `${pairs.length}`);
});

Deno.test("target size, stems and seed govern the pairs in lines and the bare forms alike", () => {
  const small = generateContrasts(SOURCES, { ...SETTINGS, targetSize: 60, maxStems: 20 });
  assert.equal(small.bare.length, 60);
  assert.equal(small.bare.filter(({ phenomenon }) => phenomenon === "case").length, 40);
  assert.equal(new Set(small.bare.map(({ stem }) => stem)).size, 20);
  const { items } = small.set;
  assert.ok(items.length > 0 && items.length <= 60);
  assert.notDeepEqual(small.bare, bareOf(60, 20, 43));
});

Deno.test("attestedForms() takes a word by itself, -ṃ for -m and -o for -aḥ", () => {
  const has = attestedForms([verseOf("devaṃ naro gacchati", "rathaśca phalam")]);
  const attested = ["देवम्", "देवं", "नरः", "नर", "रथः", "फलम्"].filter(has);
  assert.deepEqual(attested, ["देवम्", "नरः", "फलम्"]);
});

const bare = (
  n: number,
  grammatical: string,
  ungrammatical: string,
  number = false,
): BareForms => ({
  id: `bare_000${n}`,
  phenomenon: number ? "number" : "case",
  ...{ grammatical, ungrammatical, stem: "देव", context: "" },
  metadata: {
    ...{ stem_class: "a-stem", gender: "masculine", number: "singular" },
    ...{ correct_case: "nominative", incorrect_case: number ? "nominative" : "genitive" },
    ...{ ending_from: "ः", ending_to: number ? "औ" : "अस्य" },
  },
});

const SET = [
  bare(1, "देवः", "देवस्य"),
  bare(2, "देवस्य", "देवः"),
  bare(3, "देवः", "देवौ", true),
  bare(4, "देवस्य", "देवे"),
  bare(5, "देवः", "देवम्"),
];
const has = (form: string) => form === "देवः" || form === "देवम्";

Deno.test("pairOfBareForms() names the cases, or the numbers, of which the second has its ending", () => {
  assert.equal(pairOfBareForms(SET[0]!).errorType, "nominative_to_genitive");
  assert.equal(pairOfBareForms(SET[2]!).errorType, "singular_to_dual");
});

Deno.test("bareStatistics() scores the attested form where exactly one is, and counts the others", () => {
  // Attested: the first, the second, the first; neither; both.
  const likelihoods = [
    scored("m", "bare_0001", [-10, -12]),
    scored("m", "bare_0002", [-10, -12]),
    scored("m", "bare_0003", [-10, -10]),
    scored("m", "bare_0004", [-10, -12]),
    scored("m", "bare_0005", [-10, -12]),
  ];
  const rows = bareStatistics({ bare: SET, isAttested: has, likelihoods, models: ["m"] });
  const statistics = lookUp(rows);
  const of = (model: string, measure: string, group: string) => {
    const { value, n } = statistics.row(model, measure, group);
    return value.kind === "unavailable" ? undefined : [value.estimate, n];
  };
  assert.deepEqual(of("m", "attested_form_score_total", "bare"), [1 / 3, 3]);
  assert.deepEqual(of("m", "attested_form_score_total", "bare.case"), [1 / 2, 2]);
  assert.deepEqual(of("m", "attested_form_score_total", "bare.number"), [0, 1]);
  assert.deepEqual(of("(design)", "attested_one", "bare"), [3 / 5, 5]);
  assert.deepEqual(of("(design)", "attested_both", "bare"), [1 / 5, 5]);
  assert.deepEqual(of("(design)", "attested_none", "bare.case"), [1 / 4, 4]);
  assert.throws(
    () => bareStatistics({ bare: SET, isAttested: has, likelihoods: [], models: ["m"] }),
    /Cannot score bare forms: m has not scored bare_0001/,
  );
});

Deno.test("bareTable() counts pairs, nouns and attested forms", () => {
  const [, , ...rows] = bareTable(SET, has).trim().split("\n");
  assert.deepEqual(rows.map((row) => row.split("|").slice(1, -1).map((cell) => cell.trim())), [
    ["case", "4", "1", "2", "1", "1", "2"],
    ["number", "1", "1", "1", "0", "0", "0"],
    ["all", "5", "1", "3", "1", "1", "2"],
  ]);
});

Deno.test("readBareForms() gives back what was written, and names a damaged line", () =>
  inFolder((at) => {
    writeContrasts(at("bare.jsonl"), SET);
    assert.deepEqual(readBareForms(at("bare.jsonl")), SET);
    writeContrasts(at("bare.jsonl"), [SET[0]!, { ...SET[1]!, context: "2.47" }]);
    assert.throws(() => readBareForms(at("bare.jsonl")), /line 2 is damaged/);
  }));

Deno.test("every bare form is in its noun's paradigm: the stem's letters begin it", () => {
  for (const { stem, grammatical, ungrammatical } of GENERATED.bare) {
    const begin = toIast(stem).replace(/[aā]$/u, "");
    for (const form of [grammatical, ungrammatical]) {
      assert.ok(toIast(form).startsWith(begin), form);
    }
  }
});
