import assert from "node:assert/strict";
import fc from "fast-check";
import type { FactbookField } from "../../../factuality/retrieval/factbook.ts";
import { askChoices, type ChoiceQuestion, choiceQuestions } from "./choices.ts";
import { CHOICE_SAMPLES, type ChoiceSampleRow } from "./tables.ts";
import { scriptedModel, scriptedReply, workOnTable } from "./testdata/made.ts";

const field = (code: string, name: string, subfield: string, text: string): FactbookField => {
  const country = `Country ${code.toUpperCase()}`;
  return { country, code, region: "africa", section: "S", field: name, subfield, text };
};

const CODES = [..."abcdefghijklmnopqrstuvwxyz"].map((letter) => `q${letter}`);

/** Letters, so that no name is part of another. */
const capital = (code: string) => `${code.toUpperCase()}ville`;

const FIELDS = CODES.flatMap((code, i) => [
  field(code, "Capital", "name", `${capital(code)}; note - a port`),
  field(code, "Independence", "", `1 May ${1900 + i} (from the ${["UK", "Spain"][i % 2]})`),
  field(code, "Languages", "Languages", `${code.toUpperCase()}ish (official), other`),
]);

const all = (seed: number) => choiceQuestions(FIELDS, { split: "test", count: 1_000, seed });

Deno.test("choiceQuestions() gives four different options, the wrong ones not in the country's field", () => {
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      for (const { options, cluster } of all(seed)) {
        assert.equal(new Set(options).size, 4);
        const own = FIELDS.filter(({ code }) => code === cluster).map(({ text }) => text).join();
        assert.ok(options.slice(1).every((option) => !own.includes(option)));
      }
    }),
    { numRuns: 100 },
  );
});

const QUESTIONS: readonly ChoiceQuestion[] = ["ao", "bd"].map((cluster) => ({
  id: `${cluster}/capital`,
  cluster,
  kind: "capital",
  question: `What of ${cluster}?`,
  options: ["one", "three", "seven", "eleven"],
}));

const ask = (
  model: ReturnType<typeof scriptedModel>,
  rows: readonly ChoiceSampleRow[] = [],
  samples = 2,
) =>
  workOnTable(
    CHOICE_SAMPLES,
    rows,
    (table) => askChoices(model, { questions: QUESTIONS, samples, table }),
  );
const thinking = () => scriptedModel((seed) => scriptedReply(` of ${seed}`));
const seeds = ({ asked }: ReturnType<typeof scriptedModel>) => asked.map(([, { seed }]) => seed);

Deno.test("Requirement 18.1: askChoices() draws each question with another seed each time, a row a thought", async () => {
  const model = thinking();
  const { outcome, rows: [row] } = await ask(model);
  assert.deepEqual([outcome.asked, outcome.missing], [4, 0]);
  assert.deepEqual(seeds(model), ["ao/capital 1", "ao/capital 2", "bd/capital 1", "bd/capital 2"]);
  assert.equal(row!.thought, "of ao/capital 1");
  assert.deepEqual([row!.thought_tokens, row!.token_entropy, row!.sample], [2, 1, 1]);
  // Each option has the space before it: " one".
  assert.deepEqual(row!.logProbabilities, [-4, -6, -6, -7]);
  assert.deepEqual(row!.options, QUESTIONS[0]!.options);
});

Deno.test("askChoices() draws nothing again, and all of a model whose settings have changed", async () => {
  const { rows } = await ask(thinking(), [], 1);
  const more = thinking();
  await ask(more, rows);
  assert.deepEqual(seeds(more), ["ao/capital 2", "bd/capital 2"]);
  const other = { ...thinking(), settings: { precision: "F16" } };
  const changed = await ask(other, rows);
  assert.deepEqual([seeds(other).length, changed.rows.length], [4, 4]);
});
