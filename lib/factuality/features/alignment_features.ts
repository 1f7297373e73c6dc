import {
  assertedMean,
  type Comparison,
  completeness,
  type SentenceComparison,
} from "./comparison.ts";
import type { FamilyResult } from "./features.ts";
import type { WordClass } from "./word.ts";
import { FOUND } from "./word_match.ts";

/** Below this, a word's nearest in the evidence is not about the same. */
const LOOSE = 0.6;

/** How near in meaning the evidence comes to each word, by vectors in context. */
export function alignmentFeatures(comparison: Comparison): FamilyResult<"alignment"> {
  const { claim, asserted, sentences } = comparison;
  const best = claim.map((_, index) => Math.max(0, ...sentences.map((one) => nearest(one, index))));
  const matched = claim.map((_, index) =>
    sentences.reduce((most, { matches }) => Math.max(most, matches[index]!), 0)
  );
  const own = best.filter((_, index) => asserted[index]);
  const worst = (...classes: readonly WordClass[]) =>
    Math.min(
      1,
      ...best.filter((_, index) => asserted[index] && classes.includes(claim[index]!.wordClass)),
    );
  const cosines = sentences.map(({ sentence }) => sentence.cosine);
  return {
    values: {
      "alignment.mean": assertedMean(comparison, (index) => best[index]!, 0),
      "alignment.min": sentences.length === 0 ? 0 : Math.min(1, ...own),
      "alignment.low_tenth": lowTenth(own),
      "alignment.under_half": assertedMean(comparison, (index) => best[index]! < 0.5 ? 1 : 0, 1),
      "alignment.loose": assertedMean(
        comparison,
        (index) => best[index]! < LOOSE && matched[index]! < FOUND ? 1 : 0,
        1,
      ),
      "alignment.complete": completeness(
        comparison,
        (index) => (1 - Math.min(1, Math.max(best[index]!, matched[index]!))) ** 2,
      ),
      "alignment.names": worst("name"),
      "alignment.nouns": worst("noun"),
      "alignment.verbs": worst("verb"),
      "alignment.adjectives": worst("adjective", "adverb"),
      "alignment.sentence": cosines.length === 0 ? 0 : Math.max(...cosines),
    },
    findings: [],
  };
}

const nearest = ({ pairs }: SentenceComparison, index: number) =>
  pairs[index]!.reduce((best, { cosine }) => Math.max(best, cosine), 0);

/** The value that a tenth of the words are at or under, interpolated; 0 without words. */
function lowTenth(values: readonly number[]): number {
  if (values.length === 0) return 0;
  const sorted = values.toSorted((a, b) => a - b);
  const place = 0.1 * (sorted.length - 1);
  const below = Math.floor(place);
  const above = sorted[Math.min(below + 1, sorted.length - 1)]!;
  return sorted[below]! + (place - below) * (above - sorted[below]!);
}
