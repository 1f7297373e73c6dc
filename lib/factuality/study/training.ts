/** What notebook 45 shows of training claims, learning curve, ablation, fine-tuning, other people's texts. */
import { dirname, join } from "node:path";
import { writeTextAtomic } from "../../files/atomic.ts";
import type { Line, LineChart } from "../../figures/lines.ts";
import type { MeasuredRow, ValueAxis } from "../../figures/rows.ts";
import { CASE_FORMATS, type CaseFormatName, readLabelledCases } from "../datasets/open_cases.ts";
import type { ComponentComparison } from "../evaluate/compare_components.ts";
import { FEATURE_NAMES } from "../features/features.ts";
import type { KnowledgeCase } from "../training/knowledge_claims.ts";
import { SPLITS, wordsOf } from "../training/splits.ts";
import type { FineTuningResult, LossRow } from "../training/tables.ts";
import { type Head, standardise } from "../verifiers/head.ts";
import { heldOutRows } from "./evaluation.ts";
import { type AblationRow, type CurveRow, decimal, type DomainRow, type Figure } from "./tables.ts";
import { headedTable, measureOf, percent, REGIMES } from "./tables.ts";

type SplitClaim = Pick<KnowledgeCase, "split" | "cluster" | "claim">;

/** What two splits have in common: countries, and claims in the same words. */
export function sharedTable(cases: readonly SplitClaim[]) {
  const pairs = SPLITS.flatMap((one, i) => SPLITS.slice(i + 1).map((other) => [one, other]));
  const rows = pairs.map((pair) => {
    const common = (what: (one: SplitClaim) => string) => {
      const [first, second] = pair.map((split) =>
        new Set(cases.filter((each) => each.split === split).map(what))
      );
      return first!.intersection(second!).size;
    };
    return [pair.join(", "), common((one) => one.cluster), common((one) => wordsOf(one.claim))];
  });
  return headedTable("splits | countries in both | claims in both", rows);
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
  const [last, most] = [Math.max(...points.map(({ x }) => x)), Math.max(...losses)];
  return {
    x: { label: steps, format: "count", domain: [0, Math.ceil(1.02 * last)] },
    y: { label: "loss (nats)", format: "decimal", domain: [0, Math.ceil(10 * most) / 10] },
  };
}

const FEATURE_WORDS = { readable: "readable", embeddings: "frozen MiniLM", both: "both" };

/** `frozen MiniLM, logistic`: short enough for a key. The head is trained, the encoder is not. */
const headWords = ({ features, head }: CurveRow) => `${FEATURE_WORDS[features]}, ${head}`;

type Curve = readonly CurveRow[];
type Reading = CurveRow["reading"];

/** Rows of the seeds' mean. */
export const meanRows = (rows: Curve, reading: Reading) =>
  rows.filter((row) => row.seed === "mean" && row.reading === reading);

/** The learning curve as lines over training countries, the mean of the seeds with its interval. */
export function learningCurveLines(
  rows: Curve,
  reading: Reading,
): Pick<LineChart, "lines" | "x" | "y"> {
  const means = meanRows(rows, reading);
  const ticks = [...new Set(means.map((row) => row.countries))].sort((a, b) => a - b);
  const floor = Math.floor(10 * Math.min(...means.map(({ low }) => low))) / 10;
  const chance = reading === "binary" ? 1 / 2 : 1 / 3;
  const domain = [0.8 * ticks[0]!, 1.25 * ticks.at(-1)!] as const;
  return {
    lines: [...Map.groupBy(means, headWords)].map(([label, own]) => {
      return { label, points: own.map((row) => ({ x: row.countries, measure: rowMeasure(row) })) };
    }),
    x: { label: "training countries", format: "count", scale: "log", ticks, domain },
    y: {
      label: "balanced accuracy (%)",
      format: "percent",
      domain: [Math.min(floor, Math.floor(10 * chance) / 10), 1],
      reference: { value: chance, label: "chance" },
    },
  };
}

/** Mean balanced accuracy of each kind of head by how many countries it learnt from. */
export function learningCurveTable(rows: Curve, reading: Reading) {
  const means = meanRows(rows, reading);
  const shares = [...new Set(means.map(({ share }) => share))].sort((a, b) => a - b);
  const columns = shares
    .map((share) => `${means.find((row) => row.share === share)!.countries} countries`);
  const cells = [...Map.groupBy(means, headWords)].map(([words, own]) => {
    const found = shares.map((share) => own.find((one) => one.share === share));
    return [words, ...found.map((row) => row ? accuracyBounds(row) : "")];
  });
  return headedTable(["head", ...columns].join(" | "), cells);
}

type AccuracyRow = Readonly<Record<"balanced_accuracy" | "low" | "high", Figure>>;

function bounds(...figures: readonly Figure[]) {
  const [estimate, low, high] = figures.map((value) => value === "" ? "–" : value.toFixed(3));
  return `${estimate} [${low}, ${high}]`;
}
const accuracyBounds = (row: AccuracyRow) => bounds(row.balanced_accuracy, row.low, row.high);
const differenceOf = (row: AblationRow | DomainRow) =>
  [row.difference, row.difference_low, row.difference_high] as const;

