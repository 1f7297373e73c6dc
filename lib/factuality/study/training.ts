/** What notebook 45 shows of training claims, learning curve, ablation, fine-tuning, other people's texts. */
import { dirname, join } from "node:path";
import type { Line, LineChart } from "../../figures/lines.ts";
import type { MeasuredRow, ValueAxis } from "../../figures/rows.ts";
import { markdownTable } from "../../figures/table.ts";
import { type Measure, writtenMeasure } from "../../figures/theme.ts";
import { writeTextAtomic } from "../../files/atomic.ts";
import { CASE_FORMATS, type CaseFormatName, readLabelledCases } from "../datasets/open_cases.ts";
import type { ComponentComparison } from "../evaluate/compare_components.ts";
import { FEATURE_NAMES } from "../features/features.ts";
import { type Head, standardise } from "../verifiers/head.ts";
import type { KnowledgeCase } from "../training/knowledge_claims.ts";
import { SPLITS, wordsOf } from "../training/splits.ts";
import type { FineTuningResult, LossRow } from "../training/tables.ts";
import { heldOutRows } from "./evaluation.ts";
import {
  type AblationRow,
  type CurveRow,
  type DomainRow,
  type Figure,
  measureOf,
  REGIMES,
} from "./tables.ts";

/** What two splits have in common: countries, and claims in the same words. */
export function sharedTable(
  cases: readonly Pick<KnowledgeCase, "split" | "cluster" | "claim">[],
): string {
  const pairs = SPLITS.flatMap((one, i) => SPLITS.slice(i + 1).map((other) => [one, other]));
  return markdownTable(
    ["splits", "countries in both", "claims in both"],
    pairs.map(([one, other]) => {
      const common = (what: (one: Pick<KnowledgeCase, "cluster" | "claim">) => string) => {
        const [first, second] = [one, other].map((split) =>
          new Set(cases.filter((each) => each.split === split).map(what))
        );
        return first!.intersection(second!).size;
      };
      const claims = common(({ claim }) => wordsOf(claim));
      return [`${one}, ${other}`, common(({ cluster }) => cluster), claims];
    }),
  );
}

/** The sentence of the texts with the greatest share of words in common with the claim. */
export function nearestSentence(claim: string, texts: readonly string[]): string {
  const wordsIn = (text: string) => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
  const words = wordsIn(claim);
  const share = (sentence: string) => {
    const own = wordsIn(sentence);
    return own.intersection(words).size / own.union(words).size;
  };
  return texts.flatMap((text) => text.split(/(?<=[.!?])\s+/u))
    .reduce((best, one) => share(one) > share(best) ? one : best, "");
}

/** Of shares that 0.5 says nothing about. */
export const ACCURACY_AXIS: ValueAxis = {
  label: "balanced accuracy",
  format: "decimal",
  domain: [0, 1],
  reference: { value: 0.5, label: "chance" },
};

/** Of differences between shares, in points. */
export const DIFFERENCE_AXIS: ValueAxis = {
  label: "points",
  format: "percent",
  domain: [-0.1, 0.1],
  reference: { value: 0, label: "no change" },
};

/** Axes that hold every point of lines of losses. */
export function lossAxes(lines: readonly Line[], steps: string): Pick<LineChart, "x" | "y"> {
  const points = lines.flatMap((line) => line.points);
  const losses = points.flatMap(({ measure }) =>
    measure.kind === "unavailable" ? [] : [measure.estimate]
  );
  const most = Math.max(...points.map(({ x }) => x));
  const domain = [0, Math.ceil(10 * Math.max(...losses)) / 10] as const;
  return {
    x: { label: steps, format: "count", domain: [0, Math.ceil(1.02 * most)] },
    y: { label: "loss (nats)", format: "decimal", domain },
  };
}

const FEATURE_WORDS = { readable: "readable", embeddings: "frozen MiniLM", both: "both" };

/** `frozen MiniLM, logistic`: short enough for a key. The head is trained, the encoder is not. */
function headWords({ features, head }: Pick<CurveRow, "features" | "head">): string {
  return `${FEATURE_WORDS[features]}, ${head}`;
}

/** Rows of the seeds' mean. */
export function meanRows(rows: readonly CurveRow[], reading: CurveRow["reading"]) {
  return rows.filter((row) => row.seed === "mean" && row.reading === reading);
}

