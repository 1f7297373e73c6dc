import assert from "node:assert/strict";
import { test } from "node:test";
import { randomSource } from "../../../stats/random.ts";
import type { FineTuningResult } from "../../fine_tuning/results_table.ts";
import type { SplitCase } from "../../training/heads/train_own_head.ts";
import type { KnowledgeCase } from "../../training/knowledge_case.ts";
import { FEATURE_NAMES } from "../../features/features.ts";
import { formatsTable, readingTable } from "./benchmark_views.ts";
import {
  fineTuningRows,
  fineTuningTable,
  tuningLossLines,
  tuningWorkTable,
} from "./fine_tuning_views.ts";
import {
  drawCountries,
  liveHeadsTable,
  liveLossLines,
  lossAxes,
  trainLiveHead,
} from "./live_training.ts";
import { sharedTable, splitTable } from "./split_views.ts";
import { ablationSentence, claimAloneSentence } from "./training_takeaways.ts";
import { tuningChoiceTable } from "./tuning_choice.ts";
import type { AblationRow } from "./verifier_ablation.ts";

/** 24 claims about 12 countries, dealt in turn; feature 0 says which are supported. */
const CASES = Array.from({ length: 36 }, (_, i): KnowledgeCase => ({
  ...{ id: `${i}`, claim: `Claim ${i}`, passages: [], cluster: `c${i % 12}`, set: "made" },
  label: (["supported", "refuted", "not enough info"] as const)[Math.floor(i / 12)]!,
  split: (["train", "development", "test"] as const)[i % 3]!,
  ...{ kind: "fact", edit: "none", form: "passage" },
}));
const VECTORS = CASES.map((one): SplitCase => ({
  ...{ case: one, split: one.split },
  vector: FEATURE_NAMES.map((_, i) =>
    i === 0 ? Number(one.label === "supported") : i === 1 ? Number(one.label === "refuted") : 0
  ),
}));

test("splitTable() and sharedTable() count countries and claims", () => {
  assert.match(splitTable(CASES), /\| train \| 4 \| 12 \| 4 \| 4 \| 4 \|/);
  assert.match(sharedTable(CASES), /\| train, test \| 0 \| 0 \|/);
  const same = CASES.map((one) => ({ ...one, claim: "The same  words" }));
  assert.match(sharedTable(same), /\| train, test \| 0 \| 1 \|/);
});

test("drawCountries() draws whole countries of each split", () => {
  const drawn = drawCountries(CASES, { train: 2, development: 1, test: 1 }, randomSource(1));
  assert.equal(drawn.length, 12);
  assert.equal(new Set(drawn.map(({ cluster }) => cluster)).size, 4);
});

test("trainLiveHead() learns what one feature says, and keeps its losses", () => {
  const heads = [trainLiveHead(VECTORS, 0)];
  assert.match(
    liveHeadsTable(heads, VECTORS, randomSource(1)),
    /\| logistic .*\| 12 \| 4 \| 1\.00/,
  );
  const [training, development] = liveLossLines(heads);
  assert.ok(development!.points.length > 0 && development!.points.length <= 26);
  const { x, y } = lossAxes([training!, development!], "iteration");
  assert.ok(x.domain[1] >= training!.points.at(-1)!.x);
  assert.ok(y.domain[1] >= Math.log(3) - 0.01);
});

const result = (
  model: string,
  set: string,
  metric: string,
  estimate: number,
  labels: FineTuningResult["labels"] = "binary",
): FineTuningResult => ({
  ...{ model, set, labels, metric, n: 10, clusters: 5, estimate },
  ...{ low: labels === "" ? "" : 0.5, high: labels === "" ? "" : 0.9, note: "" },
});
const RESULTS = [
  result("frozen MiniLM with trained head", "factbook claims, test", "balanced accuracy", 0.6),
  result("fine-tuned cross-encoder", "factbook claims, test", "balanced accuracy", 0.8),
  result("fine-tuned cross-encoder", "training", "minutes of processor time", 20, ""),
];

test("fineTuningTable() and fineTuningRows() stand models side by side, set by set", () => {
  const asked = { labels: "binary", metric: "balanced accuracy" } as const;
  assert.match(
    fineTuningTable(RESULTS, asked),
    /\| factbook claims, test \| 10 \| 0\.60 \[0\.50, 0\.90\] \| 0\.80 \[0\.50, 0\.90\] \|/,
  );
  assert.equal(fineTuningRows(RESULTS, asked).length, 2);
  assert.match(tuningWorkTable(RESULTS), /\| minutes of processor time \| 20 \|/);
  const lines = { python: 10, typescript: 20 };
  const table = tuningChoiceTable(RESULTS, lines);
  assert.match(table, /0\.60 \[0\.50, 0\.90\] → 0\.80 .*\n.*begin_wow.* – → – /);
  assert.match(table, /10 lines of Python, 20 of TypeScript/);
});

test("tuningLossLines() takes the mean of the batches between two evaluations", () => {
  const row = (step: number, split: "train" | "development", loss: number) =>
    ({ model: "m", step, steps: 4, split, loss, accuracy: "" }) as const;
  const [training, development] = tuningLossLines([
    ...[row(1, "train", 1), row(2, "train", 3), row(2, "development", 5)],
    ...[row(3, "train", 1), row(4, "train", 2), row(4, "development", 4)],
  ], ["m"]);
  const losses = (line: typeof training) =>
    line!.points.map(({ x, measure }) => [x, "estimate" in measure && measure.estimate]);
  assert.deepEqual(losses(training), [[2, 2], [4, 1.5]]);
  assert.deepEqual(losses(development), [[2, 5], [4, 4]]);
});

const ablated = (
  model: AblationRow["model"],
  group: string,
  difference: number,
): AblationRow => ({
  ...{ model, group, reading: "binary", n: 10, clusters: 5, balanced_accuracy: 0.6 },
  ...{ low: 0.5, high: 0.7, difference },
  ...{ difference_low: difference - 0.01, difference_high: difference + 0.01 },
});

test("ablationSentence() tells a loss from what shows nothing", () => {
  const rows = [ablated("without", "name", 0), ablated("without", "quantity", -0.05)];
  assert.equal(
    ablationSentence(rows, "binary"),
    "Worse without quantity (−5.0 points). Left out without a loss that could be shown on these " +
      "claims: name.",
  );
  assert.match(
    claimAloneSentence([ablated("claim alone", "all claims", -0.3)]),
    /0\.60 \[0\.50, 0\.70\] \(all claims, n = 10\)/,
  );
});

test("readingTable() reads both examples; formatsTable() says what to run", async () => {
  const folder = Deno.makeTempDirSync({ prefix: "benchmarks-" });
  try {
    const table = await readingTable(folder);
    assert.match(table, /\| fever \| Alpha is 90 km long\. \| refuted \| It is 9 km long \. \|/);
    assert.match(table, /\| fever \| line 4 is damaged/);
    assert.match(table, /\| truthfulqa \| It is cheese\. \| refuted \| – \|/);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
  assert.match(formatsTable(), /deno task compare --cases fever:FILE/);
});
