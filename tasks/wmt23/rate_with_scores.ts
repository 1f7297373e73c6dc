import type { Evaluation, RatingWorkbook } from "../../lib/translation/item.ts";
import type { SealedKey } from "../../lib/translation/preparation/key.ts";
import type { RunConfig } from "../../lib/translation/run_config.ts";
import type { Measure, ScoredTranslation } from "./scores.ts";

/** Least score of each bucket but the last: a finer order would be made up. */
const LEAST = [90, 75, 50] as const;
const STAMP = "2024-01-01T00:00:00.000Z";

/**
 * The workbook as if a rater had given the file's scores: each stands at the translation that the
 * key gives its system. Buckets are cut from the scores, so that they are in order by construction
 * and say nothing of their own; times are made up too.
 *
 * Throws RangeError for a segment or system that the file has not.
 */
export function rateWithScores(
  workbook: RatingWorkbook,
  key: SealedKey,
  translations: readonly ScoredTranslation[],
  measure: Measure,
  config: RunConfig,
): RatingWorkbook {
  const scores = new Map(translations.map((it) => [nameOf(it), it.scores[measure]]));
  const items = workbook.items.map(({ input, evaluation }, index) => {
    const { document, segment, systems } = key.items[index]!;
    const das = systems.map((system) => {
      const da = scores.get(nameOf({ document, segment, system }));
      if (da !== undefined) return da;
      throw new RangeError(`Cannot rate: the file has no ${measure} of ${segment} by ${system}.`);
    });
    return { input, evaluation: confirmed(evaluation, das, config) };
  });
  return { ...workbook, items };
}

const nameOf = ({ document, segment, system }: Omit<Partial<ScoredTranslation>, "scores">) =>
  JSON.stringify([document, segment, system]);

function confirmed(
  evaluation: Evaluation,
  das: readonly number[],
  { buckets }: RunConfig,
): Evaluation {
  return {
    ...evaluation,
    ratings: das.map((da) => {
      // −1, below all of them, is the last bucket.
      const place = LEAST.findIndex((least) => da >= least);
      return { bucket: buckets.at(place)!.key, da };
    }),
    startedAt: STAMP,
    committedAt: STAMP,
  };
}
