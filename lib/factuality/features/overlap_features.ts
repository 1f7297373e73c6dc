import { assertedMean, type Comparison, completeness, weightedMean } from "./comparison.ts";
import type { FamilyResult, WeighedFinding } from "./features.ts";
import type { Word } from "./word.ts";
import { FOUND } from "./word_match.ts";

/** Words of the claim in the evidence. With nothing to find, everything is found. */
export function overlapFeatures(comparison: Comparison): FamilyResult<"overlap"> {
  const { claim, sentences, anywhere } = comparison;
  const top = claim.map((_, index) => Math.max(0, ...sentences.map((one) => one.matches[index]!)));
  return {
    values: {
      "overlap.top": assertedMean(comparison, (index) => top[index]!, 0),
      "overlap.all": weightedMean(
        claim,
        (index) => Math.max(top[index]!, anywhere[index]! ? 1 : 0),
        0,
      ),
      // At half weight: a word that is not there may be said in others.
      "overlap.complete": completeness(comparison, (index) => (1 - top[index]!) / 2),
    },
    findings: missing(claim, top),
  };
}

function missing(claim: readonly Word[], top: readonly number[]): readonly WeighedFinding[] {
  const absent = claim.filter(({ wordClass }, index) =>
    top[index]! < FOUND && wordClass !== "quantity" && wordClass !== "name"
  );
  if (absent.length === 0 || claim.length === 0) return [];
  const words = absent.map(({ text }) => `“${text}”`).join(", ");
  return [{
    feature: "overlap.top",
    words: `the evidence does not speak of ${words}`,
    speaksFor: "not enough info",
    strength: absent.reduce((sum, { weight }) => sum + weight, 0) /
      claim.reduce((sum, { weight }) => sum + weight, 0),
  }];
}
