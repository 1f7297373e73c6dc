import assert from "node:assert/strict";
import { parseCell } from "../cell.ts";
import { toIast } from "../devanagari.ts";
import type { NounToken } from "../extraction/extract_nouns.ts";
import type { AnnotatedNoun } from "../treebank/annotated_noun.ts";
import { certifyContrasts, searchContrasts } from "./certify_contrasts.ts";
import { ALL_BEINGS, annotated, head, verseOf } from "./testdata/nouns.ts";

const NOUN = annotated(ALL_BEINGS);
const ENTRY = { stem: "bhūta", declension: "a_neuter", isAddressable: false } as const;
const TOKEN: NounToken = {
  ...{ line: NOUN.line, token: 2, form: NOUN.form, entry: ENTRY },
  cells: [parseCell("nom.pl"), parseCell("acc.pl")],
};
const VERSES = [verseOf(ALL_BEINGS.text, "na hanyate")];

const search = (noun: AnnotatedNoun, token: NounToken | undefined = TOKEN, stems = [ENTRY]) =>
  searchContrasts({
    ...{ verses: VERSES, treebank: [noun], stems: new Set(stems) },
    extracted: token ? [token] : [],
  });
const reasonsOf = (found: ReturnType<typeof search>) =>
  found.rejections.map(({ phenomenon, reason }) => `${phenomenon} ${reason}`);
const refusedAs = (reason: string) => [`case ${reason}`, `number ${reason}`].toSorted();

Deno.test("searchContrasts() finds forms where reader and extractor agree", () => {
  const found = search(NOUN);
  assert.equal(found.candidates.length, 7);
  assert.deepEqual(reasonsOf(found), ["case same_form"]);
  assert.deepEqual(found.rejections[0]?.source, {
    ...{ text: "Bhagavad Gītā", chapter: 1, sentence: 1 },
  });
});

Deno.test("searchContrasts() refuses a noun once for each phenomenon, with the reason", () => {
  const elsewhere = { ...NOUN.fixedBy[0]!, line: { ...NOUN.line, label: "b" } as const };
  const doubtful = search({ ...NOUN, isDoubtful: true });
  const cases: readonly (readonly [string, ReturnType<typeof search>])[] = [
    ["reader_in_doubt", doubtful],
    ["extracted_otherwise", search({ ...NOUN, stem: "sarva-bhūta" })],
    ["extracted_otherwise", search({ ...NOUN, cell: parseCell("gen.pl") })],
    ["stem_without_evidence", search(NOUN, TOKEN, [])],
    ["not_the_paradigm_form", search({ ...NOUN, form: "भूतेन" })],
    ["nothing_fixes_the_cell", search({ ...NOUN, fixedBy: [head("adjunct", "x")] })],
    ["fixed_from_another_line", search({ ...NOUN, fixedBy: [elsewhere] })],
  ];
  for (const [reason, found] of cases) {
    assert.deepEqual(reasonsOf(found).toSorted(), refusedAs(reason));
    assert.deepEqual(found.candidates, []);
  }
});

Deno.test("searchContrasts() refuses a noun that the extractor did not find", () => {
  const none = searchContrasts({
    ...{ verses: VERSES, treebank: [NOUN], extracted: [], stems: new Set([ENTRY]) },
  });
  assert.deepEqual(reasonsOf(none).toSorted(), refusedAs("not_extracted"));
});

Deno.test("certifyContrasts() keeps what a reader found wrong, and says why not the rest", () => {
  const ratings = { भूतं: "wrong", भूतैः: "doubtful", भूतानां: "acceptable" } as const;
  const { certified, rejections } = certifyContrasts(
    search(NOUN),
    VERSES,
    ({ written }) => ratings[written as keyof typeof ratings],
    new Set<string>(),
  );
  assert.deepEqual(certified.map(({ pair }) => toIast(pair.ungrammatical)), [
    "sarvāṇi bhūtaṃ paśyati",
  ]);
  assert.deepEqual(certified[0]?.certificate.marks, ["metre_changed"]);
  const reasons = rejections.map(({ candidate, reason }) => `${toIast(candidate)} ${reason}`);
  assert.ok(reasons.includes("bhūtāni>bhūtaiḥ reader_in_doubt_of_variant"));
  assert.ok(reasons.includes("bhūtāni>bhūtānāṃ reader_finds_a_reading"));
  assert.ok(reasons.includes("bhūtāni>bhūteṣu not_read"));
});

Deno.test("certifyContrasts() names what fixes the cell, by which rule, in which verse", () => {
  const { certified } = certifyContrasts(search(NOUN), VERSES, () => "wrong", new Set<string>());
  const { pair, certificate, tier } = certified.find(({ pair }) =>
    /भूतानां/.test(pair.ungrammatical)
  )!;
  assert.equal(pair.errorType, "accusative_to_genitive");
  assert.equal(pair.target, "भूतानि");
  assert.equal(pair.context, "1.1: सर्वाणि भूतानि पश्यति । न हन्यते ॥");
  assert.equal(tier, 1);
  assert.equal(certificate.rule, "SK_AGREEMENT");
  assert.equal(certificate.construction, "agreement acc.pl > gen.pl");
  assert.deepEqual([certificate.cellFrom, certificate.cellTo], ["acc.pl.n", "gen.pl.n"]);
  assert.equal(
    certificate.explanation,
    "The noun bhūta is accusative plural: सर्वाणि agrees with it; भूतानां is genitive plural.",
  );
  assert.ok(certificate.checks.includes("fixed by sarvāṇi (agreement) in the same line"));
});

Deno.test("certifyContrasts() refuses a line that the text itself has", () => {
  const text = { has: () => true };
  const { certified, rejections } = certifyContrasts(search(NOUN), VERSES, () => "wrong", text);
  assert.deepEqual(certified, []);
  assert.equal(rejections.filter(({ reason }) => reason === "variant_attested").length, 7);
});
