import assert from "node:assert/strict";
import { evidencePassage } from "../../../factuality/labelled_case.ts";
import type { FactbookField } from "../../../factuality/retrieval/factbook.ts";
import { KNOWLEDGE_SEED, splitCountries } from "../claims/knowledge_claims.ts";
import type { TrainingCase } from "../../../factuality/own/training/pairs.ts";
import { countryVariants, madeClaims } from "./made_claims.ts";

const COUNTRIES = ["Avaria", "Borduria", "Caledon", "Dorne", "Elbonia", "Freedonia", "Gondor"]
  .concat(["Hyboria", "Illyria", "Jotunheim", "Kravonia", "Lutha"]);

const FIELDS: readonly FactbookField[] = COUNTRIES.flatMap((country, i) => {
  const code = country.slice(0, 2).toLowerCase();
  const common = { country, code, region: "europe", section: "People", subfield: "" };
  const [neighbour, other] = [COUNTRIES[(i + 1) % 12]!, COUNTRIES[(i + 2) % 12]!];
  return [
    { ...common, field: "Independence", text: `12 May 18${i + 10}` },
    { ...common, field: "Birth rate", text: `1${i}.88 births/1,000 population (2025 est.)` },
    {
      ...common,
      field: "Background",
      text: `${country} gained its independence from ${neighbour} in 18${i + 10}. Most of the ` +
        `people of ${country} live in the north along the border with ${other}. In 1990, ` +
        `${country} was admitted to the United Nations by all of its members.`,
    },
  ];
});

const CASES: readonly TrainingCase[] = Array.from({ length: 60 }, (_, i): TrainingCase => {
  const country = COUNTRIES[i % 12]!;
  const claim = `${country} had 1${i} farms in 19${i + 30}.`;
  const source = `The census found that ${claim} Sheep are kept there.`;
  const passages = [evidencePassage("set", `${i}`, source)];
  const given = { label: "supported", set: "set", split: "train" } as const;
  return { ...given, id: `${i}`, claim, passages, cluster: country };
});

/** Results of CASES, and of cases that must yield none. */
const made = (cases: readonly TrainingCase[] = CASES) => [...madeClaims(cases, FIELDS)];

const textOf = ({ passages }: TrainingCase) => passages.map(({ text }) => text).join(" ");

Deno.test("madeClaims() changes claim and source alike: both changed stay supported, either alone does not", () => {
  const all = made();
  const byId = new Map([...CASES, ...all].map((one) => [one.id, one]));
  assert.equal(byId.size, CASES.length + all.length, "each id once");
  const both = all.filter(({ id }) => id.endsWith("/both"));
  assert.ok(both.length >= 10, String(both.length));
  for (const one of both) {
    const original = byId.get(one.id.split("/")[0]!)!;
    const claim = byId.get(one.id.replace(/\/both$/u, ""))!;
    const source = byId.get(one.id.replace(/both$/u, "source"))!;
    const labels = [one.label, claim.label, source.label];
    assert.deepEqual(labels, ["supported", "not supported", "not supported"]);
    assert.deepEqual([claim.claim, textOf(claim)], [one.claim, textOf(original)]);
    assert.deepEqual([source.claim, textOf(source)], [original.claim, textOf(one)]);
    assert.ok(textOf(one).includes(one.claim.slice(0, -1)), "the changed source says so");
    assert.notEqual(one.claim, original.claim);
    assert.match(one.set, /^made \w+$/u);
    assert.deepEqual([one.cluster, one.split], [original.cluster, original.split]);
  }
  assert.deepEqual(made(), all, "the same cases, the same changes");
});

Deno.test("Requirement 12.4: countryVariants() never tells of a held-out country, and keeps a kind unseen", () => {
  const cases = [...countryVariants(FIELDS)];
  const splits = splitCountries(FIELDS.map(({ code }) => code), KNOWLEDGE_SEED);
  const splitOf = (country: string) => splits.get(country.slice(0, 2).toLowerCase());
  assert.equal(new Set(cases.map(({ id }) => id)).size, cases.length);
  const heldOut = COUNTRIES.filter((country) => splitOf(country) === "test");
  assert.equal(heldOut.length, 3);
  for (const { cluster, split, set } of cases) {
    assert.ok(!heldOut.includes(cluster));
    assert.equal(split, splitOf(cluster));
    assert.match(set, /^factbook (?!spelling)/u);
  }
  const originals = cases.filter(({ set }) => set === "factbook original");
  assert.ok(originals.length >= 9);
  for (const { label, claim } of originals) assert.ok(label === "supported" && claim.length > 20);
  assert.equal(new Set(cases.map(({ cluster }) => cluster)).size, 9);
});
