import fc from "fast-check";
import type { ClaimRating, ConsensusScore } from "../agreement.ts";
import type { ProfileInput } from "../profile.ts";
import type { ClassifiedClaim, ClassifiedResponse } from "../rates.ts";

const LABELS: Readonly<Record<string, ClassifiedClaim["label"]>> = {
  s: "supported",
  r: "refuted",
  n: "not enough info",
};

/**
 * A response whose claims are one letter each: `s` supported, `r` refuted, `n` not enough info, `-`
 * unscored.
 */
export function response(
  query: string,
  letters: string,
  { model = "m", cluster = query, abstained = false } = {},
): ClassifiedResponse {
  const claims = [...letters].map((letter, index) => {
    return { id: `c${index + 1}`, text: `${query} says ${index + 1}.`, label: LABELS[letter] };
  });
  return { model, query, cluster, abstained, claims };
}

/** Up to eight responses of up to six claims, one per query. */
export const RESPONSES = fc.array(
  fc.tuple(fc.string({ unit: fc.constantFrom(..."srn-"), maxLength: 6 }), fc.boolean()),
  { maxLength: 8 },
).map((made) => made.map(([letters, abstained], i) => response(`q${i}`, letters, { abstained })));

/**
 * Ratings by raters above chance: one word per claim, one letter per rater (`s` or `n`; `–` for
 * none).
 */
export function ratings(...claims: readonly string[]): ClaimRating[] {
  return claims.flatMap((letters, index) => {
    const query = `q${index}`;
    const claim = { query, cluster: query, claimId: "c1", text: `${query} says 1.` };
    return [...letters].flatMap((letter, rater) => {
      const label = letter === "s" ? "supported" : "not supported";
      const by = { rater: `rater ${rater + 1}`, label, aboveChance: true };
      return letter === "–" ? [] : [{ ...claim, ...by }];
    });
  });
}

const consensus = (query: string, f1: number): ConsensusScore => {
  const counts = { statements: 2, supported: 1, consensus: 2, included: 1, others: 3 };
  return { query, cluster: query, precision: f1, recall: f1, f1, ...counts };
};

/** A model with 40 responses, eight with a refuted claim. Three raters mostly agree. */
export function profileInput(changes: Partial<ProfileInput> = {}): ProfileInput {
  const { model = "SmolLM2 135M" } = changes;
  const queries = Array.from({ length: 40 }, (_, index) => `q${index}`);
  return {
    model,
    responses: queries.map((query, index) =>
      response(query, ["ssss", "sss-", "srss", "sssn"][index % 4]!, { model })
    ),
    consensus: queries.map((query, index) => consensus(query, (index % 4) / 4)),
    ratings: ratings(...queries.map((_, index) => ["sss", "nnn", "sss", "snn"][index % 4]!)),
    uncertainties: queries.map((query, index) => {
      const epistemic = 0.1 + (index % 5) / 20;
      const parts = { total: 0.2 + epistemic, aleatoric: 0.2, epistemic };
      return { query, cluster: query, parts };
    }),
    refusals: queries.map((query, index) => {
      return { query, cluster: query, exists: index % 2 === 0, abstained: index % 4 === 1 };
    }),
    provenance: {
      madeAt: "2026-11-22T15:00:00.000Z",
      settings: { verifier: "trained verifier", temperature: 0 },
    },
    seed: 1,
    ...changes,
  };
}

/** Inputs of a profile without any measurement. */
export const NO_MEASUREMENTS = {
  responses: [],
  consensus: [],
  ratings: [],
  uncertainties: [],
  refusals: [],
};

/** A thought with these option probabilities after it, the correct option first. */
export const sampledThought = (question: string, probabilities: readonly number[]) => ({
  model: "m",
  question_id: `${question}/capital`,
  cluster: question,
  kind: "capital",
  logProbabilities: probabilities.map(Math.log),
  token_entropy: 2,
});
