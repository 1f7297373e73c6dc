import type { RandomSource } from "../../../stats/random.ts";
import type { LabelledCase } from "../../cases/labelled_case.ts";
import {
  type JudgedCase,
  type MeasuredVerdicts,
  measureVerdicts,
} from "../../training/measured_verdicts.ts";

/** The probability, 0–1, that a claim is supported, from the claim's words alone. */
export type ClaimOnlyModel = (claim: string) => number;

/**
 * Naive Bayes over the words and pairs of words of claims, never their sources (McCallum & Nigam
 * 1998, multinomial, add-one smoothing, either side as likely before). Numbers count by their shape,
 * so that one badly made shows. What it finds above chance is an artefact of how cases were made.
 */
export function trainClaimOnly(cases: readonly LabelledCase[]): ClaimOnlyModel {
  const supported = countTerms(cases.filter(({ label }) => label === "supported"));
  const others = countTerms(cases.filter(({ label }) => label !== "supported"));
  const known = new Set([...supported.counts.keys(), ...others.counts.keys()]);
  const logShare = ({ counts, total }: TermCounts, term: string) =>
    Math.log(((counts.get(term) ?? 0) + 1) / (total + known.size));
  return (claim) => {
    const odds = termsOf(claim).filter((term) => known.has(term))
      .reduce((sum, term) => sum + logShare(supported, term) - logShare(others, term), 0);
    return 1 / (1 + Math.exp(-odds));
  };
}

/** What the model makes of other cases, read as supported or not; intervals resample clusters. */
export function measureClaimOnly(
  model: ClaimOnlyModel,
  cases: readonly LabelledCase[],
  random: RandomSource,
): MeasuredVerdicts {
  const judged = cases.map(({ claim, label, cluster }): JudgedCase => {
    const supported = model(claim);
    const probabilities = { supported, "refuted": 1 - supported, "not enough info": 0 };
    return { label, cluster, probabilities };
  });
  return measureVerdicts(judged, "binary", random);
}

interface TermCounts {
  readonly counts: ReadonlyMap<string, number>;
  readonly total: number;
}

function countTerms(cases: readonly LabelledCase[]): TermCounts {
  const terms = cases.flatMap(({ claim }) => termsOf(claim));
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return { counts, total: terms.length };
}

function termsOf(claim: string): readonly string[] {
  const words = claim.toLowerCase().replace(/\d/gu, "0").match(/[\p{L}\p{N}]+(?:[.,]\p{N}+)*/gu) ??
    [];
  const pairs = words.slice(1).map((word, index) => `${words[index]} ${word}`);
  return [...words, ...pairs];
}
