import type { ConsensusScore } from "../../metrics/consensus_f1.ts";
import { response } from "../../metrics/testdata/responses.ts";
import type { ClaimRating, ProfileInput } from "../profile_input.ts";

/** Labels of the three raters of one claim, `s` or `n`, one letter each. */
export function ratings(...claims: readonly string[]): ClaimRating[] {
  return claims.flatMap((letters, index) =>
    [...letters].map((letter, rater) => ({
      query: `q${index}`,
      cluster: `q${index}`,
      claimId: "c1",
      text: `q${index} says 1.`,
      rater: `rater ${rater + 1}`,
      label: letter === "s" ? "supported" : "not supported",
    }))
  );
}

const consensus = (query: string, f1: number): ConsensusScore => ({
  ...{ query, cluster: query, precision: f1, recall: f1, f1 },
  ...{ statements: 2, supported: 1, consensus: 2, included: 1, others: 3 },
});

/** A model of 40 responses, a claim in eight of which is refuted, rated by three who mostly agree. */
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
    ratingLabels: ["supported", "not supported"],
    uncertainties: queries.map((query, index) => ({
      query,
      cluster: query,
      parts: { total: 0.3 + (index % 5) / 20, aleatoric: 0.2, epistemic: 0.1 + (index % 5) / 20 },
    })),
    refusals: queries.map((query, index) => ({
      ...{ query, cluster: query, exists: index % 2 === 0, abstained: index % 4 === 1 },
    })),
    provenance: {
      madeAt: "2026-11-22T15:00:00.000Z",
      settings: { verifier: "trained verifier", temperature: 0 },
    },
    seed: 1,
    ...changes,
  };
}
