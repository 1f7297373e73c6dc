/** Accuracy of both claim matchers, by entailment and by sentence vectors, on human labels. */
import { loadMiniLm } from "../../../models/encoder/minilm.ts";
import { cosine, type SentenceEncoder } from "../../../models/encoder/network_encoder.ts";
import { type Gazetteer, gazetteerOf } from "../../../factuality/features/words.ts";
import type { ClaimMatcher } from "../../../factuality/metrics/agreement.ts";
import { precisionInterval, recallInterval } from "../../../factuality/metrics/classification.ts";
import { candidatePairs, verifierMatcher } from "../../../factuality/own/claim_matching.ts";
import { FACTUALITY_PATHS } from "../../../factuality/paths.ts";
import { openTrainedVerifier, readTrainedWeights } from "../../../factuality/verifiers/head.ts";
import type { LabelledPair } from "./tables.ts";

const ENTAILMENT = ["entails", "does not"] as const;

type Entailment = typeof ENTAILMENT[number];

/**
 * Measures a matcher on both directions of each labelled pair. Most pairs are similar, since they
 * were sampled from those that a matcher with a low threshold links; recall holds for such pairs
 * only.
 */
export async function measureMatcher(
  pairs: readonly LabelledPair[],
  matcher: ClaimMatcher,
) {
  const entails = await matcher.entailments(pairs.flatMap(({ first, second }) => [first, second]));
  const named = (holds: boolean): Entailment => holds ? "entails" : "does not";
  const outcomes = pairs.flatMap(({ question_id: cluster, first, second, label }) =>
    ([["first entails", first, second], ["second entails", second, first]] as const)
      .map(([name, premise, claim]) => {
        const truth = named(label === "same" || label === name);
        return { cluster, truth, predicted: named(entails(premise, claim)) };
      })
  );
  return {
    matcher: matcher.name,
    directions: outcomes.length,
    entailments: outcomes.filter(({ truth }) => truth === "entails").length,
    precision: precisionInterval(outcomes, "entails"),
    recall: recallInterval(outcomes, "entails"),
  };
}

/** Opens both matchers: the default verifier, and MiniLM. Throws as opening either does. */
export async function openMatchers(threads: number) {
  const opening = { cacheDirectory: FACTUALITY_PATHS.cache, threads };
  await using opened = new AsyncDisposableStack();
  const verifier = opened.use(await openTrainedVerifier(opening));
  const encoder = opened.use(await loadMiniLm(opening));
  const gazetteer = gazetteerOf(readTrainedWeights().gazetteer);
  const resources = opened.move();
  return {
    entailment: verifierMatcher(verifier, gazetteer),
    sentenceVectors: cosineMatcher(encoder, gazetteer),
    [Symbol.asyncDispose]: () => resources[Symbol.asyncDispose](),
  };
}

/**
 * Cosine from which two claims are equivalent, chosen on the same pairs. It is high, since
 * sentences about one country have similar vectors whatever they state.
 */
const SAME_FROM = 0.95;

/** Matches claims with near vectors and equal numbers and names. See {@link mayEntail}. */
const cosineMatcher = (encoder: SentenceEncoder, gazetteer: Gazetteer): ClaimMatcher => ({
  name: `sentence vectors of ${encoder.name}`,
  async entailments(claims) {
    const candidates = candidatePairs(claims, gazetteer);
    const texts = [...candidates.keys()];
    const encoded = await encoder.encode(texts);
    const vectors = new Map(texts.map((text, index) => [text, encoded[index]!]));
    return (premise, claim) =>
      (candidates.get(premise)?.includes(claim) ?? false) &&
      cosine(vectors.get(premise)!, vectors.get(claim)!) >= SAME_FROM;
  },
});