/** A row a group of features, for a forest plot: the change without it. */
export const ablationDifferences = (rows: readonly AblationRow[], reading: Reading) =>
  rows.filter((row) => row.model === "without" && row.reading === reading).map((row) => {
    return { label: `without ${row.group}`, measure: measureOf(...differenceOf(row)) };
  });

/** What is lost without each group of features, and what it can do alone. */
export function ablationTable(rows: readonly AblationRow[], reading: Reading) {
  const of = (name: string) => rows.filter((row) => row.reading === reading && row.model === name);
  const cells = of("without").map((row) => {
    const alone = of("alone").find(({ group }) => group === row.group);
    const difference = bounds(...differenceOf(row));
    return [row.group, accuracyBounds(row), difference, alone && accuracyBounds(alone)];
  });
  return headedTable("features | without them | difference to all | alone", [
    ...of("all features").map((row) => ["all", "", "", accuracyBounds(row)]),
    ...cells,
  ]);
}

/** Names that fit beside a figure, in the order of {@link REGIMES}. */
const SHORT_REGIMES = ["knowledge base", "half of each set", "other sets", "base and halves"];

/** Rows set by set. */
const bySet = <Row extends { readonly set: string }>(rows: readonly Row[]) => [
  ...Map.groupBy(rows, ({ set }) => set),
];

/** A row a set and what was learnt from, for a forest plot, under the set's name. */
export const domainPoints = (rows: readonly DomainRow[]): readonly MeasuredRow[] =>
  bySet(rows).flatMap(([group, own]) =>
    own.map((row) => {
      const label = SHORT_REGIMES[REGIMES.indexOf(row.trained_on)]!;
      return { group, label, measure: rowMeasure(row) };
    })
  );

