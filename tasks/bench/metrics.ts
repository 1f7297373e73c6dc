import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { writeTextAtomic } from "../../lib/files/atomic.ts";
import { formatCsv } from "../../lib/files/csv.ts";
import { FACTUALITY_PATHS } from "../../lib/factuality/paths.ts";
import { METRIC_AGREEMENT_COLUMNS } from "../../lib/factuality/study/uncertainty/metric_agreement.ts";
import { pythonWith } from "../python/environment.ts";
import { compareAlternating, type Comparison } from "./alternating.ts";
import { CACHE_DIRECTORY } from "./inputs.ts";
import { type LineProcess, openLineProcess } from "./line_process.ts";
import { metricAgreement, type ReferenceCells } from "./metrics_agreement.ts";
import { type Cell, type Contestant, CONTESTANTS } from "./metrics_contestants.ts";
import { tables } from "./metrics_tables.ts";
import type { Report } from "./report.ts";

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
export async function benchMetrics(report: Report): Promise<boolean> {
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
  writeTextAtomic(FACTUALITY_PATHS.metricAgreement, formatCsv(METRIC_AGREEMENT_COLUMNS, records));
  return kept;
}

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
