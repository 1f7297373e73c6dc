import { readEnglish } from "../claims/english.ts";
import type {
  Claim,
  Contradiction,
  InternalConsistency,
  ScoredVerdict,
  Verdict,
} from "../types.ts";
import { verifyTogether } from "./verify_claims.ts";
import { type ConsistencyComponents, orElse, type Run } from "./run.ts";
import { verdictReason } from "./unsupported_claims.ts";

/**
 * A probability of "refuted" from here on is a contradiction; fixed beforehand. More than a verdict
 * needs, for most pairs of claims have nothing to do with one another, and a verifier that cannot tell
 * "refuted" from "not enough info" must not reach it.
 */
const CONTRADICTED_FROM = 0.7;

/**
 * What can be said of a text by itself: which of its claims exclude one another, and how probable a
 * language model finds each. Undefined with fewer than two claims that can be checked.
 */
export async function internalConsistency(
  run: Run,
  components: ConsistencyComponents,
  claims: readonly Claim[],
): Promise<InternalConsistency | undefined> {
  const checkable = claims.filter(({ notCheckable }) => notCheckable === undefined);
  if (checkable.length < 2) return undefined;
  return {
    contradictions: await contradictions(run, components, checkable),
    plausibility: await plausibility(run, components, checkable),
  };
}

/** Each pair is read in both directions: "refuted" need not be symmetric for a verifier. */
async function contradictions(
  run: Run,
  { verifier, mostPairs }: ConsistencyComponents,
  claims: readonly Claim[],
): Promise<readonly Contradiction[]> {
  const { pairs, comparable } = comparablePairs(claims, mostPairs);
  if (pairs.length < comparable) {
    run.problems.add(
      `Of ${comparable} pairs of claims with words in common the ${pairs.length} with the most were compared.`,
    );
  }
  // Each claim that is a source is read once: `verdicts.get(source).get(claim)`.
  const directed = pairs.flatMap(([one, other]) => [[one, other], [other, one]] as const);
  const verdicts = new Map<Claim, ReadonlyMap<Claim, Verdict>>();
  for (const [source, entries] of Map.groupBy(directed, ([source]) => source)) {
    const { id, text } = source;
    const passage = { id, text, collection: "candidate", title: "", section: "" };
    const texts = entries.map(([, claim]) => claim.text);
    const found = await verifyTogether(run, verifier, texts, [passage]);
    verdicts.set(source, new Map(entries.map(([, claim], index) => [claim, found[index]!])));
  }
  return pairs.flatMap(([one, other]) => {
    const [strongest] = [verdicts.get(one)?.get(other), verdicts.get(other)?.get(one)]
      .filter((verdict): verdict is ScoredVerdict =>
        verdict?.kind === "scored" && verdict.probabilities.refuted >= CONTRADICTED_FROM
      )
      .sort((a, b) => b.probabilities.refuted - a.probabilities.refuted);
    if (strongest === undefined) return [];
    const words =
      `"${one.text}" (${one.id}) and "${other.text}" (${other.id}) exclude one another: ` +
      verdictReason(strongest);
    const probability = strongest.probabilities.refuted;
    return [{ claimIds: [one.id, other.id], probability, words }];
  });
}

/** The parts of speech whose words say what a sentence is about. */
const CONTENT = new Set(["ADJ", "NOUN", "NUM", "PROPN", "VERB"]);

/**
 * Pairs of claims with a name or content word in common, those with the most in common first, at
 * most so many, and how many there were before the bound; the number of pairs grows with the square
 * of the claims. Equal pairs stay in the order of the text. Statements that cannot be checked
 * contradict nothing.
 */
export function comparablePairs(claims: readonly Claim[], most: number): {
  readonly pairs: readonly (readonly [Claim, Claim])[];
  readonly comparable: number;
} {
  const read = claims.filter(({ notCheckable }) => notCheckable === undefined)
    .map((claim) => ({ claim, words: contentWords(claim.text) }));
  const found = read.flatMap((one, index) =>
    read.slice(index + 1).flatMap((other) => {
      const common = one.words.intersection(other.words).size;
      return common === 0 ? [] : [{ pair: [one.claim, other.claim] as const, common }];
    })
  );
  const pairs = found.toSorted((a, b) => b.common - a.common).slice(0, most);
  return { pairs: pairs.map(({ pair }) => pair), comparable: found.length };
}

function contentWords(text: string): ReadonlySet<string> {
  const kept = readEnglish(text).tokens
    .filter(({ partOfSpeech, stopWord }) => !stopWord && CONTENT.has(partOfSpeech));
  return new Set(kept.map(({ lemma }) => lemma));
}

async function plausibility(
  run: Run,
  { languageModel }: ConsistencyComponents,
  claims: readonly Claim[],
): Promise<InternalConsistency["plausibility"]> {
  const scored = async (): Promise<readonly number[]> => {
    const texts = claims.map(({ text }) => text);
    const scores = await languageModel!.score(texts, { signal: run.signal });
    return scores.map(({ logProbability, tokens }) => logProbability / tokens);
  };
  const values = languageModel === undefined
    ? []
    : await orElse(run, `The language model ${languageModel.name}`, scored, () => []);
  return claims.map(({ id }, index) => ({ claimId: id, value: values[index] }));
}
