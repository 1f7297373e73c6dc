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

/** How a study's figures are made, and what stands over them. */
interface StudyOptions extends AnalysisOptions {
  /** Of the report; the systems and raters are counted unless told. */
  readonly title?: string;
  /** Of the raters, under every figure: "simulated", say. */
  readonly note?: string;
}

/** Everything that rated workbooks say of systems and raters. */
export type RatingAnalysis = ReturnType<typeof analyseRatings>;

/** Segments of one number that are different sentences would be counted as one. @throws {RangeError} */
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
 * Systems and raters of one study. Intervals cluster by document, and tests exchange whole documents, wherever they are
 * real ({@link unitOf}), unless `cluster` says otherwise; `unit` names what was, `units` how many there
 * are. Workbooks of one rater are one rater's, and a row each of what is said of raters, which names the
 * batch. Throws as {@link compareSystems} does.
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
  // All signs alike in every unit, both ways: no test can find less.
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
    /** The least that an adjusted p could be with so many units; above α no pair can be told apart. */
    leastP,
    title: options.title ??
      `Human evaluation: ${comparison.systems.length} systems, ` +
        // One who did two runs is one.
        counting(together.raters.length, "rater"),
    note: options.note ?? "",
  };
}

/** Runs of which those of one rater say which they are: as the workbook says, else by number. */
function withBatches(runs: readonly UnblindedRun[]): readonly UnblindedRun[] {
  const byRater = Map.groupBy(runs, ({ rater }) => rater);
  return runs.map((run) => {
    const own = byRater.get(run.rater)!;
    return own.length === 1 ? run : { ...run, batch: run.batch ?? `${own.indexOf(run) + 1}` };
  });
}

/** `1 rater`, `4 raters`. */
export const counting = (n: number, what: string) => `${n} ${what}${n === 1 ? "" : "s"}`;
