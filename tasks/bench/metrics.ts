/** Random tables of varied shape: ties, missing ratings, labels that never occur, constant columns. */

import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { METRIC_AGREEMENT } from "../../lib/factuality/generation/tables.ts";
import {
  accuracy,
  balancedAccuracy,
  brierScore,
  type ConfusionTable,
  confusionTable,
  f1,
  macroF1,
  precision,
  recall,
  reliabilityBins,
} from "../../lib/factuality/metrics/classification.ts";
import {
  cohenKappa,
  type KappaWeights,
  type RatedItem,
  type Unavailable,
  weightedKappa,
} from "../../lib/stats/agreement.ts";
import { kendallTauB, spearman } from "../../lib/stats/correlation.ts";
import {
  fleissKappa,
  gwetAc1,
  krippendorffAlpha,
  type MeasurementLevel,
} from "../../lib/stats/multirater.ts";
import { type RandomSource, randomSource } from "../../lib/stats/random.ts";
import { shannonEntropy } from "../../lib/stats/uncertainty.ts";
import { pythonWith } from "../python/environment.ts";
import { CACHE_DIRECTORY, measurement, report } from "./inputs.ts";
import { compareAlternating, type Comparison, type LineProcess, openLineProcess } from "./speed.ts";

interface PairedTable {
  readonly first: readonly number[];
  readonly second: readonly number[];
  /** Values are whole numbers from 0 below this. */
  readonly classes: number;
}

interface RatedTable {
  /** A row a unit, a column a rater; null where there is no rating. */
  readonly units: readonly (readonly (number | null)[])[];
  readonly classes: number;
}

interface OutcomeTable {
  readonly truth: readonly number[];
  readonly predicted: readonly number[];
  readonly classes: number;
}

interface ForecastTable {
  readonly probabilities: readonly (readonly number[])[];
  readonly truth: readonly number[];
}

interface CurveTable {
  readonly confidence: readonly number[];
  readonly right: readonly number[];
}

/** One table in so many has a constant column, or is constant altogether. */
const DEGENERATE = 20;

/** From `low` to `high`, both included. */
function between(random: RandomSource, low: number, high: number): number {
  return low + random.integer(high - low + 1);
}

function times<T>(n: number, make: (i: number) => T): T[] {
  return Array.from({ length: n }, (_, i) => make(i));
}

/** Two columns that agree more or less. */
function pairedTable(random: RandomSource): PairedTable {
  const classes = between(random, 2, 6);
  const n = between(random, 2, 60);
  const agreement = random.next();
  const draw = drawer(random, classes);
  const first = times(n, draw);
  const draws = random.integer(DEGENERATE) === 0 ? () => first[0]! : draw;
  return {
    first,
    second: first.map((value) => (random.next() < agreement ? value : draws())),
    classes,
  };
}

/** A constant now and then. */
function drawer(random: RandomSource, classes: number): () => number {
  const constant = random.integer(DEGENERATE) === 0;
  // Some labels are rare, as they are in life.
  const skew = between(random, 1, 3);
  return () => (constant ? 0 : Math.floor(random.next() ** skew * classes));
}

/** Units with as many ratings each: counts of labels for Fleiss' kappa. */
function countTable(random: RandomSource): readonly (readonly number[])[] {
  const { units, classes } = ratedTable(random, 0);
  return units.map((unit) => times(classes, (k) => unit.filter((value) => value === k).length));
}

/** Ratings around a true value of the unit's own; this share of them is missing. */
function ratedTable(random: RandomSource, missing = 0.2): RatedTable {
  const classes = between(random, 2, 6);
  const raters = between(random, 2, 6);
  const agreement = random.next();
  const draw = drawer(random, classes);
  const units = times(between(random, 2, 40), () => {
    const own = draw();
    const rating = () => (random.next() < agreement ? own : draw());
    return times(raters, () => (random.next() < missing ? null : rating()));
  });
  return { units, classes };
}

