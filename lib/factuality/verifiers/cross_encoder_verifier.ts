import type { CrossEncoder } from "../../models/encoder/cross_encoder.ts";
import { type PackedPair, packPair } from "./cross_encoder_pair.ts";
import { sourceSentences } from "./cross_encoder_sentences.ts";
import { softmax } from "../../stats/softmax.ts";
import {
  type Provenance,
  type Verdict,
  VERDICT_LABELS,
  type VerdictProbabilities,
} from "../verdicts/verdict.ts";
import { chunkEvidence } from "./source_chunks.ts";
import { scoredVerdict, withoutEvidence } from "./verdict_parts.ts";
import type { Verifier } from "./verifier.ts";

/** @throws {SyntaxError} for a network of other labels: it was trained for something else. */
function assertLabels(labels: readonly string[]): void {
  if (labels.join() === VERDICT_LABELS.join()) return;
  throw new SyntaxError(
    `Cannot verify with a cross-encoder of the labels ${labels.join(", ") || "none"}: it needs ` +
      VERDICT_LABELS.join(", "),
  );
}

/** Logits as calibrated probabilities: divided by the temperature that the file states. */
export function crossEncoderProbabilities(
  logits: readonly number[],
  temperature: number,
): VerdictProbabilities {
  const shares = softmax(logits.map((logit) => logit / temperature));
  const entries = VERDICT_LABELS.map((label, index) => [label, shares[index]!] as const);
  return Object.fromEntries(entries) as Record<(typeof VERDICT_LABELS)[number], number>;
}

function tooLong(longest: number, provenance: Provenance): Verdict {
  const message =
    `The claim takes up most of the ${longest} tokens that the network reads at once.`;
  return { kind: "unscored", reason: "failure", message, partialText: undefined, provenance };
}

async function verdictOf(
  network: CrossEncoder,
  pair: PackedPair | undefined,
  provenance: Provenance,
): Promise<Verdict> {
  if (pair === undefined) return tooLong(network.longest, provenance);
  if (pair.sentences.length === 0) return withoutEvidence(provenance);
  const logits = await network.logits(pair.ids);
  return scoredVerdict({
    probabilities: crossEncoderProbabilities(logits, network.temperature),
    evidence: pair.sentences.map(({ chunk, share }) => chunkEvidence(chunk, share)),
    provenance,
  });
}

/**
 * A fine-tuned network that reads a claim together with the sentences of the source that have most
 * of its words, as many as it can read at once; what else a long source says is not seen.
 * Probabilities are calibrated by the temperature in its file. The network stays the caller's.
 *
 * @throws {SyntaxError} where its labels are not those of verdicts.
 */
export function crossEncoderVerifier(network: CrossEncoder, name = "cross-encoder"): Verifier {
  assertLabels(network.labels);
  const modelSha256 = String(network.settings["weightsSha256"]);
  const provenance: Provenance = { producedBy: name, modelSha256, promptSha256: undefined };
  const tokenise = (text: string) => network.tokenise(text);
  return {
    name,
    settings: network.settings,
    async verify(claims, passages, { signal } = {}) {
      const sentences = sourceSentences(passages, tokenise);
      const verdicts: Verdict[] = [];
      for (const claim of claims) {
        signal?.throwIfAborted();
        const pair = packPair(claim, sentences, tokenise, network);
        verdicts.push(await verdictOf(network, pair, provenance));
      }
      return verdicts;
    },
  };
}
