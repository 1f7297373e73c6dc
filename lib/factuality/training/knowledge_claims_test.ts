import assert from "node:assert/strict";
import fc from "fast-check";
import { randomSource } from "../../stats/random.ts";
import { countryGazetteer, type FactbookField } from "../retrieval/factbook.ts";
import type { ClaimSplitter } from "../types.ts";
import {
  changeName,
  changeNumber,
  exchangeRoles,
  negate,
  useOpposite,
  useSibling,
} from "./edits.ts";
import { factTemplates } from "./rules.ts";
import { knowledgeClaims } from "./knowledge_claims.ts";
import { splitCountries } from "./splits.ts";
import { factSentence, factsOf, factStatement, proseStatements } from "./statements.ts";
import { reword, rounded } from "./styles.ts";

const whole: ClaimSplitter = {
  name: "whole sentences",
  settings: {},
  split: (text) =>
    Promise.resolve({
      claims: [{
        id: "c1",
        text,
        spans: [],
        sentence: { start: 0, end: text.length },
        kind: "factual",
        notCheckable: undefined,
        notes: [],
      }],
      dropped: [],
    }),
};

function field(country: string, field: string, subfield: string, text: string): FactbookField {
  const code = country.slice(0, 2).toLowerCase();
  return { country, code, region: "europe", section: "People", field, subfield, text };
}

const FIELDS = ["Avaria", "Borduria", "Caledon", "Dorne", "Elbonia", "Freedonia", "Gondor"]
  .flatMap((country, i) => [
    field(country, "Population", "total", `${i + 1},512,806 (2025 est.)`),
    field(country, "Population", "male", `${i + 1},012,806`),
    field(country, "Capital", "name", `${country} City`),
    field(country, "Birth rate", "", `1${i}.88 births/1,000 population (2025 est.)`),
    field(
      country,
      "Background",
      "",
      `${country} gained its independence from Spain in 18${i}2. The largest city of ${country} was ` +
        `founded by Dutch settlers in the north. In 1990, ${country} joined the United Nations.`,
    ),
  ]);

const OPTIONS = { seed: 3, prosePerCountry: 3, factsPerCountry: 2, splitter: whole };
const random = () => randomSource(5);

Deno.test("knowledgeClaims() gives each label, and the same cases for the same seed", async () => {
  const cases = await knowledgeClaims(FIELDS, OPTIONS);
  assert.deepEqual(cases, await knowledgeClaims(FIELDS, OPTIONS));
  assert.notDeepEqual(cases, await knowledgeClaims(FIELDS, { ...OPTIONS, seed: 4 }));
  const labels = Map.groupBy(cases, ({ label }) => label);
  const share = labels.get("supported")!.length / cases.length;
  assert.ok(share > 0.4 && share < 0.55, String(share));
  assert.ok(labels.get("not enough info")!.length >= labels.get("refuted")!.length);
  assert.equal(new Set(cases.map(({ id }) => id)).size, cases.length);
});

Deno.test("knowledgeClaims() keeps a country's claims in one split", async () => {
  const cases = await knowledgeClaims(FIELDS, OPTIONS);
  const splits = Map.groupBy(cases, ({ cluster }) => cluster);
  for (const own of splits.values()) assert.equal(new Set(own.map(({ split }) => split)).size, 1);
  assert.equal(new Set(cases.map(({ split }) => split)).size, 3);
});

Deno.test("Requirement 12.1: supported and refuted claims of a pair differ, on one source", async () => {
  const cases = await knowledgeClaims(FIELDS, OPTIONS);
  const byId = new Map(cases.map((one) => [one.id, one]));
  for (const one of cases.filter(({ id }) => /\/[pf]\d+\/supported$/u.test(id))) {
    const refuted = byId.get(one.id.replace("supported", "refuted"))!;
    assert.notEqual(one.claim, refuted.claim);
    assert.deepEqual(one.passages, refuted.passages);
  }
});

Deno.test("splitCountries() takes 60, 15 and 25 %, whatever the order of the names", () => {
  const names = Array.from({ length: 100 }, (_, i) => `country ${i}`);
  const splits = splitCountries(names, 1);
  assert.deepEqual(splits, splitCountries(names.toReversed(), 1));
  const sizes = Map.groupBy(splits.values(), (split) => split);
  assert.deepEqual(
    ["train", "development", "test"].map((name) => sizes.get(name as "train")?.length),
    [60, 15, 25],
  );
});