/** Probabilities that sum to 1, some of them 0. */
function distribution(random: RandomSource): readonly number[] {
  const weights = times(
    between(random, 1, 12),
    () => random.integer(5) === 0 ? 0 : random.next() ** 3,
  );
  const sum = weights.reduce((a, b) => a + b, 0);
  return sum === 0 ? [1] : weights.map((weight) => weight / sum);
}

/** True and predicted labels. */
function outcomeTable(random: RandomSource): OutcomeTable {
  const { first, second, classes } = pairedTable(random);
  return { truth: first, predicted: second, classes };
}

/** Probabilities of two to five labels, and which was true. */
function forecastTable(random: RandomSource): ForecastTable {
  const classes = between(random, 2, 5);
  const probabilities = times(between(random, 1, 40), () => {
    const weights = times(classes, () => random.next() ** 4 + 1e-9);
    const sum = weights.reduce((a, b) => a + b, 0);
    return weights.map((weight) => weight / sum);
  });
  return { probabilities, truth: probabilities.map(() => random.integer(classes)) };
}

/** Confidences, none on the end of a bin: there the definitions differ. */
function curveTable(random: RandomSource): CurveTable {
  const confidence = times(between(random, 1, 200), () => random.next());
  return { confidence, right: confidence.map((p) => (random.next() < p ? 1 : 0)) };
}

/** So many tables, the same for the same seed. */
export function tables<T>(
  seed: string,
  n: number,
  make: (random: RandomSource) => T,
): readonly T[] {
  const random = randomSource(seed);
  return times(n, () => make(random));
}

/* Our metrics as they are measured against Python's: on what tables, and what comes out. */

/** A number, or why there is none. */
type Cell = number | Unavailable;

/** A metric on both sides; Python's has the same name in metrics.py. */
interface Contestant {
  readonly metric: string;
  /** The Python package that has it. */
  readonly reference: string;
  /** What differs where both are right: an end of a bin, an undefined case. */
  readonly note: string;
  /** A random table as it is sent to Python, with our calculation on it, made ready beforehand. */
  table(random: RandomSource): MeasuredTable;
}

interface MeasuredTable {
  /** As JSON. */
  readonly sent: unknown;
  readonly ours: () => readonly Cell[];
}

function contestant<Table, Prepared>(
  metric: string,
  reference: string,
  make: (random: RandomSource) => Table,
  prepare: (table: Table) => Prepared,
  ours: (prepared: Prepared) => readonly Cell[],
  note = "",
): Contestant {
  return {
    ...{ metric, reference, note },
    table(random) {
      const sent = make(random);
      const prepared = prepare(sent);
      return { sent, ours: () => ours(prepared) };
    },
  };
}

const same = <T>(table: T) => table;
const names = (classes: number) => Array.from({ length: classes }, (_, k) => `${k}`);

const kappa = (metric: string, weights?: KappaWeights) =>
  contestant(
    metric,
    "scikit-learn",
    pairedTable,
    same,
    ({ first, second }) => {
      const found = weights === undefined
        ? cohenKappa(first, second)
        : weightedKappa(first, second, weights);
      return [found.kind === "kappa" ? found.kappa : found];
    },
  );

const alpha = (level: MeasurementLevel) =>
  contestant(
    `Krippendorff's alpha, ${level}`,
    "krippendorff",
    (random) => ratedTable(random).units,
    (units) => units.map((unit) => unit.map((value) => value ?? undefined)),
    (units) => {
      const found = krippendorffAlpha(units, level);
      return [found.kind === "alpha" ? found.alpha : found];
    },
  );

function ratedItems({ units, classes }: RatedTable) {
  const labels = names(classes);
  const items = units.map((unit, i): RatedItem<string> => ({
    id: `${i}`,
    labels: unit.flatMap((value) => (value === null ? [] : [`${value}`])),
  }));
  return { items, labels };
}

