import assert from "node:assert/strict";
import fc from "fast-check";
import {
  certificatesTable,
  numberPairs,
  pairsTable,
  withCertificate,
  writeDataset,
} from "./dataset.ts";
import { type At, test } from "./testdata/folder.ts";
import { certified, LIKA, madeItems, PHENOMENA } from "./testdata/norse.ts";

const PAIR_TABLE = pairsTable({ path: "/minimal_pairs.csv" }, PHENOMENA);
const CERTIFICATE_TABLE = certificatesTable({ path: "/certificates.csv" });

Deno.test("pairsTable() refuses rows that are no pair", () => {
  const good = {
    id: "ON_UMLAUT_001",
    phenomenon: "UMLAUT",
    grammatical: "Mǫnnum líkar þat.",
    ungrammatical: "Mannum líkar þat.",
    target: "Mǫnnum",
    error_type: "umlaut_to_base_vowel",
  };
  assert.equal(PAIR_TABLE.parse(good).errorType, "umlaut_to_base_vowel");
  const changes = [
    { id: "ON_UMLAUT_1" },
    { id: "ON_ADJECTIVE_001" },
    { phenomenon: "VOCATIVE", id: "ON_VOCATIVE_001" },
    { error_type: "" },
    { target: "líkar" },
    { ungrammatical: "Mannum líkar það." },
    { ungrammatical: "Mǫnnum líkar þat." },
  ];
  for (const change of changes) {
    assert.throws(() => PAIR_TABLE.parse({ ...good, ...change }), Error, JSON.stringify(change));
  }
});

Deno.test("certificatesTable() refuses a list entry that would come back as two", () => {
  const certificate = { ...madeItems(1)[0]!.certificate, checks: ["not a; word"] };
  assert.throws(() => CERTIFICATE_TABLE.format([certificate]), /list entry "not a; word"/);
});

Deno.test("numberPairs() leaves a pair on record its number; a new one takes one that became free", () => {
  const numbered = (words: string, onRecord?: ReturnType<typeof numberPairs>) =>
    numberPairs(
      "ON",
      [...words].map((word) =>
        certified({
          ...LIKA,
          grammatical: `Hánum líkaði þat ${word}.`,
          ungrammatical: `Hann líkaði þat ${word}.`,
        })
      ),
      onRecord?.map(({ pair }) => pair),
    );
  const numbersOf = (items: ReturnType<typeof numberPairs>) =>
    items.map(({ pair, certificate }) => {
      assert.equal(certificate.pairId, pair.id);
      return `${pair.id.slice(-3)}${pair.grammatical.at(-2)}`;
    }).join(" ");
  const before = numbered("bcdf");
  assert.equal(numbersOf(before), "001b 002c 003d 004f");
  assert.equal(numbersOf(numbered("abdef", before)), "001b 002a 003d 004f 005e");
  // A number beyond the last is none.
  assert.equal(numbersOf(numbered("f", before)), "001f");
});

const ITEMS = madeItems(8);

const paths = (at: At) => {
  return { pairsPath: at("minimal_pairs.csv"), certificatesPath: at("certificates.csv") };
};
const contents = (at: At) => Object.values(paths(at)).map((path) => Deno.readTextFileSync(path));
const write = (at: At, items = ITEMS, settings = "seed 1") => {
  const { pairsPath, certificatesPath } = paths(at);
  const [pairs, certificates] = [PAIR_TABLE.at(pairsPath), CERTIFICATE_TABLE.at(certificatesPath)];
  return writeDataset({ pairs, certificates }, items, settings);
};

test("Feature: old-norse-minimal-pairs, Property 14: incremental saving with duplicate prevention", (at) => {
  assert.deepEqual(write(at), { written: 8, kept: 0 });
  const whole = contents(at);
  const [pairs = "", certificates = ""] = whole;
  assert.equal(pairs.split("\n")[0], "id,phenomenon,grammatical,ungrammatical,target,error_type");
  const { pairsPath, certificatesPath } = paths(at);
  assert.deepEqual(PAIR_TABLE.at(pairsPath).read(), ITEMS.map(({ pair }) => pair));
  const made = ITEMS.map(({ certificate }) => certificate);
  assert.deepEqual(CERTIFICATE_TABLE.at(certificatesPath).read(), made);
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

test("writeDataset() refuses files of other settings and of other columns unchanged", (at) => {
  write(at);
  const whole = contents(at);
  const other = ITEMS.map(({ pair, certificate }) => ({
    pair: { ...pair, errorType: "other" },
    certificate,
  }));
  assert.throws(
    () => write(at, other, "seed 2"),
    /minimal_pairs\.csv: a row is "ON_QUIRKY_CASE_001.*other settings: this run has seed 2.*anew/,
  );
  assert.throws(() => write(at, ITEMS.slice(1)), /this run gives "nothing"/);
  assert.throws(() => write(at, [...ITEMS, ...ITEMS.slice(0, 1)]), RangeError);
  assert.deepEqual(contents(at), whole);
  Deno.removeSync(at("minimal_pairs.csv"));
  Deno.writeTextFileSync(at("certificates.csv"), "pair_id,text\n");
  assert.throws(() => write(at), SyntaxError);
  assert.throws(() => Deno.statSync(at("minimal_pairs.csv")), Deno.errors.NotFound);
  assert.equal(Deno.readTextFileSync(at("certificates.csv")), "pair_id,text\n");
});

Deno.test("withCertificate() refuses a pair whose certificate is missing or another's", () => {
  const [{ pair, certificate }] = madeItems(1) as [ReturnType<typeof madeItems>[number]];
  const files = { ...paths((name) => name), remedy: "Run it again." };
  assert.deepEqual(withCertificate(pair, certificate, files), { pair, certificate });
  assert.throws(() => withCertificate(pair, undefined, files), /_001.*no certificate.*again\.$/);
  const other = { ...certificate, rule: "QC_VERB_SAMA" };
  assert.throws(() => withCertificate(pair, other, files), /another pair's hash/);
});
