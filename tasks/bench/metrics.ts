/** Compares every statistic that Python packages have too, on the same random tables. */
import { sum } from "simple-statistics";
import { z } from "zod";
import { outsideFile } from "../../lib/files/table.ts";
import {
  MEASURE_COVERAGE,
  METRIC_AGREEMENT,
} from "../../lib/studies/factuality/generation/tables.ts";
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
  type Unavailable,
  unavailable,
  weightedKappa,
} from "../../lib/stats/agreement.ts";
import { kendallTauB, spearman } from "../../lib/stats/correlation.ts";
import { share } from "../../lib/stats/measure.ts";
import {
  fleissKappa,
  gwetAc1,
  krippendorffAlpha,
  type MeasurementLevel,
} from "../../lib/stats/multirater.ts";
import { type RandomSource, randomSource } from "../../lib/stats/random.ts";
import { shannonEntropy } from "../../lib/stats/uncertainty.ts";
import { WMT23_SCORES } from "../../lib/studies/translation/tables.ts";
import { command, EXIT } from "../command.ts";
import { benchPath, openPython, pythonWith } from "../python_environment.ts";
import { coverageRows, SESSIONS } from "./coverage.ts";
import { compareAlternating, printMeasurement } from "./harness.ts";
import { studyAgrees } from "./ratings.ts";

/* Random tables of varied shape: ties, missing ratings, labels that never occur, constant columns. */

/** True for one table in twenty, which has a constant column or is constant. */
const isDegenerate = (random: RandomSource) => random.integer(20) === 0;

/** Draws an integer from `low` to `high`, inclusive. */
const between = (random: RandomSource, low: number, high: number) =>
  low + random.integer(high - low + 1);

const times = <T>(n: number, make: (i: number) => T) =>
  Array.from({ length: n }, (_, i) => make(i));

/** Returns a function that draws labels from 0 to `classes` − 1, sometimes constant. */
function drawer(random: RandomSource, classes: number): () => number {
  const constant = isDegenerate(random);
  // Some labels are rare, as they are in life.
  const skew = between(random, 1, 3);
  return () => (constant ? 0 : Math.floor(random.next() ** skew * classes));
}

/** Draws two correlated columns. */
function pairedTable(random: RandomSource) {
  const classes = between(random, 2, 6);
  const n = between(random, 2, 60);
  const agreement = random.next();
  const draw = drawer(random, classes);
  const first = times(n, draw);
  const draws = isDegenerate(random) ? () => first[0]! : draw;
  const second = first.map((value) => (random.next() < agreement ? value : draws()));
  return { first, second, classes };
}

/**
 * Draws units × raters: ratings around each unit's true value. Missing ones are null, with the
 * given share.
 */
