import type { Claim } from "../claims/claim.ts";
import type { Passage } from "../retrieval/passage.ts";
import type { ScoredVerdict, Verdict } from "../verdicts/verdict.ts";
import { comparablePairs } from "./comparable_pairs.ts";
import type { Verifier } from "../verifiers/verifier.ts";
import type { ConsistencyComponents } from "./components.ts";
import type { Contradiction, InternalConsistency } from "./evaluation.ts";
import { verdictReason } from "./reasons.ts";
import { orElse, type Run } from "./run.ts";
import { verifyTogether } from "./verify_claims.ts";

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
  const refutations = await readAgainstOneAnother(run, verifier, pairs);
  return pairs.flatMap(([one, other]) => {
    const verdicts = [refutations.get(one)?.get(other), refutations.get(other)?.get(one)];
    const strongest = strongestRefutation(verdicts.filter((verdict) => verdict !== undefined));
    return strongest === undefined ? [] : [contradiction(one, other, strongest)];
  });
}

/** `verdicts.get(source).get(claim)`: each claim that is a source is read once. */
async function readAgainstOneAnother(
  run: Run,
  verifier: Verifier,
  pairs: readonly (readonly [Claim, Claim])[],
): Promise<ReadonlyMap<Claim, ReadonlyMap<Claim, Verdict>>> {
  const directed = pairs.flatMap(([one, other]) => [[one, other], [other, one]] as const);
  const verdicts = new Map<Claim, ReadonlyMap<Claim, Verdict>>();
  for (const [source, entries] of Map.groupBy(directed, ([source]) => source)) {
    const claims = entries.map(([, claim]) => claim);
    const texts = claims.map(({ text }) => text);
    const found = await verifyTogether(run, verifier, texts, [claimPassage(source)]);
    verdicts.set(source, new Map(claims.map((claim, index) => [claim, found[index]!])));
  }
  return verdicts;
}

function claimPassage({ id, text }: Claim): Passage {
  return { id, text, collection: "candidate", title: "", section: "" };
}

function strongestRefutation(verdicts: readonly Verdict[]): ScoredVerdict | undefined {
  return verdicts.filter((verdict) => verdict.kind === "scored")
    .filter(({ probabilities }) => probabilities.refuted >= CONTRADICTED_FROM)
    .toSorted((a, b) => b.probabilities.refuted - a.probabilities.refuted)[0];
}

function contradiction(one: Claim, other: Claim, verdict: ScoredVerdict): Contradiction {
  const words =
    `"${one.text}" (${one.id}) and "${other.text}" (${other.id}) exclude one another: ` +
    verdictReason(verdict);
  return { claimIds: [one.id, other.id], probability: verdict.probabilities.refuted, words };
}

async function plausibility(
  run: Run,
  { languageModel }: ConsistencyComponents,
  claims: readonly Claim[],
): Promise<InternalConsistency["plausibility"]> {
  const values = languageModel === undefined ? [] : await orElse<readonly number[]>(
    run,
    `The language model ${languageModel.name}`,
    async () => {
      const texts = claims.map(({ text }) => text);
      const scores = await languageModel.score(texts, { signal: run.signal });
      return scores.map(({ logProbability, tokens }) => logProbability / tokens);
    },
    () => [],
  );
  return claims.map(({ id }, index) => ({ claimId: id, value: values[index] }));
}