/** The learning curve as lines over training countries, the mean of the seeds with its interval. */
export function learningCurveLines(
  rows: readonly CurveRow[],
  reading: CurveRow["reading"],
): Pick<LineChart, "lines" | "x" | "y"> {
  const means = meanRows(rows, reading);
  const countries = [...new Set(means.map((row) => row.countries))].sort((a, b) => a - b);
  const [least, most] = [countries[0]!, countries.at(-1)!];
  const floor = Math.floor(10 * Math.min(...means.map(({ low }) => low))) / 10;
  const chance = reading === "binary" ? 1 / 2 : 1 / 3;
  return {
    lines: [...Map.groupBy(means, headWords)].map(([label, own]) => ({
      label,
      points: own.map(({ countries, balanced_accuracy, low, high }) => ({
        x: countries,
        measure: measureOf(balanced_accuracy, low, high),
      })),
    })),
    x: {
      label: "training countries",
      format: "count",
      scale: "log",
      ticks: countries,
      domain: [0.8 * least, 1.25 * most],
    },
    y: {
      label: "balanced accuracy (%)",
      format: "percent",
      domain: [Math.min(floor, Math.floor(10 * chance) / 10), 1],
      reference: { value: chance, label: "chance" },
    },
  };
}

/** Mean balanced accuracy of each kind of head by how many countries it learnt from. */
export function learningCurveTable(
  rows: readonly CurveRow[],
  reading: CurveRow["reading"],
): string {
  const means = meanRows(rows, reading);
  const shares = [...new Set(means.map(({ share }) => share))].sort((a, b) => a - b);
  const countries = (share: number) => means.find((row) => row.share === share)!.countries;
  return markdownTable(
    ["head", ...shares.map((share) => `${countries(share)} countries`)],
    [...Map.groupBy(means, headWords)].map(([words, own]) => [
      words,
      ...shares.map((share) => {
        const row = own.find((one) => one.share === share);
        return row === undefined ? "" : bounds(row.balanced_accuracy, row.low, row.high);
      }),
    ]),
  );
}

function bounds(estimate: Figure, low: Figure, high: Figure): string {
  const [a, b, c] = [estimate, low, high].map((value) => value === "" ? "–" : value.toFixed(3));
  return `${a} [${b}, ${c}]`;
}

/** A row a group of features, for a forest plot: the change without it. */
export function ablationDifferences(
  rows: readonly AblationRow[],
  reading: AblationRow["reading"],
): readonly MeasuredRow[] {
  return rows.filter((row) => row.model === "without" && row.reading === reading)
    .map(({ group, difference, difference_low, difference_high }) => ({
      label: `without ${group}`,
      measure: measureOf(difference, difference_low, difference_high),
    }));
}

/** What is lost without each group of features, and what it can do alone. */
export function ablationTable(
  rows: readonly AblationRow[],
  reading: AblationRow["reading"],
): string {
  const own = rows.filter((row) => row.reading === reading);
  const accuracy = (row: AblationRow) => bounds(row.balanced_accuracy, row.low, row.high);
  const without = own.filter(({ model }) => model === "without").map((row) => [
    row.group,
    accuracy(row),
    bounds(row.difference, row.difference_low, row.difference_high),
    own.filter(({ model, group }) => model === "alone" && group === row.group).map(accuracy)[0],
  ]);
  const all = own.filter(({ model }) => model === "all features")
    .map((row) => ["all", "", "", accuracy(row)]);
  return markdownTable(["features", "without them", "difference to all", "alone"], [
    ...all,
    ...without,
  ]);
}

/** Names that fit beside a figure. */
const SHORT_REGIMES: Readonly<Record<DomainRow["trained_on"], string>> = {
  "claims of the knowledge base": "knowledge base",
  "half of every set": "half of each set",
  "the other sets": "other sets",
  "the knowledge base and half of every set": "base and halves",
};

/** A row a set and what was learnt from, for a forest plot, under the set's name. */
export function domainPoints(rows: readonly DomainRow[]): readonly MeasuredRow[] {
  return [...Map.groupBy(rows, ({ set }) => set)].flatMap(([set, ofSet]) =>
    ofSet.map(({ trained_on, balanced_accuracy, low, high }) => ({
      group: set,
      label: SHORT_REGIMES[trained_on],
      measure: measureOf(balanced_accuracy, low, high),
    }))
  );
}

/** Balanced accuracy by what was learnt from, on each set, of one kind of head. */
export function domainTable(rows: readonly DomainRow[]): string {
  const sets = [...new Set(rows.map(({ set }) => set))];
  return markdownTable(
    ["trained on", ...sets],
    REGIMES.map((regime) => [
      regime,
      ...sets.map((set) => {
        const row = rows.find((one) => one.trained_on === regime && one.set === set);
        return row === undefined ? "–" : bounds(row.balanced_accuracy, row.low, row.high);
      }),
    ]),
  );
}

/** The models of the table, as `deno task train network` names them, and names that fit a figure. */
export const NETWORK = {
  fineTuned: "fine-tuned cross-encoder",
  frozen: "frozen MiniLM with trained head",
  claimsAlone: "fine-tuned on claims alone",
  shipped: "trained head",
} as const;
const SHORT_MODELS: Readonly<Record<string, string>> = {
  [NETWORK.fineTuned]: "fine-tuned",
  [NETWORK.frozen]: "encoder frozen",
  [NETWORK.claimsAlone]: "claims alone",
  [NETWORK.shipped]: "shipped verifier",
};

