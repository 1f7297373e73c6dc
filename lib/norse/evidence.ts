import type { PairLikelihood } from "../pairs/answers.ts";
import { readBlindReview } from "../pairs/blind_review.ts";
import type { DrawnMeasure } from "../pairs/clustered.ts";
import { panelEvidence } from "../pairs/evidence.ts";
import { DATASET, readNorseDataset } from "./dataset.ts";
import type { Phenomenon } from "./rules.ts";
import { NORSE_PATHS, NORSE_STUDY } from "./study.ts";
import { ARTEFACTS, BALANCED, PRECISION, PYTORCH_AGREEMENT, STATISTICS } from "./tables.ts";

/**
 * Everything in data/norse that figures and findings are made from. What is measured outside the
 * notebooks may be missing; throws where one of their own files is missing or damaged, and where no
 * panel is complete.
 */
export function readEvidence() {
  const items = readNorseDataset();
  return {
    items,
    ...panelEvidence(NORSE_STUDY, items.map(({ pair }) => pair)),
    rejections: DATASET.rejections.read(),
    review: readBlindReview(NORSE_PATHS.blindReview, items),
    statistics: STATISTICS.read(),
    artefacts: ARTEFACTS.read(),
    balanced: BALANCED.read(),
    precision: PRECISION.readSoFar().rows,
    agreement: PYTORCH_AGREEMENT.readSoFar().rows,
  };
}

/** Where an interval lies against chance, in words that claim no more than it says. */
export function againstChance(measure: DrawnMeasure): string {
  if (measure.kind === "unavailable") return "not measured";
  if (measure.kind === "value") return "without an interval";
  if (measure.low > 0.5) return "above chance";
  return measure.high < 0.5 ? "below chance" : "not significantly different from chance";
}

/** Of the pairs of a phenomenon that a model scored, the share whose grammatical member has more tokens. */
export function longerShare(
  likelihoods: readonly PairLikelihood[],
  model: string,
  phenomenon: Phenomenon,
): string {
  const own = likelihoods.filter((row) =>
    row.model === model && row.pairId.startsWith(`ON_${phenomenon}_`)
  );
  const longer = own.filter((row) => row.grammatical.tokens > row.ungrammatical.tokens);
  return `${(100 * longer.length / own.length).toFixed(1)} % of ${own.length}`;
}