function itemsOfCounts(counts: readonly (readonly number[])[]) {
  const labels = names(counts[0]!.length);
  const items = counts.map((row, i): RatedItem<string> => ({
    id: `${i}`,
    labels: row.flatMap((count, k) => new Array<string>(count).fill(labels[k]!)),
  }));
  return { items, labels };
}

const correlation = (metric: string, measure: typeof spearman) =>
  contestant(metric, "scipy", pairedTable, same, ({ first, second }) => {
    const found = measure(first, second);
    return [found.kind === "correlation" ? found.coefficient : found];
  });

type Measure = (table: ConfusionTable<string>) => readonly Cell[];

const classification = (metric: string, measure: Measure, note = "") =>
  contestant(
    metric,
    "scikit-learn",
    outcomeTable,
    outcomes,
    (prepared) => measure(confusionTable(prepared.labels, prepared.outcomes)),
    note,
  );

function outcomes({ truth, predicted, classes }: OutcomeTable) {
  return {
    labels: names(classes),
    outcomes: truth.map((label, i) => ({ truth: `${label}`, predicted: `${predicted[i]}` })),
  };
}

const perLabel =
  (measure: (table: ConfusionTable<string>, label: string) => Cell): Measure => (table) =>
    table.labels.map((label) => measure(table, label));

const NO_DIVISION = "a label without a case is 0 with a warning there, unavailable here";

/** Every metric that Python has too. */
export const CONTESTANTS: readonly Contestant[] = [
  kappa("Cohen's kappa"),
  kappa("weighted kappa, linear", "linear"),
  kappa("weighted kappa, quadratic", "quadratic"),
  contestant(
    "Fleiss' kappa",
    "statsmodels",
    countTable,
    itemsOfCounts,
    ({ items, labels }) => {
      const found = fleissKappa(items, labels);
      return [found.kind === "fleiss" ? found.kappa : found];
    },
  ),
  alpha("nominal"),
  alpha("ordinal"),
  alpha("interval"),
  contestant(
    "Gwet's AC1",
    "irrCAC",
    ratedTable,
    ratedItems,
    ({ items, labels }) => {
      const found = gwetAc1(items, labels);
      return [found.kind === "ac1" ? found.ac1 : found];
    },
  ),
  correlation("Kendall's tau-b", kendallTauB),
  correlation("Spearman's rho", spearman),
  contestant("Shannon entropy", "scipy", distribution, same, (p) => [shannonEntropy(p)]),
  classification("accuracy", (table) => [accuracy(table)]),
  classification("precision", perLabel(precision), NO_DIVISION),
  classification("recall", perLabel(recall), NO_DIVISION),
  classification("F1", perLabel(f1), NO_DIVISION),
  classification("macro F1", (table) => [macroF1(table)], NO_DIVISION),
  classification(
    "balanced accuracy",
    (table) => [balancedAccuracy(table)],
    "a label without a case is left out of the mean there, unavailable here",
  ),
  contestant("Brier score", "scikit-learn", forecastTable, (table) => ({
    labels: names(table.probabilities[0]!.length),
    forecasts: table.probabilities.map((row, i) => ({
      probabilities: Object.fromEntries(row.map((p, k) => [`${k}`, p])),
      truth: `${table.truth[i]}`,
    })),
  }), ({ labels, forecasts }) => [brierScore(labels, forecasts)]),
  contestant(
    "calibration curve",
    "scikit-learn",
    curveTable,
    ({ confidence, right }) =>
      confidence.map((value, i) => ({ confidence: value, right: right[i] === 1 })),
    (forecasts) =>
      reliabilityBins(forecasts).flatMap(({ n, meanConfidence, share }) =>
        n === 0 ? [] : [meanConfidence!, share!]
      ),
    "a confidence on the end of a bin is in the bin below there, in the one above here",
  ),
];

