import assert from "node:assert/strict";
import fc from "fast-check";
import { formatCsv, parseCsv } from "../files/csv.ts";
import { numberPairs } from "./number_pairs.ts";
import type { Certificate, Rejection } from "./pair.ts";
import {
  CERTIFICATE_COLUMNS,
  certificateRow,
  PAIR_COLUMNS,
  pairParser,
  pairRow,
  parseCertificate,
  parseRejection,
  REJECTION_COLUMNS,
  rejectionRow,
} from "./pair_files.ts";
import { candidates, PHENOMENA, sentence } from "./testdata/norse.ts";

const parsePair = pairParser(PHENOMENA);

Deno.test("pairRow() gives the specification's example row", () => {
  const row = pairRow({
    id: "ON_QUIRKY_CASE_001",
    phenomenon: "QUIRKY_CASE",
    grammatical: "Hánum líkaði þat.",
    ungrammatical: "Hann líkaði þat.",
    target: "Hánum",
    errorType: "dative_to_nominative",
  });
  assert.equal(
    formatCsv(PAIR_COLUMNS, [row]),
    "id,phenomenon,grammatical,ungrammatical,target,error_type\n" +
      "ON_QUIRKY_CASE_001,QUIRKY_CASE,Hánum líkaði þat.,Hann líkaði þat.,Hánum,dative_to_nominative\n",
  );
});

Deno.test("pair and certificate rows come back as they were", () => {
  fc.assert(
    fc.property(candidates, (chosen) => {
      const items = numberPairs("ON", chosen);
      const pairs = formatCsv(PAIR_COLUMNS, items.map(({ pair }) => pairRow(pair)));
      const read = parseCsv(pairs, PAIR_COLUMNS, parsePair);
      assert.deepEqual(read, { rows: items.map(({ pair }) => pair), damaged: [] });
      const certificates = items.map(({ certificate }) => certificate);
      const text = formatCsv(CERTIFICATE_COLUMNS, certificates.map(certificateRow));
      const back = parseCsv(text, CERTIFICATE_COLUMNS, parseCertificate);
      assert.deepEqual(back, { rows: certificates, damaged: [] });
    }),
    { numRuns: 100 },
  );
});

Deno.test("rejection rows come back as they were", () => {
  const rejection: fc.Arbitrary<Rejection> = fc.record({
    source: fc.record({
      text: fc.constant("Völsunga saga"),
      chapter: fc.integer({ min: 1, max: 42 }),
      sentence: fc.integer({ min: 1, max: 99 }),
    }, { noNullPrototype: true }),
    phenomenon: fc.constantFrom(...PHENOMENA),
    candidate: fc.constantFrom("", "hann>hann", 'yðr>"þér"'),
    reason: fc.constantFrom("syncretism", "variant_attested"),
    detail: fc.oneof(sentence, fc.constant("")),
  }, { noNullPrototype: true });
  fc.assert(
    fc.property(fc.array(rejection), (rejections) => {
      const text = formatCsv(REJECTION_COLUMNS, rejections.map(rejectionRow));
      const back = parseCsv(text, REJECTION_COLUMNS, parseRejection);
      assert.deepEqual(back, { rows: rejections, damaged: [] });
    }),
    { numRuns: 100 },
  );
});

Deno.test("pairParser() refuses rows that are no pair", () => {
  const good = {
    id: "ON_UMLAUT_001",
    phenomenon: "UMLAUT",
    grammatical: "Mǫnnum líkar þat.",
    ungrammatical: "Mannum líkar þat.",
    target: "Mǫnnum",
    error_type: "umlaut_to_base_vowel",
  };
  assert.equal(parsePair(good).errorType, "umlaut_to_base_vowel");
  for (
    const change of [
      { id: "ON_UMLAUT_1" },
      { id: "ON_ADJECTIVE_001" },
      { phenomenon: "VOCATIVE", id: "ON_VOCATIVE_001" },
      { error_type: "" },
      { target: "líkar" },
      { ungrammatical: "Mannum líkar það." },
      { ungrammatical: "Mǫnnum líkar þat." },
    ]
  ) assert.throws(() => parsePair({ ...good, ...change }), SyntaxError, JSON.stringify(change));
});

Deno.test("certificateRow() refuses a list entry that would come back as two", () => {
  const certificate: Certificate = {
    pairId: "ON_UMLAUT_001",
    source: { text: "Völsunga saga", chapter: 1, sentence: 1 },
    rule: "U",
    lemma: "maðr",
    construction: "noun",
    cellFrom: "dat.pl",
    cellTo: "",
    checks: ["not a; word"],
    marks: [],
    explanation: "x",
    sourceSpelling: "x",
    proposedBy: "rules",
    promptSha256: "",
    sha256: "0".repeat(64),
  };
  assert.throws(() => certificateRow(certificate), /ON_UMLAUT_001.*"not a; word"/);
});