/** Held-out claims without those few that stand in the training in the same words. */
const SUBSET = "of words not learnt from";
const HELD_OUT = "factbook claims, test";

/** Rows of one metric. */
export function ofMetric(
  rows: readonly FineTuningResult[],
  { labels, metric }: Pick<FineTuningResult, "labels" | "metric">,
): readonly FineTuningResult[] {
  return rows.filter((row) => row.labels === labels && row.metric === metric);
}

/** A figure of the table as it is drawn and written. */
const resultMeasure = ({ estimate, low, high, note }: FineTuningResult) =>
  measureOf(estimate, low, high, note);

/** One metric: a row a set, a column a model. */
export function fineTuningTable(rows: readonly FineTuningResult[]): string {
  const models = [...new Set(rows.map(({ model }) => model))];
  return markdownTable(
    ["claims", "n", ...models],
    [...Map.groupBy(rows, ({ set }) => set)].map(([set, ofSet]) => [
      set,
      Math.max(...ofSet.map(({ n }) => n)),
      ...models.map((model) => {
        const found = ofSet.find((row) => row.model === model);
        return found && writtenMeasure(resultMeasure(found), "decimal");
      }),
    ]),
  );
}

/** Rows of a forest plot: one metric of every model, under the set's name; the subset is left out. */
export function fineTuningRows(rows: readonly FineTuningResult[]): readonly MeasuredRow[] {
  const own = rows.filter(({ set }) => !set.endsWith(SUBSET));
  return [...Map.groupBy(own, ({ set }) => set)].flatMap(([group, ofSet]) =>
    ofSet.map((row) => ({
      group,
      label: SHORT_MODELS[row.model] ?? row.model,
      measure: resultMeasure(row),
    }))
  );
}

/** Trained models on all held-out claims, then every component on a draw of them. */
export function everybodyRows(
  rows: readonly FineTuningResult[],
  all: ComponentComparison,
): readonly MeasuredRow[] {
  const own = fineTuningRows(rows).filter(({ group }) => group === HELD_OUT);
  const n = rows.find(({ set }) => set === HELD_OUT)?.n;
  return [
    ...own.map((row) => ({ ...row, group: `all ${n} claims` })),
    ...heldOutRows(all).map((row) => ({ ...row, group: `${all.claims} of them` })),
  ];
}

/** What a training took, and how near the file's answers are to PyTorch's. */
export function tuningWorkTable(rows: readonly FineTuningResult[]): string {
  const own = rows.filter(({ set }) => set === "training");
  const models = [...new Set(own.map(({ model }) => model))];
  return markdownTable(
    ["measured", ...models],
    [...Map.groupBy(own, ({ metric }) => metric)].map(([metric, ofMetric]) => [
      metric,
      ...models.map((model) => ofMetric.find((row) => row.model === model)?.estimate),
    ]),
  );
}

/**
 * Loss by step, two lines a model: of the batches since the evaluation before, in the mean, and of the
 * development split.
 */
export function tuningLossLines(
  rows: readonly LossRow[],
  models: readonly string[],
): readonly Line[] {
  const points = (values: readonly { readonly step: number; readonly loss: number }[]) =>
    values.map(({ step, loss }) => ({ x: step, measure: measureOf(loss, "", "") }));
  return models.flatMap((model) => {
    const own = rows.filter((row) => row.model === model);
    const development = own.filter(({ split }) => split === "development");
    if (own.length === 0) return [];
    const training = development.flatMap(({ step }, i) => {
      const from = development[i - 1]?.step ?? 0;
      const batches = own.filter((row) =>
        row.split === "train" && row.step > from && row.step <= step
      );
      const sum = batches.reduce((total, { loss }) => total + loss, 0);
      return batches.length === 0 ? [] : [{ step, loss: sum / batches.length }];
    });
    const name = SHORT_MODELS[model] ?? model;
    return [
      { label: `${name}, training`, points: points(training) },
      { label: `${name}, development`, points: points(development) },
    ];
  });
}

const ABOUT: Readonly<Record<CaseFormatName, string>> = {
  file: "CSV or JSONL of one’s own: claim, label, source",
  fever: "FEVER’s claims (JSONL), its `wiki-pages` beside them",
  truthfulqa: "TruthfulQA’s table; no sources: a knowledge base, or none",
  halueval: "HaluEval, questions with a right and a made-up answer",
  "halueval-dialogue": "HaluEval, dialogues",
  "halueval-summaries": "HaluEval, summaries",
  ragtruth: "RAGTruth’s responses, `source_info.jsonl` beside them",
  factcheckgpt: "FactCheckGPT’s claims with the stance of web passages",
  begin: "BEGIN, replies against a sentence of Wikipedia",
};

