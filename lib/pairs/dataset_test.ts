import assert from "node:assert/strict";
import fc from "fast-check";
import { parseCsv } from "../files/csv.ts";
import {
  certificatesTable,
  numberPairs,
  pairsTable,
  rejectionsTable,
  withCertificate,
  writeDataset,
  type WriteDatasetOptions,
} from "./dataset.ts";
import type { Certificate, Rejection } from "./pair.ts";
import { inFolder } from "./testdata/folder.ts";
import { candidates, PHENOMENA, type Phenomenon, sentence } from "./testdata/norse.ts";
import { madeItems } from "./testdata/whole_run.ts";

const PAIR_TABLE = pairsTable({ path: "/minimal_pairs.csv" }, PHENOMENA);
const CERTIFICATE_TABLE = certificatesTable({ path: "/certificates.csv" });
const REJECTION_TABLE = rejectionsTable({ path: "/rejections.csv" });
const parsePair = PAIR_TABLE.parse;

Deno.test("pairsTable() writes the specification's example row", () => {
  const pair = {
    id: "ON_QUIRKY_CASE_001",
    phenomenon: "QUIRKY_CASE",
    grammatical: "Hánum líkaði þat.",
    ungrammatical: "Hann líkaði þat.",
    target: "Hánum",
    errorType: "dative_to_nominative",
  } as const;
  assert.equal(
    PAIR_TABLE.format([pair]),
    "id,phenomenon,grammatical,ungrammatical,target,error_type\n" +
      "ON_QUIRKY_CASE_001,QUIRKY_CASE,Hánum líkaði þat.,Hann líkaði þat.,Hánum,dative_to_nominative\n",
  );
});

Deno.test("pair and certificate rows come back as they were", () => {
  fc.assert(
    fc.property(candidates, (chosen) => {
      const items = numberPairs("ON", chosen);
      const pairs = PAIR_TABLE.format(items.map(({ pair }) => pair));
      const read = parseCsv(pairs, PAIR_TABLE.columns, parsePair);
      assert.deepEqual(read, { rows: items.map(({ pair }) => pair), damaged: [] });
      const certificates = items.map(({ certificate }) => certificate);
      const text = CERTIFICATE_TABLE.format(certificates);
      const back = parseCsv(text, CERTIFICATE_TABLE.columns, CERTIFICATE_TABLE.parse);
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
      const text = REJECTION_TABLE.format(rejections);
      const back = parseCsv(text, REJECTION_TABLE.columns, REJECTION_TABLE.parse);
      assert.deepEqual(back, { rows: rejections, damaged: [] });
    }),
    { numRuns: 100 },
  );
});

Deno.test("pairsTable() refuses rows that are no pair", () => {
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
  ) assert.throws(() => parsePair({ ...good, ...change }), Error, JSON.stringify(change));
});

Deno.test("certificatesTable() refuses a list entry that would come back as two", () => {
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
  assert.throws(() => CERTIFICATE_TABLE.format([certificate]), /list entry "not a; word"/);
});

const ITEMS = madeItems(8);
type At = (name: string) => string;

function paths(at: At) {
  return { pairsPath: at("minimal_pairs.csv"), certificatesPath: at("certificates.csv") };
}

function write(at: At, change: Partial<WriteDatasetOptions<Phenomenon>> = {}) {
  return writeDataset({
    ...paths(at),
    phenomena: PHENOMENA,
    items: ITEMS,
    settings: "seed 1",
    ...change,
  });
}

function readBack(at: At) {
  const { pairsPath, certificatesPath } = paths(at);
  const certificates = CERTIFICATE_TABLE.at(certificatesPath).read();
  return PAIR_TABLE.at(pairsPath).read()
    .map((pair, index) => ({ pair, certificate: certificates[index]! }));
}

function contents(at: At): readonly string[] {
  return Object.values(paths(at)).map((path) => Deno.readTextFileSync(path));
}

Deno.test("writeDataset() writes both files, to be read again", async () => {
  await inFolder((at) => {
    const steps: number[] = [];
    const report = write(at, { onProgress: (done) => steps.push(done) });
    assert.deepEqual(report, {
      written: 8,
      kept: 0,
      damaged: { pairs: [], certificates: [] },
    });
    assert.deepEqual(steps, [1, 2, 3, 4, 5, 6, 7, 8]);
    assert.deepEqual(readBack(at), ITEMS);
    const header = contents(at)[0]?.split("\n")[0];
    assert.equal(header, "id,phenomenon,grammatical,ungrammatical,target,error_type");
  });
});