function ratedTable(random: RandomSource, missing = 0.2) {
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

/** Draws counts of labels for Fleiss' kappa, with equal numbers of ratings per unit. */
function countTable(random: RandomSource) {
  const { units, classes } = ratedTable(random, 0);
  return units.map((unit) => times(classes, (k) => unit.filter((value) => value === k).length));
}

const normalised = (weights: readonly number[]) => {
  const total = weights.reduce((a, b) => a + b, 0);
  return total === 0 ? [1] : weights.map((weight) => weight / total);
};

/** Draws a table of right and wrong items with their clusters. */
function clusteredTable(random: RandomSource) {
  const [clusters, size] = [between(random, 1, 40), between(random, 1, 8)];
  const p = random.next();
  const drawn = times(clusters * size, () => random.integer(clusters));
  return { right: drawn.map(() => (random.next() < p ? 1 : 0)), clusters: drawn };
}

/** Draws probabilities with sum 1, some of them 0. */
const distribution = (random: RandomSource) =>
  normalised(times(between(random, 1, 12), () => random.integer(5) && random.next() ** 3));

/** Draws probabilities of two to five labels, and the true label. */
function forecastTable(random: RandomSource) {
  const classes = between(random, 2, 5);
  const probabilities = times(
    between(random, 1, 40),
    () => normalised(times(classes, () => random.next() ** 4 + 1e-9)),
  );
  return { probabilities, truth: probabilities.map(() => random.integer(classes)) };
}

/** Draws confidences, none on the boundary of a bin, where definitions differ. */
function curveTable(random: RandomSource) {
  const confidence = times(between(random, 1, 200), () => random.next());
  return { confidence, right: confidence.map((p) => (random.next() < p ? 1 : 0)) };
}

/** Draws `n` random tables by seed. */
export function tables<T>(seed: string, n: number, make: (random: RandomSource) => T) {
  const random = randomSource(seed);
  return times(n, () => make(random));
}

/* Our metrics as they are measured: on what tables, and what comes out. */

/** Value of a metric, or the reason for its absence. */
type MetricValue = number | Unavailable;

/** A metric computed here and in Python, where it has the same name in metrics.py. */
interface Contestant {
  readonly metric: string;
  /** Python package of the metric. */
  readonly reference: string;
  /** Difference in conventions, both of them correct: boundaries of bins, undefined cases. */
  readonly note: string;
  /** Draws a table for Python, with a function that computes our metric on it. */
  table(random: RandomSource): { readonly sent: unknown; ours(): readonly MetricValue[] };
}

const contestant = <Table>(
  metric: string,
  reference: string,
  make: (random: RandomSource) => Table,
  ready: (table: Table) => () => readonly MetricValue[],
  note = "",
): Contestant => ({
  metric,
  reference,
  note,
  table(random) {
    const sent = make(random);
    return { sent, ours: ready(sent) };
  },
});

const names = (classes: number) => times(classes, (k) => `${k}`);
const items = (rows: readonly (readonly string[])[]) =>
  rows.map((labels, i) => ({ id: `${i}`, labels }));

/** Returns the value of a result, or its reason. */
const cell = <Found extends { readonly kind: string }>(
  found: Found,
  figure: (found: Exclude<Found, Unavailable>) => number,
): readonly MetricValue[] => [
  found.kind === "unavailable"
    ? found as Found & Unavailable
    : figure(found as Exclude<Found, Unavailable>),
];

const kappa = (metric: string, weights?: KappaWeights) =>
  contestant(metric, "scikit-learn", pairedTable, ({ first, second }) => () => {
    const found = weights ? weightedKappa(first, second, weights) : cohenKappa(first, second);
    return cell(found, ({ kappa }) => kappa);
  });

const alpha = (level: MeasurementLevel) => {
  const units = (random: RandomSource) => ratedTable(random).units;
  return contestant(`Krippendorff's alpha, ${level}`, "krippendorff", units, (units) => {
    const values = units.map((unit) => unit.map((value) => value ?? undefined));
    return () => cell(krippendorffAlpha(values, level), ({ alpha }) => alpha);
  });
};

const correlation = (metric: string, measure: typeof spearman) =>
  contestant(
    metric,
    "scipy",
    pairedTable,
    ({ first, second }) => () => cell(measure(first, second), ({ coefficient }) => coefficient),
  );

type Confusion = ConfusionTable<string>;

const classification = (
  metric: string,
  measure: (table: Confusion) => readonly MetricValue[],
  note = "",
) =>
  contestant(metric, "scikit-learn", (random) => {
    const { first: truth, second: predicted, classes } = pairedTable(random);
    return { truth, predicted, classes };
  }, ({ truth, predicted, classes }) => {
    const labels = names(classes);
    const outcomes = truth.map((label, i) => ({ truth: `${label}`, predicted: `${predicted[i]}` }));
    return () => measure(confusionTable(labels, outcomes));
  }, note);

const perLabel =
  (measure: (table: Confusion, label: string) => MetricValue) => (table: Confusion) =>
    table.labels.map((label) => measure(table, label));

const NO_DIVISION = "a label without a case is 0 with a warning there, unavailable here";

/** Metrics available in Python too. */
export const CONTESTANTS: readonly Contestant[] = [
  kappa("Cohen's kappa"),
  kappa("weighted kappa, linear", "linear"),
  kappa("weighted kappa, quadratic", "quadratic"),
  contestant("Fleiss' kappa", "statsmodels", countTable, (counts) => {
    const labels = names(counts[0]!.length);
    const given = items(
      counts.map((row) => row.flatMap((count, k) => new Array<string>(count).fill(`${k}`))),
    );
    return () => cell(fleissKappa(given, labels), ({ kappa }) => kappa);
  }),
  alpha("nominal"),
  alpha("ordinal"),
  alpha("interval"),
  contestant("Gwet's AC1", "irrCAC", ratedTable, ({ units, classes }) => {
    const labels = names(classes);
    const given = items(units.map((unit) => unit.flatMap((k) => k === null ? [] : [`${k}`])));
    return () => cell(gwetAc1(given, labels), ({ ac1 }) => ac1);
  }),
  correlation("Kendall's tau-b", kendallTauB),
  correlation("Spearman's rho", spearman),
  contestant("ends of a share by cluster", "statsmodels", clusteredTable, (table) => () => {
    const found = share(
      table.right.map((value, i) => ({ cluster: `${table.clusters[i]}`, value: value === 1 })),
    );
    return found.kind === "interval"
      ? [found.low, found.high]
      : [unavailable("reason" in found ? found.reason ?? "" : "")];
  }),
  contestant("Shannon entropy", "scipy", distribution, (p) => () => [shannonEntropy(p)]),
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
  contestant("Brier score", "scikit-learn", forecastTable, ({ probabilities, truth }) => {
    const labels = names(probabilities[0]!.length);
    const forecasts = probabilities.map((row, i) => ({
      probabilities: Object.fromEntries(row.map((p, k) => [`${k}`, p])),
      truth: `${truth[i]}`,
    }));
    return () => [brierScore(labels, forecasts)];
  }),
  contestant("calibration curve", "scikit-learn", curveTable, ({ confidence, right }) => {
    const forecasts = confidence.map((p, i) => ({ confidence: p, right: right[i] === 1 }));
    return () =>
      reliabilityBins(forecasts).flatMap(({ n, meanConfidence, share }) =>
        n === 0 ? [] : [meanConfidence!, share!]
      );
  }, "a confidence on the end of a bin is in the bin below there, in the one above here"),
];

const TABLES = 1_000;
/** Number of tables measured at once, alternating with Python. */
const BATCH = 100;
const LIMIT = 1e-12;

const ANSWER = z.object({
  milliseconds: z.number(),
  values: z.array(z.array(z.union([z.number(), z.string()]))),
});

/** Python's results on one table: numbers, or messages. */
type ReferenceCells = readonly (number | string)[];

/**
 * Compares our metrics with those of Python packages on the same 1,000 random tables each.
 *
 * Python runs in a temporary environment; both sides alternate. Writes
 * data/factuality/metric_agreement.csv and reports whether all numbers agree to 10⁻¹². Times are
 * for computation only, with small tables in memory, so that the overhead per call dominates.
 * Reasons for undefined values are counted for each side. With --folder it also runs {@link
 * studyAgrees}.
 */
export const TASK = command(
  "bench",
  "Every statistic against Python's, data/factuality/metric_agreement.csv",
  (c) => c.option("--folder <folder>", `that holds ${WMT23_SCORES.file}: the study's figures, too`),
  async ({ folder }) => {
    const scores = folder === undefined ? undefined : outsideFile(WMT23_SCORES, folder);
    // irrCAC asks for an older numpy, which it does not need.
    const isOld = (line: string) => line.startsWith("irrCAC");
    const python = await pythonWith(
      "scikit-learn, statsmodels, krippendorff, irrCAC and scipy",
      "python-metrics",
      "metrics.txt",
      (all) => [all.filter((line) => !isOld(line)), ["--no-deps", ...all.filter(isOld)]],
    );
    const requirements = Deno.readTextFileSync(benchPath("metrics.txt")).trim().split("\n");
    const versions = new Map(requirements.map((line) => line.split("==") as [string, string]));
    await using child = await openPython("Python's metrics", python, "metrics.py");
    let kept = true;
    const records = [];
    for (const { metric, reference, note, table } of CONTESTANTS) {
      const drawn = tables(`metrics/${metric}`, TABLES, table);
      const ours: (readonly MetricValue[])[] = [];
      const theirs: ReferenceCells[] = [];
      const speed = await compareAlternating(times(TABLES / BATCH, (i) => i * BATCH), (start) => {
        drawn.slice(start, start + BATCH).forEach((one, i) => ours[start + i] = one.ours());
        return Promise.resolve();
      }, async (start) => {
        const sent = drawn.slice(start, start + BATCH).map((one) => one.sent);
        const { milliseconds, values } = await child.ask({ metric, tables: sent }, ANSWER);
        values.forEach((value, i) => theirs[start + i] = value);
        return milliseconds;
      });
      const { compared, largestDifference, degenerate } = metricAgreement(ours, theirs);
      const cases = [...degenerate].map(([words, count]) => `${count} × ${words}`).join("; ");
      const [ours_ms, theirs_ms] = [Number(speed.ours.toFixed(3)), Number(speed.theirs.toFixed(3))];
      const most = largestDifference.toExponential(1);
      const text = [
        `differ by ${most} at most in ${compared} numbers of ${TABLES} tables`,
        `${ours_ms} against ${theirs_ms} ms a ${BATCH} tables`,
        ...[cases, note].filter((words) => words !== ""),
      ].join("; ");
      kept = printMeasurement(`${metric} / ${reference}`, largestDifference, LIMIT, text) && kept;
      records.push({
        metric,
        reference,
        version: versions.get(reference)!,
        tables: TABLES,
        compared,
        largest_difference: largestDifference,
        degenerate: sum([...degenerate.values()]),
        degenerate_cases: cases,
        note,
        ours_ms,
        theirs_ms,
        ratio: Number(speed.ratio.toPrecision(3)),
      });
    }
    METRIC_AGREEMENT.write(records);
    MEASURE_COVERAGE.write(coverageRows(SESSIONS));
    const isAgreed = scores === undefined || await studyAgrees(child, scores);
    return isAgreed && kept ? EXIT.done : EXIT.failed;
  },
);

/**
 * Compares our values with the reference's, table by table.
 *
 * Where a side has no number, its messages are counted.
 */
export function metricAgreement(
  ours: readonly (readonly MetricValue[])[],
  theirs: readonly ReferenceCells[],
) {
  const degenerate = new Map<string, number>();
  let [compared, largestDifference] = [0, 0];
  for (const [i, own] of ours.entries()) {
    const other = theirs[i]!;
    // An error there stands for the whole table.
    const failed = other.length === 1 && typeof other[0] === "string";
    for (let k = 0; k < (failed ? own.length : Math.max(own.length, other.length)); k++) {
      const [one, two] = [own[k], other[failed ? 0 : k]];
      if (typeof one === "number" && typeof two === "number") {
        compared++;
        largestDifference = Math.max(largestDifference, Math.abs(one - two));
      } else {
        const words = `${inWords(one)} here, ${inWords(two)} there`;
        degenerate.set(words, (degenerate.get(words) ?? 0) + 1);
      }
    }
  }
  return { compared, largestDifference, degenerate };
}

function inWords(cell: MetricValue | string | undefined): string {
  if (cell === undefined) return "no cell";
  if (typeof cell === "object") return `unavailable (${cell.reason.replace(/\d+/gu, "N")})`;
  if (typeof cell === "string") return cell;
  return Number.isInteger(cell) ? `${cell}` : "a number";
}
