import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { inFolder } from "../../files/testdata/folder.ts";
import type { SampleReply, SamplingModel } from "../../models/model.ts";
import type { FactbookField } from "../retrieval/factbook.ts";
import { type AskChoices, askChoices, type ChoiceQuestion, choiceQuestions } from "./choices.ts";
import { CHOICE_SAMPLES, type ChoiceSampleRow } from "./tables.ts";

function field(code: string, name: string, subfield: string, text: string): FactbookField {
  const country = `Country ${code.toUpperCase()}`;
  return { country, code, region: "africa", section: "S", field: name, subfield, text };
}

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

Deno.test("choiceQuestions() takes for wrong nothing that the country's history tells", () => {
  const told = CODES.map((code) => field(code, "Background", "", "once French, then British"));
  const rulers = ["UK", "France", "Spain", "Japan", "Belgium", "Portugal"];
  const fields = CODES.flatMap((code, i) => [
    field(code, "Independence", "", `1 May 1960 (from ${rulers[i % rulers.length]})`),
  ]);
  const questions = choiceQuestions([...fields, ...told], { split: "train", count: 99, seed: 1 });
  const asked = questions.filter(({ kind }) => kind === "former ruler");
  assert.ok(asked.length > 5);
  const wrong = new Set(asked.flatMap(({ options }) => options.slice(1)));
  assert.deepEqual([...wrong].sort(), ["Belgium", "Japan", "Portugal", "Spain"]);
});

/** A model that thinks the seed in two tokens of 1 and 2 nats, and gives each option minus its length. */
function standIn(
  asked: string[],
  reply: (seed: string) => SampleReply = (seed) => {
    const tokens = [1, 2].map((entropy) => ({ text: "x", logProbability: -1, entropy }));
    return { kind: "sample", text: ` of ${seed}`, tokens, promptTokens: 9, ended: "complete" };
  },
): SamplingModel {
  return {
    name: "stand-in",
    settings: { precision: "F32" },
    sample(_prompt, { seed }) {
      asked.push(`${seed}`);
      return Promise.resolve(reply(`${seed}`));
    },
    continuations: (_prompt, texts) => Promise.resolve(texts.map(({ length }) => -length)),
  };
}

const QUESTIONS: readonly ChoiceQuestion[] = ["ao", "bd"].map((cluster) => ({
  id: `${cluster}/capital`,
  cluster,
  kind: "capital",
  question: `What of ${cluster}?`,
  options: ["one", "three", "seven", "eleven"],
}));

function ask(
  model: SamplingModel,
  rows: readonly ChoiceSampleRow[] = [],
  more: Partial<AskChoices> = {},
) {
  return inFolder(async (folder) => {
    const samples = CHOICE_SAMPLES.at(join(folder, "samples.csv"));
    samples.write(rows);
    using table = samples.open();
    const work = { questions: QUESTIONS, samples: 2, table, ...more };
    const outcome = await askChoices(model, work);
    table.finish();
    return { outcome, rows: samples.read() };
  });
}

Deno.test("Requirement 18.1: askChoices() draws each question with another seed each time, a row a thought", async () => {
  const asked: string[] = [];
  const { outcome, rows: [row] } = await ask(standIn(asked));
  assert.deepEqual(outcome, { asked: 4, failed: 0, missing: 0 });
  assert.deepEqual(asked, ["ao/capital 1", "ao/capital 2", "bd/capital 1", "bd/capital 2"]);
  assert.equal(row!.thought, "of ao/capital 1");
  assert.deepEqual([row!.thought_tokens, row!.token_entropy, row!.sample], [2, 1.5, 1]);
  // Each option has the space before it: " one".
  assert.deepEqual(row!.logProbabilities, [-4, -6, -6, -7]);
  assert.deepEqual(row!.options, QUESTIONS[0]!.options);
});

Deno.test("askChoices() draws nothing again, and all of a model whose settings have changed", async () => {
  const { rows } = await ask(standIn([]), [], { samples: 1 });
  const more: string[] = [];
  await ask(standIn(more), rows);
  assert.deepEqual(more, ["ao/capital 2", "bd/capital 2"]);
  const other: string[] = [];
  const changed = await ask({ ...standIn(other), settings: { precision: "F16" } }, rows);
  assert.deepEqual([other.length, changed.rows.length], [4, 4]);
});

Deno.test("askChoices() keeps what was drawn before an abort and says what is missing", async () => {
  const stop = new AbortController();
  const onProgress = ({ done }: { readonly done: number }) => done > 0 && stop.abort();
  const { outcome, rows } = await ask(standIn([]), [], { signal: stop.signal, onProgress });
  assert.deepEqual([outcome.missing, rows.length], [3, 1]);
});
