import type { Comparison } from "./comparison.ts";
import {
  type FamilyResult,
  type FeatureName,
  type WeighedFinding,
  WORTH_TELLING,
} from "./features.ts";
import { type Rival, strongestOf, strongestRival } from "./rival.ts";
import { type Opposition, opposition } from "./word_match.ts";

/** A word that excludes the claim's word stands where it should stand. */
export function antonymFeatures(comparison: Comparison): FamilyResult<"antonym"> {
  const opposite = strongest(comparison, "opposite");
  const degree = strongest(comparison, "degree");
  const sibling = strongest(comparison, "sibling");
  return {
    values: {
      "antonym.opposite": opposite?.strength ?? 0,
      "antonym.degree": degree?.strength ?? 0,
      "antonym.sibling": sibling?.strength ?? 0,
    },
    findings: [
      ...told("antonym.opposite", opposite),
      ...told("antonym.degree", degree),
      ...told("antonym.sibling", sibling),
    ],
  };
}

/** An opposite within a negation says the same: "not safe" is unsafe. */
function strongest(comparison: Comparison, wanted: Opposition): Rival | undefined {
  const rivals = comparison.claim.flatMap((_, index) =>
    strongestRival(comparison, index, (claim, source) =>
      claim.negated === source.negated &&
      opposition(claim, source, comparison.wordnet) === wanted) ?? []
  );
  return strongestOf(rivals);
}

function told(feature: FeatureName, rival: Rival | undefined): readonly WeighedFinding[] {
  if (rival === undefined || rival.strength < WORTH_TELLING) return [];
  const words = `source says “${rival.source.text}”, claim says “${rival.claim.text}”`;
  return [{ feature, words, speaksFor: "refuted", strength: rival.strength }];
}
