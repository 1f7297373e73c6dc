import assert from "node:assert/strict";
import fc from "fast-check";
import { randomSource } from "../../../stats/random.ts";
import { countryGazetteer, type FactbookField } from "../../../factuality/retrieval/factbook.ts";
import { sentenceSplitter } from "../../../factuality/check/testdata/fakes.ts";
import { composeSources } from "./contexts.ts";
import { EDITS } from "./edits.ts";
import { calibrationClaims, knowledgeClaims, splitCountries } from "./knowledge_claims.ts";
import { placedStatements } from "./statements.ts";
import { reword, rounded } from "./styles.ts";

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

const OPTIONS = { seed: 3, prosePerCountry: 3, factsPerCountry: 2, splitter: sentenceSplitter };

Deno.test("Requirement 12.1: each label, pairs on one source, a country in one split; same seed, same cases", async () => {
  const cases = await knowledgeClaims(FIELDS, OPTIONS);
  assert.deepEqual(cases, await knowledgeClaims(FIELDS, OPTIONS));
  assert.notDeepEqual(cases, await knowledgeClaims(FIELDS, { ...OPTIONS, seed: 4 }));
  const labels = Map.groupBy(cases, ({ label }) => label);
  const share = labels.get("supported")!.length / cases.length;
  assert.ok(share > 0.4 && share < 0.55, String(share));
  assert.ok(labels.get("not enough info")!.length >= labels.get("refuted")!.length);
  assert.equal(new Set(cases.map(({ id }) => id)).size, cases.length);
  const ofCountry = Map.groupBy(cases, ({ cluster }) => cluster);
  for (const own of ofCountry.values()) assert.equal(new Set(own.map((one) => one.split)).size, 1);
  assert.equal(new Set(cases.map(({ split }) => split)).size, 3);
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
  const { train, development, test } = Object.groupBy(splits.values(), (split) => split);
  assert.deepEqual([train!.length, development!.length, test!.length], [60, 15, 25]);
});

Deno.test("placedStatements() leaves out what cannot stand alone, and knows its place", () => {
  const note = "largest nation; the Rhone is a river in the south; it is long";
  const section = "Geography - note";
  const text = `${section}. ${note}`;
  const passage = { id: "x", text, collection: "", title: "France", section };
  const [placed, ...others] = placedStatements(passage);
  assert.equal(placed!.statement.claim, "The Rhone is a river in the south.");
  assert.ok(placed!.pieces[placed!.index]!.startsWith(placed!.statement.source));
  assert.equal(others.length, 0);
});

Deno.test("edits say what excludes the statement", () => {
  const pool = { countries: ["Chad", "Peru"], others: [] };
  const edited = (edit: keyof typeof EDITS, text: string) =>
    EDITS[edit](text, randomSource(5), pool);
  const expected = [
    ["negation", "It is large.", "It is not large."],
    ["negation", "It was not large.", "It was large."],
    ["negation", "Brazil gained its independence.", "Brazil did not gain its independence."],
    ["opposite", "the largest city", "the smallest city"],
    ["opposite", "a city", undefined],
    ["role", "Rome defeated Carthage", "Carthage defeated Rome"],
    ["role", "from Oslo to Bergen", "from Bergen to Oslo"],
    ["name", "ruled by Chad", "ruled by Peru"],
  ] as const;
  for (const [edit, text, other] of expected) assert.equal(edited(edit, text), other);
  assert.match(edited("sibling", "a northern port")!, /^a (southern|eastern|western) port$/u);
});

Deno.test("composeSources() never gives a web page without a word, whatever was taken out of it", () => {
  const lone = { before: [], target: undefined, after: [], title: "Oz", section: "x", others: [] };
  for (let seed = 0; seed < 200; seed++) {
    const [page] = composeSources("web", lone, randomSource(seed));
    assert.notEqual(page!.text, "");
  }
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
  const also = ["French", "French Republic", "Frenchman", "Frenchwoman"];
  assert.deepEqual(countryGazetteer(fields), [{ name: "France", type: "country", also }]);
});

Deno.test("Requirement 14.1: a changed number is another number in the same manner of writing", () => {
  const written = fc.oneof(
    fc.integer({ min: 1, max: 99_999_999 }).map((n) => n.toLocaleString("en-US")),
    fc.integer({ min: 1, max: 9_999 }).map((n) => (n / 100).toFixed(2)),
    fc.integer({ min: 1000, max: 2030 }).map(String),
  );
  fc.assert(
    fc.property(written, fc.integer(), (number, seed) => {
      const changed = EDITS.number(`It has ${number} parts`, randomSource(seed));
      if (changed === undefined) return;
      const other = /^It has ([\d,.]+) parts$/u.exec(changed)?.[1];
      assert.notEqual(Number(other!.replaceAll(",", "")), Number(number.replaceAll(",", "")));
      assert.equal(other!.split(".")[1]?.length, number.split(".")[1]?.length);
    }),
    { numRuns: 300 },
  );
});

Deno.test("calibrationClaims() refuses a number that quarters would not be whole of", async () => {
  await assert.rejects(calibrationClaims(10), /Cannot draw 10 claims: .* take a multiple of 4/);
});