/** Balanced accuracy by what was learnt from, on each set, of one kind of head. */
export function domainTable(rows: readonly DomainRow[]) {
  const sets = bySet(rows);
  const cells = REGIMES.map((regime) => {
    const found = sets.map(([, own]) => own.find((one) => one.trained_on === regime));
    return [regime, ...found.map((row) => row ? accuracyBounds(row) : "–")];
  });
  return headedTable(["trained on", ...sets.map(([set]) => set)].join(" | "), cells);
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
const shortModel = (model: string) => SHORT_MODELS[model] ?? model;

type Results = readonly FineTuningResult[];

/** Rows of one metric. */
export const ofMetric = (
  rows: Results,
  { labels, metric }: Pick<FineTuningResult, "labels" | "metric">,
): Results => rows.filter((row) => row.labels === labels && row.metric === metric);

/** A figure of the table as it is drawn and written. */
const resultMeasure = ({ estimate, low, high, note }: FineTuningResult) =>
  measureOf(estimate, low, high, note);

/** One metric: a row a set, a column a model. */
export function fineTuningTable(rows: Results) {
  const models = [...new Set(rows.map(({ model }) => model))];
  const cells = bySet(rows).map(([set, own]) => {
    const found = models.map((model) => own.find((row) => row.model === model));
    const figures = found.map((row) => row && decimal(resultMeasure(row)));
    return [set, Math.max(...own.map(({ n }) => n)), ...figures];
  });
  return headedTable(["claims | n", ...models].join(" | "), cells);
}

/**
 * Rows of a forest plot: one metric of every model, under the set's name, without the held-out claims
 * that do not stand in the training in the same words.
 */
export const fineTuningRows = (rows: Results): readonly MeasuredRow[] =>
  bySet(rows.filter(({ set }) => !set.endsWith("of words not learnt from")))
    .flatMap(([group, own]) =>
      own.map((row) => ({ group, label: shortModel(row.model), measure: resultMeasure(row) }))
    );

/** Trained models on all held-out claims, then every component on a draw of them. */
export function everybodyRows(rows: Results, all: ComponentComparison): readonly MeasuredRow[] {
  const own = rows.filter(({ set }) => set === "factbook claims, test");
  const group = `all ${own[0]?.n} claims`;
  return [
    ...fineTuningRows(own).map((row) => ({ ...row, group })),
    ...heldOutRows(all).map((row) => ({ ...row, group: `${all.claims} of them` })),
  ];
}

/** What a training took, and how near the file's answers are to PyTorch's. */
export function tuningWorkTable(rows: Results) {
  const own = rows.filter(({ set }) => set === "training");
  const models = [...new Set(own.map(({ model }) => model))];
  const cells = [...Map.groupBy(own, ({ metric }) => metric)].map(([metric, found]) => [
    metric,
    ...models.map((model) => found.find((row) => row.model === model)?.estimate),
  ]);
  return headedTable(["measured", ...models].join(" | "), cells);
}

/**
 * Loss by step, two lines a model: of the batches since the evaluation before, in the mean, and of the
 * development split.
 */
export function tuningLossLines(rows: readonly LossRow[], models: readonly string[]) {
  const point = (x: number, loss: number) => ({ x, measure: measureOf(loss, "", "") });
  return models.flatMap((model): readonly Line[] => {
    const own = rows.filter((row) => row.model === model);
    const development = own.filter(({ split }) => split === "development");
    if (own.length === 0) return [];
    const training = development.flatMap(({ step }, i) => {
      const from = development[i - 1]?.step ?? 0;
      const batches = own.filter((row) =>
        row.split === "train" && row.step > from && row.step <= step
      );
      const sum = batches.reduce((total, { loss }) => total + loss, 0);
      return batches.length === 0 ? [] : [point(step, sum / batches.length)];
    });
    const evaluated = development.map(({ step, loss }) => point(step, loss));
    return [
      { label: `${shortModel(model)}, training`, points: training },
      { label: `${shortModel(model)}, development`, points: evaluated },
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
export const formatsTable = () =>
  headedTable(
    "format | what it is | measured by",
    CASE_FORMATS.map((format) => {
      const command = `deno task study compare --cases ${format}:FILE`;
      return [`\`${format}\``, ABOUT[format], `\`${command}\``];
    }),
  );

/** Files in the form of two benchmarks: the last of FEVER's lines is damaged. */
const EXAMPLES = {
  "fever.jsonl":
    `{"id":1,"claim":"Alpha is a river.","label":"SUPPORTS","evidence":[[[0,0,"Alpha",0]]]}
{"id":2,"claim":"Alpha is 90 km long.","label":"REFUTES","evidence":[[[0,0,"Alpha",1]]]}
{"id":3,"claim":"Alpha is cold.","label":"NOT ENOUGH INFO","evidence":[[[0,null,null,null]]]}
{"id":4,"claim":"Alpha","label":"MAYBE","evidence":[]}
`,
  "wiki-pages/wiki-001.jsonl": String
    .raw`{"id":"Alpha","text":"","lines":"0\tAlpha is a river .\n1\tIt is 9 km long ."}`,
  "truthfulqa.csv": `Question,Best Answer,Correct Answers,Incorrect Answers
Is the moon cheese?,It is rock.,It is rock.; I have no comment,It is cheese.
`,
};

/** Reads a small file of each example, which it writes into the folder: a row a case. */
export async function readingTable(folder: string) {
  for (const [name, text] of Object.entries(EXAMPLES)) {
    Deno.mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeTextAtomic(join(folder, name), text);
  }
  const files: readonly [CaseFormatName, string][] = [
    ["fever", "fever.jsonl"],
    ["truthfulqa", "truthfulqa.csv"],
  ];
  const rows = await Array.fromAsync(files, async ([format, file]) => {
    const { cases, damaged, leftOut } = await readLabelledCases(format, join(folder, file));
    return [
      ...cases.map(({ claim, label, passages }) => {
        return [format, claim, label, passages.map(({ text }) => text).join(" ") || "–"];
      }),
      ...damaged.map(({ line }) => [format, `line ${line} is damaged`, "", ""]),
      ...leftOut.map(({ id, reason }) => [format, `${id} is left out: ${reason}`, "", ""]),
    ];
  });
  return headedTable("format | claim | label | evidence", rows.flat());
}

/** Balanced accuracy of a row with its interval. */
export const rowMeasure = ({ balanced_accuracy, low, high }: AccuracyRow) =>
  measureOf(balanced_accuracy, low, high);

/**
 * The features of a claim that count most, each with what it adds for supported over refuted:
 * standardised value × difference of the weights, over the temperature.
 */
export function weighedTable(values: readonly number[], head: Head, count: number) {
  const [supported, refuted] = head.output.coefficients;
  const weighed = standardise(values, head)
    .map((value, i) => ({ i, adds: value * (supported![i]! - refuted![i]!) / head.temperature }))
    .toSorted((a, b) => Math.abs(b.adds) - Math.abs(a.adds)).slice(0, count)
    .map(({ i, adds }) => [FEATURE_NAMES[i], values[i]!.toFixed(1), adds.toFixed(1)]);
  return headedTable("feature | value | adds to the log-odds", weighed);
}

/** What each training gave beyond that on the knowledge base, in points. */
export const gains = (rows: readonly DomainRow[]) =>
  rows.filter(({ trained_on }) => trained_on !== REGIMES[0]).map((row) => {
    const { trained_on, set } = row;
    return { trained_on, set, points: percent(measureOf(...differenceOf(row))) };
  });

/** The fine-tuned network against the verifier that ships, on each set that both were measured on. */
export const tunedAgainstShipped = (rows: Results): readonly string[] =>
  bySet(rows).flatMap(([set, own]) => {
    const tuned = own.find(({ model }) => model === NETWORK.fineTuned);
    const shipped = own.find(({ model }) => model === NETWORK.shipped);
    if (tuned === undefined || shipped === undefined) return [];
    const [one, other] = [tuned, shipped].map((row) => decimal(resultMeasure(row)));
    return [`${one} against ${other} on ${set} (n = ${tuned.n})`];
  });
