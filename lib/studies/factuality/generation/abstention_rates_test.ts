import assert from "node:assert/strict";
import { join } from "node:path";
import { inFolder } from "../../../files/testdata/folder.ts";
import { conceptRates } from "../../../factuality/own/refusal_rates.ts";
import { abstentionRates, type ClassifiedAnswer, measuredRows } from "./abstention_rates.ts";
import { readConcepts } from "../../../factuality/own/user_queries.ts";
import * as tables from "./tables.ts";
import { madeAnswer } from "./testdata/made.ts";

/** Eight answers, four abstaining: the classifier has one false negative and one false positive. */
const ANSWERS: readonly ClassifiedAnswer[] = Array.from({ length: 8 }, (_, i) => ({
  cluster: `q${i}`,
  answer: i < 4 ? "I don't know." : "It is blue.",
  label: i < 4 ? "abstains" : "answers",
  probability: i < 3 || i === 7 ? 0.9 : 0.1,
}));
const ROWS = measuredRows("made", ANSWERS);
const of = (method: string, measure: string) =>
  ROWS.find((row) => row.method === method && row.measure === measure)!;

Deno.test("measuredRows() measures the classifier and what it has to be better than", () => {
  assert.equal(of("classifier", "accuracy").value, 0.75);
  assert.equal(of("list of phrases", "accuracy").value, 1);
  assert.equal(of("never abstains", "accuracy").value, 0.5);
  assert.deepEqual([of("classifier", "f1").abstaining, of("classifier", "f1").n], [4, 8]);
  // A method that never abstains has no precision, and a reason.
  const none = of("never abstains", "precision");
  assert.ok(none.value === "" && none.reason !== "");
  // A share of 1 has an interval, though all resamples are alike: Wilson's lower bound for four of four.
  const { value, low, high } = of("list of phrases", "recall");
  assert.deepEqual([value, high], [1, 1]);
  assert.ok(Math.abs(Number(low) - 4 / (4 + 1.959964 ** 2)) < 1e-6);
});

Deno.test("the rates that ship are those of the answers that ship", () => {
  const { ABSTENTION_ANSWERS, ABSTENTION_QUERIES, ABSTENTION_RATES } = tables;
  const rates = abstentionRates(ABSTENTION_ANSWERS.read(), ABSTENTION_QUERIES.read());
  assert.equal(ABSTENTION_RATES.format(rates), Deno.readTextFileSync(ABSTENTION_RATES.path));
});

Deno.test("conceptRates() gives rates by category and over all; a name is what is written like one", () =>
  inFolder((folder) => {
    const path = join(folder, "concepts.jsonl");
    const line = (prompt: string, exists: boolean, category: string) =>
      JSON.stringify({ prompt, exists, category });
    const lines = [
      line("What is the capital city of Ploy Flar?", false, "countries"),
      line("What is the capital city of Iraq?", true, "countries"),
      line("How is russenorsk spoken?", true, "generic"),
    ];
    Deno.writeTextFileSync(path, lines.join("\n"));
    const concepts = readConcepts(path);
    assert.deepEqual(concepts.map(({ name }) => name), ["Ploy Flar", "Iraq", ""]);
    const answers = [0.1, 0.8, 0.1].map((probability, i) =>
      madeAnswer({ query_id: `concept-${i + 1}`, probability })
    );
    const rates = conceptRates(answers, concepts).map((one) =>
      `${one.category} ${one.rate} ${one.value}`
    );
    const expected = ["all false acceptance 1", "all over-refusal 0.5", "countries over-refusal 1"];
    for (const one of [...expected, "generic false acceptance "]) {
      assert.ok(rates.includes(one), one);
    }
    Deno.writeTextFileSync(path, [...lines, '{"prompt": "What?"}'].join("\n"));
    assert.throws(() => readConcepts(path), /line 4 is damaged/);
  }));