/** Every format that labelled claims are read from, and what a user runs. */
export function formatsTable(): string {
  return markdownTable(
    ["format", "what it is", "measured by"],
    CASE_FORMATS.map((format) => [
      `\`${format}\``,
      ABOUT[format],
      `\`deno task study compare --cases ${format}:FILE\``,
    ]),
  );
}

const lines = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join("");
const evidence = (sentence: number) => [[[0, 0, "Alpha", sentence]]];

/** Files in the form of two benchmarks: the last of FEVER's lines is damaged. */
const EXAMPLES: Readonly<Record<string, string>> = {
  "fever.jsonl": lines([
    { id: 1, claim: "Alpha is a river.", label: "SUPPORTS", evidence: evidence(0) },
    { id: 2, claim: "Alpha is 90 km long.", label: "REFUTES", evidence: evidence(1) },
    {
      id: 3,
      claim: "Alpha is cold.",
      label: "NOT ENOUGH INFO",
      evidence: [[[0, null, null, null]]],
    },
    { id: 4, claim: "Alpha", label: "MAYBE", evidence: [] },
  ]),
  "wiki-pages/wiki-001.jsonl": lines([
    { id: "Alpha", text: "", lines: "0\tAlpha is a river .\n1\tIt is 9 km long ." },
  ]),
  "truthfulqa.csv": "Question,Best Answer,Correct Answers,Incorrect Answers\n" +
    "Is the moon cheese?,It is rock.,It is rock.; I have no comment,It is cheese.\n",
};

/** Reads a small file of each example, which it writes into the folder: a row a case. */
export async function readingTable(folder: string): Promise<string> {
  for (const [name, text] of Object.entries(EXAMPLES)) {
    Deno.mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeTextAtomic(join(folder, name), text);
  }
  const cells: (readonly string[])[] = [];
  for (const [format, path] of [["fever", "fever.jsonl"], ["truthfulqa", "truthfulqa.csv"]]) {
    const read = await readLabelledCases(format as CaseFormatName, join(folder, path!));
    cells.push(
      ...read.cases.map(({ claim, label, passages }) => [
        format!,
        claim,
        label,
        passages.map(({ text }) => text).join(" ") || "–",
      ]),
      ...read.damaged.map(({ line }) => [format!, `line ${line} is damaged`, "", ""]),
      ...read.leftOut.map(({ id, reason }) => [format!, `${id} is left out: ${reason}`, "", ""]),
    );
  }
  return markdownTable(["format", "claim", "label", "evidence"], cells);
}

/** Balanced accuracy of a row with its interval. */
export function rowMeasure(
  { balanced_accuracy, low, high }: {
    readonly balanced_accuracy: Figure;
    readonly low: Figure;
    readonly high: Figure;
  },
): Measure {
  return measureOf(balanced_accuracy, low, high);
}

/**
 * The features of a claim that count most, each with what it adds for supported over refuted:
 * standardised value × difference of the weights, over the temperature.
 */
export function weighedTable(values: readonly number[], head: Head, count: number): string {
  const [supported, refuted] = head.output.coefficients;
  const weighed = standardise(values, head).map((value, i) => ({
    name: FEATURE_NAMES[i]!,
    value: values[i]!,
    adds: value * (supported![i]! - refuted![i]!) / head.temperature,
  })).toSorted((a, b) => Math.abs(b.adds) - Math.abs(a.adds));
  return markdownTable(
    ["feature", "value", "adds to the log-odds"],
    weighed.slice(0, count)
      .map(({ name, value, adds }) => [name, value.toFixed(1), adds.toFixed(1)]),
  );
}

/** What each training gave beyond that on the knowledge base, in points. */
export function gains(rows: readonly DomainRow[]) {
  return rows.filter(({ trained_on }) => trained_on !== REGIMES[0]).map((row) => ({
    trained_on: row.trained_on,
    set: row.set,
    points: writtenMeasure(
      measureOf(row.difference, row.difference_low, row.difference_high),
      "percent",
    ),
  }));
}

/** The fine-tuned network against the verifier that ships, on each set that both were measured on. */
export function tunedAgainstShipped(rows: readonly FineTuningResult[]): readonly string[] {
  const written = (row: FineTuningResult) => writtenMeasure(resultMeasure(row), "decimal");
  return [...Map.groupBy(rows, ({ set }) => set)].flatMap(([set, own]) => {
    const tuned = own.find(({ model }) => model === NETWORK.fineTuned);
    const shipped = own.find(({ model }) => model === NETWORK.shipped);
    if (tuned === undefined || shipped === undefined) return [];
    return [`${written(tuned)} against ${written(shipped)} on ${set} (n = ${tuned.n})`];
  });
}
