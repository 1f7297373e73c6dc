import { interRater } from "./agreement.ts";
import {
  type AnalysisOptions,
  clusterOf,
  itemKey,
  ratedOnly,
  type Unit,
  unitOf,
} from "./estimate.ts";
import type { UnblindedRun } from "./ratings.ts";
import { raterReliability } from "./reliability.ts";
import { compareSystems } from "./systems.ts";

/** Settings of a study's analysis and its report. */
interface StudyOptions extends AnalysisOptions {
  /** Title of the report; by default the numbers of systems and raters. */
  readonly title?: string;
  /** Remark on the raters under every figure, for example "simulated". */
  readonly note?: string;
}

/** Results of a rating study: systems, raters and their agreement. */
export type RatingAnalysis = ReturnType<typeof analyseRatings>;

/**
 * Checks that segments with the same identifiers have the same texts.
 * Otherwise different sentences would be counted as one. @throws {RangeError}
 */
function requireSameTexts(runs: readonly UnblindedRun[]): void {
  const seen = new Map<string, { readonly text: string; readonly rater: string }>();
  for (const { rater, ratings } of runs) {
    for (const one of ratedOnly(ratings)) {
      for (const [what, text] of [["source", one.source], [one.system, one.text]] as const) {
        const before = seen.getOrInsert(JSON.stringify([itemKey(one), what]), { text, rater });
        if (before.text === text) continue;
        const where = `segment ${one.segment} of document ${one.document}`;
        throw new RangeError(
          `Cannot analyse together: ${where} has another ${
            what === one.system ? "translation by " : ""
          }` +
            `${what} with ${rater} than with ${before.rater}. Analyse studies one by one, or give each ` +
            "a column of documents.",
        );
      }
    }
  }
}

/**
 * Analyses the systems and raters of one study.
 * By default intervals cluster by document and tests exchange whole documents if documents have
 * several segments ({@link unitOf}); `cluster` overrides this. `unit` names the cluster, `units`
 * counts them. Several workbooks of one rater are treated as one rater, with a row per batch in the
 * raters' tables. Throws as {@link compareSystems} does.
 */
export function analyseRatings(given: readonly UnblindedRun[], options: StudyOptions) {
  const runs = withBatches(given);
  const rated = ratedOnly(runs.flatMap(({ ratings }) => ratings));
  requireSameTexts(runs);
  const unit: Unit = options.cluster ?? unitOf(rated);
  const analysis = { ...options, cluster: unit };
  const comparison = compareSystems(runs, analysis);
  const raters = runs.map((run) => raterReliability(run, analysis));
  const counted = (cluster: Unit) => new Set(rated.map((it) => clusterOf(it, { cluster }))).size;
  const units = counted(unit);
  const together = interRater(runs, analysis);
  // The smallest p of a two-sided sign-flip test: all units' differences have one sign.
  const leastP = Math.min(1, 2 ** (1 - units) * comparison.pairs.length);
  return {
    runs,
    config: runs[0]!.config,
    comparison,
    raters,
    together,
    items: counted("segment"),
    unit,
    units,
    /**
     * Smallest adjusted p attainable with this many units.
     * Above α no pair can differ significantly.
     */
    leastP,
    title: options.title ??
      `Human evaluation: ${comparison.systems.length} systems, ` +
        // A rater with two runs counts once.
        counting(together.raters.length, "rater"),
    note: options.note ?? "",
  };
}

/** Adds a batch to the runs of raters with several: the workbook's, else a number. */
function withBatches(runs: readonly UnblindedRun[]): readonly UnblindedRun[] {
  const byRater = Map.groupBy(runs, ({ rater }) => rater);
  return runs.map((run) => {
    const raterRuns = byRater.get(run.rater)!;
    return raterRuns.length === 1
      ? run
      : { ...run, batch: run.batch ?? `${raterRuns.indexOf(run) + 1}` };
  });
}

/** Returns a count with its noun: `1 rater`, `4 raters`. */
export const counting = (n: number, what: string) => `${n} ${what}${n === 1 ? "" : "s"}`;