Deno.test("factsOf() reads the value, and a statement tells it in source and claim alike", () => {
  const [fact] = factsOf([field("France", "Population", "total", "68,512,806 (2025 est.)")]);
  assert.equal(fact?.value, "68,512,806");
  const statement = factStatement(fact, "39,200,000", "C has V inhabitants.");
  assert.equal(statement.source, "39,200,000 (2025 est.)");
  assert.equal(statement.claim, "France has 39,200,000 inhabitants.");
  assert.match(factSentence(fact, fact.value, random()), /France.*68,512,806|68,512,806.*France/u);
});

Deno.test("factTemplates() has at least 25 fields, each phrasing naming country and value", () => {
  assert.ok(new Set(factTemplates().map(({ field }) => field)).size >= 25);
  for (const { phrasings, question } of factTemplates()) {
    assert.ok(phrasings.length >= 2 && /\bC\b/u.test(question));
    for (const phrasing of phrasings) assert.match(phrasing, /\bC\b.*\bV\b|\bV\b.*\bC\b/u);
  }
});

Deno.test("proseStatements() leaves out what cannot stand alone", () => {
  const passage = {
    id: "x",
    text: "Geography - note. largest nation; the Rhone is a river in the south; it is long",
    collection: "",
    title: "France",
    section: "Geography - note",
  };
  assert.deepEqual(proseStatements(passage).map(({ claim }) => claim), [
    "The Rhone is a river in the south.",
  ]);
});

Deno.test("edits say what excludes the statement", () => {
  assert.equal(negate("It is large.", random()), "It is not large.");
  assert.equal(negate("It was not large.", random()), "It was large.");
  assert.equal(
    negate("Brazil gained its independence.", random()),
    "Brazil did not gain its independence.",
  );
  assert.equal(useOpposite("the largest city", random()), "the smallest city");
  assert.match(useSibling("a northern port", random())!, /^a (southern|eastern|western) port$/u);
  assert.equal(exchangeRoles("Rome defeated Carthage", random()), "Carthage defeated Rome");
  assert.equal(exchangeRoles("from Oslo to Bergen", random()), "from Bergen to Oslo");
  assert.equal(useOpposite("a city", random()), undefined);
  const pool = { countries: ["Chad", "Peru"], others: [] };
  assert.equal(changeName("ruled by Chad", pool, random()), "ruled by Peru");
});

Deno.test("rewordings keep the meaning", () => {
  assert.equal(rounded("It has 68,512,806 people."), "It has about 68,500,000 people.");
  assert.equal(rounded("It has 68,500,000 people."), undefined);
  const seen = Array.from(
    { length: 60 },
    (_, seed) => reword("In 1990, Chad (then poor) joined the largest bloc.", randomSource(seed)),
  );
  assert.ok(seen.includes("Chad joined the largest bloc."));
  assert.ok(seen.every((text) => /Chad.*joined the (?:largest|biggest) bloc/u.test(text)));
});

Deno.test("countryGazetteer() reads the adjectives and the words for people", () => {
  const fields = [
    field("France", "Nationality", "noun", "Frenchman(men), Frenchwoman(women)"),
    field("France", "Nationality", "adjective", "French"),
    field("France", "Country name", "conventional long form", "French Republic"),
  ];
  assert.deepEqual(countryGazetteer(fields), [
    {
      name: "France",
      type: "country",
      also: ["French", "French Republic", "Frenchman", "Frenchwoman"],
    },
  ]);
});

Deno.test("Requirement 14.1: a changed number is another number in the same manner of writing", () => {
  const written = fc.oneof(
    fc.integer({ min: 1, max: 99_999_999 }).map((n) => n.toLocaleString("en-US")),
    fc.integer({ min: 1, max: 9_999 }).map((n) => (n / 100).toFixed(2)),
    fc.integer({ min: 1000, max: 2030 }).map(String),
  );
  fc.assert(
    fc.property(written, fc.integer(), (number, seed) => {
      const changed = changeNumber(`It has ${number} parts`, randomSource(seed));
      if (changed === undefined) return;
      const other = /^It has ([\d,.]+) parts$/u.exec(changed)?.[1];
      assert.notEqual(Number(other!.replaceAll(",", "")), Number(number.replaceAll(",", "")));
      assert.equal(other!.split(".")[1]?.length, number.split(".")[1]?.length);
    }),
    { numRuns: 300 },
  );
});