const REQUIREMENTS = new URL("metrics.txt", import.meta.url);
const SCRIPT = fileURLToPath(new URL("metrics.py", import.meta.url));
const SEED = "metrics";
const TABLES = 1_000;

/** Tables that are measured in one go, in turns with Python. */
const BATCH = 100;
const LIMIT = 1e-12;

const ANSWER = z.object({
  milliseconds: z.number(),
  values: z.array(z.array(z.union([z.number(), z.string()]))),
});

/**
 * Our metrics against those of Python's packages, in a scratch environment of their own: each on the
 * same 1,000 random tables, in turns. Writes data/factuality/metric_agreement.csv and says whether all
 * numbers agree to 10⁻¹². Times are of the calculations alone; the tables are in memory on both sides,
 * and small, as ratings are: a call's own cost weighs more than the arithmetic.
 *
 * Where a figure is 0 / 0 it is unavailable here, with a reason; scikit-learn's and statsmodels' kappas
 * and scipy's correlations are NaN, krippendorff raises ValueError (or gives NaN where the constant is
 * left after unpaired values are dropped), scikit-learn's precision, recall and F1 are 0 with a warning,
 * and its balanced accuracy leaves out labels without cases. Bins of the calibration curve hold their
 * lower end here and their upper end there. scipy scales what does not sum to 1; here it is an error.
 *
 * @throws {Error} where Python is missing or pip fails.
 */
export const TASK = measurement(
  "metrics",
  "Every statistic against Python's, data/factuality/metric_agreement.csv",
  async () => {
    const requirements = (await Deno.readTextFile(REQUIREMENTS)).trim().split("\n");
    await using child = await openPython(requirements);
    await child.hear();
    let kept = true;
    const records = [];
    for (const contestant of CONTESTANTS) {
      const { metric, reference } = contestant;
      const answers = await answersOf(contestant, child);
      const record = recordOf(contestant, answers, versionOf(reference, requirements));
      const what = `${metric} / ${reference}`;
      kept = report(what, record.largest_difference, LIMIT, textOf(record)) && kept;
      records.push(record);
    }
    METRIC_AGREEMENT.write(records);
    return kept;
  },
);

async function openPython(requirements: readonly string[]): Promise<LineProcess> {
  // irrCAC asks for an older numpy, which it does not need.
  const isOld = (line: string) => line.startsWith("irrCAC");
  const python = await pythonWith({
    folder: join(CACHE_DIRECTORY, "python-metrics"),
    requirements: requirements.join("\n"),
    what: "scikit-learn, statsmodels, krippendorff, irrCAC and scipy",
    installs: [
      requirements.filter((line) => !isOld(line)),
      ["--no-deps", ...requirements.filter(isOld)],
    ],
  });
  return openLineProcess(python, [SCRIPT], { what: "Python's metrics" });
}

/** Both sides' cells of every table, and their times a batch. */
interface Answers {
  readonly ours: readonly (readonly Cell[])[];
  readonly theirs: readonly ReferenceCells[];
  readonly speed: Comparison;
}

async function answersOf({ metric, table }: Contestant, child: LineProcess): Promise<Answers> {
  const drawn = tables(`${SEED}/${metric}`, TABLES, table);
  const ours: (readonly Cell[])[] = [];
  const theirs: ReferenceCells[] = [];
  const starts = Array.from({ length: TABLES / BATCH }, (_, i) => i * BATCH);
  const speed = await compareAlternating(starts, (start) => {
    drawn.slice(start, start + BATCH).forEach((one, i) => ours[start + i] = one.ours());
    return Promise.resolve();
  }, async (start) => {
    const sent = drawn.slice(start, start + BATCH).map((one) => one.sent);
    const line = await child.ask(JSON.stringify({ metric, tables: sent }));
    const { milliseconds, values } = ANSWER.parse(JSON.parse(line));
    values.forEach((value, i) => theirs[start + i] = value);
    return milliseconds;
  });
  return { ours, theirs, speed };
}

