import { readEnglish } from "../claims/english.ts";
import {
  type Claim,
  type Contradiction,
  type InternalConsistency,
  isTransient,
  type Verdict,
} from "../types.ts";
import { attempt, type EvaluationRun } from "./stage.ts";
import { isUndecided, verdictReason, type VerifiedClaim, verifyTogether } from "./verify.ts";

/**
 * Threshold of P("refuted") for a contradiction, fixed in advance. It is higher than for verdicts,
 * since most pairs of claims are unrelated, and a verifier that confuses "refuted" with "not enough
 * info" must not reach it.
 */
export const CONTRADICTED_FROM = 0.7;

/**
 * Checks a text's internal consistency: contradictory claims (requirement 14.4) and, for a text
 * without sources (`isAlone`), each claim's plausibility under a language model. With sources, the
 * claims they leave open come first. Undefined where switched off, and for fewer than two checkable
 * claims.
 */
export async function internalConsistency(
  run: EvaluationRun,
  claims: readonly VerifiedClaim[],
  isAlone: boolean,
): Promise<InternalConsistency | undefined> {
  const { components: { consistency }, signal } = run;
  const verified = claims.filter(({ claim }) => claim.notCheckable === undefined);
  if (consistency === undefined || verified.length < 2) return undefined;
  const { mostPairs, mostPairsBeside, languageModel } = consistency;
  const open = verified.filter(({ verdict }) => isUndecided(verdict)).map(({ claim }) => claim);
  const checkable = verified.map(({ claim }) => claim);
  const comparable = comparablePairs(checkable, new Set(isAlone ? [] : open));
  const pairs = comparable.slice(0, isAlone ? mostPairs : mostPairsBeside);
  const contradictory = await contradictions(run, pairs);
  const values = isAlone && languageModel
    ? await attempt(
      run,
      `The language model ${languageModel.name}`,
      () => languageModel.score(checkable.map(({ text }) => text), { signal }),
      () => [],
    )
    : undefined;
  const plausibility = checkable.map(({ id: claimId }, index) => {
    const score = values?.[index];
    return { claimId, value: score && score.logProbability / score.tokens };
  });
  const compared = { pairs: pairs.length, of: comparable.length };
  return { contradictions: contradictory, compared, plausibility };
}

/** Verifies each pair in both directions, since "refuted" need not be symmetric. */
async function contradictions(
  run: EvaluationRun,
  pairs: readonly (readonly [Claim, Claim])[],
): Promise<readonly Contradiction[]> {
  // Each claim that serves as a source is encoded once: `verdicts.get(source).get(claim)`.
  const directed = pairs.flatMap(([one, other]) => [[one, other], [other, one]] as const);
  const verdicts = new Map<Claim, ReadonlyMap<Claim, Verdict>>();
  for (const [source, entries] of Map.groupBy(directed, ([source]) => source)) {
    const { id, text } = source;
    const passage = { id, text, collection: "candidate", title: "", section: "" };
    const others = entries.map(([, claim]) => claim);
    const verified = await verifyTogether(run, others, [passage]);
    verdicts.set(source, verified);
    for (const verdict of verified.values()) {
      // Failed answers are reported: without them contradictions are unknown.
      if (verdict.kind === "scored" || !isTransient(verdict.reason)) continue;
      run.problems.add(verdict.message);
      run.failed.add(verdict.message);
    }
  }
  return pairs.flatMap(([one, other]) => {
    const [strongest] = [verdicts.get(one)?.get(other), verdicts.get(other)?.get(one)]
      .filter((verdict) => verdict?.kind === "scored")
      .filter(({ probabilities }) => probabilities.refuted >= CONTRADICTED_FROM)
      .sort((a, b) => b.probabilities.refuted - a.probabilities.refuted);
    if (strongest === undefined) return [];
    const both = `"${one.text}" (${one.id}) and "${other.text}" (${other.id})`;
    const words = `${both} exclude one another: ${verdictReason(strongest)}`;
    const probability = strongest.probabilities.refuted;
    return [{ claimIds: [one.id, other.id], probability, words }];
  });
}

const CONTENT = new Set(["ADJ", "NOUN", "NUM", "PROPN", "VERB"]);

/**
 * Minimum share of the shorter claim's content words that two claims share. Claims below it state
 * different things about one subject, which verifiers trained on sources often take for
 * contradictions. None of the study's perturbed claims falls below it.
 */
const MIN_SHARED_WORDS = 0.6;

/**
 * Number of claims above which a pair must share a rare word. Otherwise there would be millions of
 * pairs.
 */
const MANY_CLAIMS = 500;
const MAX_HOLDING = 30;

/**
 * Selects pairs of similar claims: `undecided` ones first, then by shared words. Claims from one
 * sentence share its subject and hardly ever contradict each other; in 500 texts by people they
 * were 194 of 257 such pairs, all false alarms.
 */
function comparablePairs(
  claims: readonly Claim[],
  undecided: ReadonlySet<Claim>,
): readonly (readonly [Claim, Claim])[] {
  const words = claims.map(({ text }) => {
    const contentTokens = readEnglish(text).tokens
      .filter(({ partOfSpeech, stopWord }) => !stopWord && CONTENT.has(partOfSpeech));
    return new Set(contentTokens.map(({ lemma }) => lemma));
  });
  const holding = new Map<string, number[]>();
  for (const [index, lemmas] of words.entries()) {
    for (const lemma of lemmas) holding.getOrInsert(lemma, []).push(index);
  }
  const most = claims.length > MANY_CLAIMS ? MAX_HOLDING : Infinity;
  return claims.flatMap((one, i) => {
    const having = [...words[i]!].map((lemma) => holding.get(lemma)!);
    const later = new Set(having.filter(({ length }) => length <= most).flat());
    const elsewhere = (j: number) => claims[j]!.sentence.start !== one.sentence.start;
    return [...later].filter((j) => j > i && elsewhere(j)).sort((a, b) => a - b).map((j) => {
      const [first, second, other] = [words[i]!, words[j]!, claims[j]!];
      const common = first.intersection(second).size;
      const isComparable = common >= MIN_SHARED_WORDS * Math.min(first.size, second.size);
      const isFirst = undecided.has(one) || undecided.has(other);
      return { pair: [one, other] as const, common, isComparable, isFirst };
    }).filter(({ isComparable }) => isComparable);
  })
    .sort((a, b) => Number(b.isFirst) - Number(a.isFirst) || b.common - a.common)
    .map(({ pair }) => pair);
}
