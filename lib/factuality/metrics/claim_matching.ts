import { cosine } from "../../models/encoder/cosine.ts";
import type { SentenceEncoder } from "../../models/encoder/sentence_encoder.ts";
import type { ReadingTools } from "../features/read_words.ts";
import type { Passage } from "../retrieval/passage.ts";
import type { Verifier } from "../verifiers/verifier.ts";
import type { Entails } from "./claim_matrix.ts";
import { mayEntail, specificsOf } from "./specifics.ts";

/** What tells which of some claims say what others say. */
export interface ClaimMatcher {
  readonly name: string;
  /** Thresholds and what it compares with: whatever could change a match. */
  readonly settings: Readonly<Record<string, string | number | boolean>>;
  /** Reads claims; the function knows these texts only. Throws the signal's reason when it aborts. */
  entailments(
    claims: readonly string[],
    options?: { readonly signal?: AbortSignal },
  ): Promise<Entails>;
}

/**
 * P(supported) from which a claim, read as a source, entails another. More than a verdict needs, for
 * most pairs of claims about one thing have nothing to do with one another. Chosen on the development
 * part of the labelled pairs (see `labelled_pairs.ts`): from 0.5 on 31 of 52 entailments are none there,
 * from 0.7 on 7 of 28, and none is lost in between.
 */
export const ENTAILED_FROM = 0.7;

/**
 * Cosine of sentence vectors from which two claims say the same, chosen on the same pairs. Sentences
 * about one country share much of their vector whatever they say of it, so it is high.
 */
export const SAME_FROM = 0.95;

/**
 * One claim is the source and the verifier checks the other against it; a verdict that was not reached
 * is no entailment. Pairs whose numbers or names differ are not asked about; see `mayEntail`.
 */
export function verifierMatcher(
  verifier: Verifier,
  tools: ReadingTools,
  threshold: number = ENTAILED_FROM,
): ClaimMatcher {
  return {
    name: `entailment by the ${verifier.name}`,
    settings: { ...verifier.settings, threshold },
    async entailments(claims, options = {}) {
      const candidates = candidatePairs(claims, tools);
      const found = new Map<string, ReadonlySet<string>>();
      for (const [premise, others] of candidates) {
        const verdicts = await verifier.verify(others, [passageOf(premise)], options);
        const entailed = others.filter((_, index) => {
          const verdict = verdicts[index]!;
          return verdict.kind === "scored" && verdict.probabilities.supported >= threshold;
        });
        found.set(premise, new Set(entailed));
      }
      return (premise, claim) => found.get(premise)?.has(claim) ?? false;
    },
  };
}

/**
 * Claims whose sentence vectors are near, in either direction alike but for numbers and names: the
 * premise must have the claim's; see `mayEntail`.
 */
export function cosineMatcher(
  encoder: SentenceEncoder,
  tools: ReadingTools,
  threshold: number = SAME_FROM,
): ClaimMatcher {
  return {
    name: `sentence vectors of ${encoder.name}`,
    settings: { ...encoder.settings, threshold },
    async entailments(claims, options = {}) {
      const candidates = candidatePairs(claims, tools);
      const texts = [...candidates.keys()];
      const encoded = await encoder.encode(texts, options);
      const vectors = new Map(texts.map((text, index) => [text, encoded[index]!.sentence]));
      const found = new Map(
        [...candidates].map(([premise, others]) => {
          const isNear = (other: string) =>
            cosine(vectors.get(premise)!, vectors.get(other)!) >= threshold;
          return [premise, new Set(others.filter(isNear))];
        }),
      );
      return (premise, claim) => found.get(premise)?.has(claim) ?? false;
    },
  };
}

/** For each distinct claim the others that its numbers and names do not keep it from entailing. */
function candidatePairs(
  claims: readonly string[],
  tools: ReadingTools,
): ReadonlyMap<string, readonly string[]> {
  const read = [...new Set(claims)].map((text) => [text, specificsOf(text, tools)] as const);
  return new Map(read.map(([premise, specifics]) => {
    const others = read.filter(([text, other]) => text !== premise && mayEntail(specifics, other));
    return [premise, others.map(([text]) => text)];
  }));
}

const passageOf = (text: string): Passage => ({
  id: "claim",
  text,
  collection: "another response",
  title: "",
  section: "",
});