const counted = (cases: ReadonlyMap<string, number>) =>
  [...cases].map(([words, count]) => `${count} × ${words}`).join("; ");

function recordOf({ metric, reference, note }: Contestant, answers: Answers, version: string) {
  const { speed } = answers;
  const { compared, largestDifference, degenerate } = metricAgreement(answers.ours, answers.theirs);
  return {
    ...{ metric, reference, version, tables: TABLES, compared },
    largest_difference: largestDifference,
    degenerate: degenerate.values().reduce((sum, count) => sum + count, 0),
    ...{ degenerate_cases: counted(degenerate), note },
    ours_ms: Number(speed.ours.toFixed(3)),
    theirs_ms: Number(speed.theirs.toFixed(3)),
    ratio: Number(speed.ratio.toPrecision(3)),
  };
}

function textOf(record: ReturnType<typeof recordOf>): string {
  const { largest_difference: difference, compared, ours_ms, theirs_ms, note } = record;
  const others = [record.degenerate_cases, note].filter((words) => words !== "");
  return [
    `differ by ${difference.toExponential(1)} at most in ${compared} numbers of ${TABLES} tables`,
    `${ours_ms} against ${theirs_ms} ms a ${BATCH} tables`,
    ...others,
  ].join("; ");
}

function versionOf(reference: string, requirements: readonly string[]): string {
  const line = requirements.find((one) => one.startsWith(`${reference}==`));
  if (line !== undefined) return line.slice(reference.length + 2);
  throw new RangeError(`Cannot name a version: ${reference} is not in metrics.txt.`);
}

/** Of one table: what Python gave, numbers or in words what came instead. */
type ReferenceCells = readonly (number | string)[];

/** How far two implementations agree over all tables. */
interface MetricAgreement {
  /** Cells in which both have a number. */
  readonly compared: number;
  /** Of these; 0 where none was compared. */
  readonly largestDifference: number;
  /** Cells or tables for which one side at least has no number or where both differ in kind. */
  readonly degenerate: ReadonlyMap<string, number>;
}

/**
 * Holds our cells against the reference's, table by table. Numbers are compared, whatever their
 * difference; where a side has none, what each says is counted.
 *
 * @throws {RangeError} where the two have not as many tables.
 */
export function metricAgreement(
  ours: readonly (readonly Cell[])[],
  theirs: readonly ReferenceCells[],
): MetricAgreement {
  if (ours.length !== theirs.length) {
    throw new RangeError(
      `Cannot compare metrics: ${ours.length} tables here, ${theirs.length} there.`,
    );
  }
  const degenerate = new Map<string, number>();
  let [compared, largestDifference] = [0, 0];
  ours.forEach((own, i) => {
    for (const [one, other] of paired(own, theirs[i]!)) {
      if (typeof one === "number" && typeof other === "number") {
        compared++;
        largestDifference = Math.max(largestDifference, Math.abs(one - other));
      } else {
        const words = `${inWords(one)} here, ${inWords(other)} there`;
        degenerate.set(words, (degenerate.get(words) ?? 0) + 1);
      }
    }
  });
  return { compared, largestDifference, degenerate };
}

type Pair = readonly [Cell | undefined, number | string | undefined];

/** Cell by cell; an error there stands for the whole table. */
function paired(ours: readonly Cell[], theirs: ReferenceCells): readonly Pair[] {
  const [only] = theirs;
  if (theirs.length === 1 && typeof only === "string") return ours.map((cell) => [cell, only]);
  const length = Math.max(ours.length, theirs.length);
  return Array.from({ length }, (_, k) => [ours[k], theirs[k]]);
}

function inWords(cell: Cell | string | undefined): string {
  if (cell === undefined) return "no cell";
  if (typeof cell === "object") return `unavailable (${cell.reason.replace(/\d+/gu, "N")})`;
  if (typeof cell === "string") return cell;
  return Number.isInteger(cell) ? `${cell}` : "a number";
}
