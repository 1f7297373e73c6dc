import type { Passage } from "../retrieval/passage.ts";
import type {
  Evidence,
  Provenance,
  Unscored,
  Verdict,
  VerdictProbabilities,
} from "../verdicts/verdict.ts";
import { chunkEvidence, chunksOf, type SourceChunk } from "./source_chunks.ts";
import { nliProbabilities } from "./onnx_nli_labels.ts";
import type { NliNetwork } from "./onnx_nli_network.ts";
import { mostProbable, scoredVerdict, withoutEvidence } from "./verdict_parts.ts";

/** What the network says of a claim beside one stretch of the source. */
export interface ChunkAnswer {
  readonly chunk: SourceChunk;
  readonly probabilities: VerdictProbabilities;
}

function greatest(
  answers: readonly ChunkAnswer[],
  label: "supported" | "refuted",
): ChunkAnswer | undefined {
  return answers.reduce<ChunkAnswer | undefined>(
    (best, answer) =>
      best === undefined || answer.probabilities[label] > best.probabilities[label] ? answer : best,
    undefined,
  );
}

/**
 * The stretches taken together. A source bears a claim out where one stretch does: P(supported) is the
 * greatest. The rest is shared as the stretch does that contradicts most: a source that contradicts
 * in one place and is silent in others contradicts. For one stretch these are its own probabilities.
 */
export function combineAnswers(answers: readonly ChunkAnswer[]): {
  readonly probabilities: VerdictProbabilities;
  readonly evidence: readonly Evidence[];
} | undefined {
  const [best, worst] = [greatest(answers, "supported"), greatest(answers, "refuted")];
  if (best === undefined || worst === undefined) return undefined;
  const supported = best.probabilities.supported;
  const against = worst.probabilities;
  const others = against.refuted + against["not enough info"];
  const refuted = others === 0 ? 0 : (1 - supported) * against.refuted / others;
  const probabilities = { supported, refuted, "not enough info": 1 - supported - refuted };
  const [forIt, againstIt] = [
    chunkEvidence(best.chunk, supported),
    chunkEvidence(worst.chunk, against.refuted),
  ];
  const decided = mostProbable(probabilities) === "refuted"
    ? [againstIt, forIt]
    : [forIt, againstIt];
  return { probabilities, evidence: best === worst ? decided.slice(0, 1) : decided };
}

function failure(provenance: Provenance, message: string): Unscored {
  return { kind: "unscored", reason: "failure", message, partialText: undefined, provenance };
}

function scored(answers: readonly ChunkAnswer[], provenance: Provenance): Verdict {
  const combined = combineAnswers(answers);
  if (combined === undefined) return withoutEvidence(provenance);
  return scoredVerdict({ ...combined, provenance });
}

/** Where a claim takes up more than this share of what the network can read, a source has no room. */
const MOST_OF_CLAIM = 0.75;

/**
 * A claim beside each stretch of the passages. Unscored without text, for a claim that leaves no room
 * for a source, and where the network's answer cannot be read.
 */
export async function readClaim(
  network: NliNetwork,
  claim: string,
  passages: readonly Passage[],
  { provenance, signal }: {
    readonly provenance: Provenance;
    readonly signal: AbortSignal | undefined;
  },
): Promise<Verdict> {
  const room = network.longest - network.frame - network.countTokens(claim);
  if (room < network.longest * (1 - MOST_OF_CLAIM)) {
    const words = `The claim leaves ${Math.max(0, room)} of ${network.longest} tokens to a source.`;
    return failure(provenance, words);
  }
  const count = (text: string) => network.countTokens(text);
  const chunks = passages.filter(({ text }) => /\S/.test(text))
    .flatMap((passage) => chunksOf(passage, room, count));
  const answers: ChunkAnswer[] = [];
  for (const chunk of chunks) {
    signal?.throwIfAborted();
    try {
      const logits = await network.logits(chunk.premise, claim);
      answers.push({ chunk, probabilities: nliProbabilities(logits, network.labels) });
    } catch (error) {
      return failure(provenance, error instanceof Error ? error.message : `${error}`);
    }
  }
  return scored(answers, provenance);
}
