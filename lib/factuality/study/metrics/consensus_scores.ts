import type { ClaimMatcher } from "../../metrics/claim_matching.ts";
import { type ClaimMatrix, claimMatrix } from "../../metrics/claim_matrix.ts";
import type { ClassifiedResponse } from "../../metrics/classified_response.ts";
import { consensusF1, type ConsensusScore } from "../../metrics/consensus_f1.ts";

/**
 * The claims of every system about each query side by side. Queries that one system alone answered are
 * left out. `onMatrix` is told of each. Throws the signal's reason when it aborts.
 */
export async function claimMatrices(
  responses: readonly ClassifiedResponse[],
  matcher: ClaimMatcher,
  { signal, onMatrix = () => {} }: {
    readonly signal?: AbortSignal;
    readonly onMatrix?: () => void;
  } = {},
): Promise<readonly ClaimMatrix[]> {
  const shared = [...Map.groupBy(responses, ({ query }) => query).values()]
    .filter(({ length }) => length > 1);
  const matrices: ClaimMatrix[] = [];
  for (const answers of shared) {
    const texts = answers.flatMap(({ claims }) => claims.map(({ text }) => text));
    matrices.push(claimMatrix(answers, await matcher.entailments(texts, signal ? { signal } : {})));
    onMatrix();
  }
  return matrices;
}

/** One system against the consensus of the others, a score a query that it answered. */
export function consensusOf(
  system: string,
  matrices: readonly ClaimMatrix[],
): readonly ConsensusScore[] {
  return matrices
    .filter(({ models, silent }) => models.includes(system) || silent.includes(system))
    .map((matrix) => consensusF1(matrix, system));
}