Deno.test("writeDataset() has every pair on disk, certificate first, before it goes on", async () => {
  await inFolder((at) => {
    write(at, {
      onProgress: (done) => {
        const [pairs = "", certificates = ""] = contents(at);
        assert.equal(pairs.split("\n").length, done + 2);
        assert.equal(certificates.split("\n").length, done + 2);
      },
    });
  });
});

Deno.test("Feature: old-norse-minimal-pairs, Property 14: incremental saving with duplicate prevention", async () => {
  await inFolder((at) => {
    write(at);
    const whole = contents(at);
    const [pairs = "", certificates = ""] = whole;
    fc.assert(
      fc.property(fc.nat(), fc.nat(), fc.integer({ min: 1, max: 3 }), (p, c, runs) => {
        const cut = (text: string, at: number) =>
          new TextEncoder().encode(text).subarray(0, at % (text.length + 1));
        Deno.writeFileSync(at("minimal_pairs.csv"), cut(pairs, p));
        Deno.writeFileSync(at("certificates.csv"), cut(certificates, c));
        for (let run = 0; run < runs; run++) write(at);
        assert.deepEqual(contents(at), whole);
      }),
      { numRuns: 100 },
    );
  });
});

Deno.test("writeDataset() mends fuzzed files and loses no valid row", async () => {
  await inFolder((at) => {
    write(at);
    const whole = contents(at);
    const junk = fc.constantFrom('"', ",", "\n", "\u0000", "þ,þ\n", '"a\nb"\n', "\r", "xx,yy,zz\n");
    fc.assert(
      fc.property(fc.constantFrom(0, 1), fc.double({ min: 0, max: 1, noNaN: true }), junk, (
        which,
        share,
        text,
      ) => {
        const name = which === 0 ? "minimal_pairs.csv" : "certificates.csv";
        const body = whole[which] ?? "";
        const start = body.indexOf("\n") + 1;
        const place = start + Math.floor(share * (body.length - start));
        Deno.writeTextFileSync(at(name), body.slice(0, place) + text + body.slice(place));
        // A row that is well formed but another one is refused, never overwritten.
        try {
          const { damaged, kept } = write(at);
          assert.ok(kept >= ITEMS.length - 2, `${kept} kept`);
          assert.ok(damaged.pairs.every(({ line, reason }) => line > 1 && reason !== ""));
          assert.deepEqual(contents(at), whole);
        } catch (error) {
          assert.match(String(error), /other settings/);
          assert.ok(Deno.readTextFileSync(at(name)).includes(text));
          Deno.writeTextFileSync(at(name), body);
        }
      }),
      { numRuns: 200 },
    );
  });
});

Deno.test("writeDataset() refuses files of other settings and of other columns unchanged", async () => {
  await inFolder((at) => {
    write(at);
    const whole = contents(at);
    const other = ITEMS.map(({ pair, certificate }) => ({
      pair: { ...pair, errorType: "other" },
      certificate,
    }));
    assert.throws(
      () => write(at, { items: other, settings: "seed 2" }),
      /minimal_pairs\.csv: a row is "ON_QUIRKY_CASE_001.*other settings: this run has seed 2.*anew/,
    );
    const explained = ITEMS.map(({ pair, certificate }) => ({
      pair,
      certificate: { ...certificate, explanation: "Another." },
    }));
    assert.throws(() => write(at, { items: explained }), /certificates\.csv: a row .*Another/);
    assert.throws(() => write(at, { items: ITEMS.slice(1) }), /this run gives "nothing"/);
    assert.deepEqual(contents(at), whole);
    Deno.removeSync(at("minimal_pairs.csv"));
    Deno.writeTextFileSync(at("certificates.csv"), "pair_id,text\n");
    assert.throws(() => write(at), SyntaxError);
    assert.throws(() => Deno.statSync(at("minimal_pairs.csv")), Deno.errors.NotFound);
    assert.equal(Deno.readTextFileSync(at("certificates.csv")), "pair_id,text\n");
  });
});

Deno.test("writeDataset() refuses an id given twice", async () => {
  await inFolder((at) => {
    assert.throws(() => write(at, { items: [...ITEMS, ...ITEMS.slice(0, 1)] }), RangeError);
  });
});

Deno.test("withCertificate() refuses a pair whose certificate is missing or another's", () => {
  const [{ pair, certificate }] = madeItems(1) as [ReturnType<typeof madeItems>[number]];
  const files = { ...paths((name) => name), remedy: "Run it again." };
  assert.deepEqual(withCertificate(pair, certificate, files), { pair, certificate });
  assert.throws(() => withCertificate(pair, undefined, files), /_001.*no certificate.*again\.$/);
  const other = { ...certificate, rule: "QC_VERB_SAMA" };
  assert.throws(() => withCertificate(pair, other, files), /another pair's hash/);
});
