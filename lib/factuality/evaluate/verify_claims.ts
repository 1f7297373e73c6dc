/** What is known of each claim before judges are asked: passages, verdicts, and the text by itself. */
import { readEnglish } from "../claims/english.ts";
import {
  type Claim,
  type ClaimResult,
  type Contradiction,
  type InternalConsistency,
  type NotCheckable,
  type Passage,
  type ScoredVerdict,
  sourcePassage,
  type Verdict,
  type Verifier,
} from "../types.ts";
import {
  type ConsistencyComponents,
  errorWords,
  isMemoryError,
  nextTurn,
  orElse,
  type Run,
  unscored,
  verdictReason,
} from "./run.ts";

/** What a statement is that no source can decide, with its article. */
const NOT_CHECKABLE_WORDS: Readonly<Record<NotCheckable, string>> = {
  question: "a question",
  opinion: "an opinion",
  hedge: "a guess",
  instruction: "an instruction",
  fragment: "a fragment of a sentence",
};

/** What was looked up for one claim. */
export type Lookup = Pick<ClaimResult, "retrieval" | "passages">;

const lookup = (
  status: Lookup["retrieval"]["status"],
  message: string,
  passages: Lookup["passages"] = [],
): Lookup => ({ retrieval: { status, message }, passages });

/** Looks up each claim that can be checked, in order; none of the others. */
export async function retrievePassages(
  run: Run,
  claims: readonly Claim[],
): Promise<readonly Lookup[]> {
  const { components: { retriever, retrieverProblem }, signal } = run;
  if (retriever === undefined) {
    return claims.map(() =>
      retrieverProblem === undefined
        ? lookup("disabled", "no knowledge base is configured")
        : lookup("failed", retrieverProblem)
    );
  }
  const lookUp = async ({ text, notCheckable, notes }: Claim) => {
    if (notCheckable !== undefined) {
      const what = NOT_CHECKABLE_WORDS[notCheckable];
      return lookup("disabled", `not looked up: the statement is ${what}`);
    }
    if (notes.some(({ kind }) => kind === "pronoun unresolved")) {
      // Nobody knows what the claim is about: a passage about something else would seem to bear it out.
      const why = "not looked up: what its pronoun stands for could not be resolved";
      return lookup("nothing found", why);
    }
    return await orElse(run, `The knowledge base ${retriever.name}`, async () => {
      const passages = await retriever.retrieve(text, { signal });
      if (passages.length === 0) {
        const why = "no passage of the knowledge base is close enough to the claim";
        return lookup("nothing found", why);
      }
      return lookup("found", `${passages.length} passage${passages[1] ? "s" : ""}`, passages);
    }, (message) => lookup("failed", message));
  };
  const lookups: Lookup[] = [];
  for (const claim of claims) lookups.push(await lookUp(claim));
  return lookups;
}

/** What a claim is checked against: the source text where there is one, and what was looked up. */
export function passagesOf(source: string, { passages }: Lookup): readonly Passage[] {
  const looked = passages.map(({ passage }) => passage);
  return source.trim() === "" ? looked : [sourcePassage(source), ...looked];
}

/**
 * One verdict a claim, in order. Claims of the same passages are asked together, so that these are
 * read once; a statement that cannot be checked, or that there is nothing to check against, is not
 * asked about.
 */
export async function verifyClaims(
  run: Run,
  claims: readonly Claim[],
  lookups: readonly Lookup[],
): Promise<readonly Verdict[]> {
  const { components: { verifier, splitter }, request } = run;
  const groups = new Map<string, { passages: readonly Passage[]; claims: Claim[] }>();
  const verdicts = new Map<Claim, Verdict>();
  for (const [index, claim] of claims.entries()) {
    const passages = passagesOf(request.source, lookups[index]!);
    if (claim.notCheckable !== undefined) {
      const what = NOT_CHECKABLE_WORDS[claim.notCheckable];
      const message = `The statement is ${what}: no source decides it.`;
      verdicts.set(claim, unscored(splitter.name, "not checkable", message));
    } else if (passages.length === 0) {
      const { message } = lookups[index]!.retrieval;
      const words = `There is nothing to check it against: no source text, and ${message}.`;
      verdicts.set(claim, unscored(verifier.name, "no evidence", words));
    } else {
      const key = JSON.stringify(passages.map(({ collection, id }) => [collection, id]));
      groups.getOrInsert(key, { passages, claims: [] }).claims.push(claim);
    }
  }
  for (const { passages, claims } of groups.values()) {
    const found = await verifyTogether(run, verifier, claims, passages);
    for (const [claim, verdict] of found) verdicts.set(claim, verdict);
  }
  return claims.map((claim) => verdicts.get(claim)!);
}

/**
 * A verdict on each of the claims. Where memory does not suffice caches are cleared, the part that is
 * asked at once is halved for all that is left, and tried again, down to one claim at a time; a part
 * that fails otherwise is given up, and the others are asked all the same.
 */
async function verifyTogether(
  { components: { batchSize, clearCaches }, problems, signal }: Run,
  verifier: Verifier,
  claims: readonly Claim[],
  passages: readonly Passage[],
): Promise<ReadonlyMap<Claim, Verdict>> {
  const who = `The verifier ${verifier.name}`;
  const verdicts = new Map<Claim, Verdict>();
  let atOnce = batchSize;
  for (let at = 0; at < claims.length;) {
    const part = claims.slice(at, at + atOnce);
    await nextTurn(signal);
    try {
      const found = await verifier.verify(part.map(({ text }) => text), passages, { signal });
      if (found.length !== part.length) {
        throw new Error(`${found.length} answers came for ${part.length} items`);
      }
      for (const [index, claim] of part.entries()) verdicts.set(claim, found[index]!);
    } catch (error) {
      if (isMemoryError(error) && part.length > 1) {
        await clearCaches?.();
        atOnce = Math.ceil(part.length / 2);
        problems.add(`${who} ran out of memory; tried again ${atOnce} at a time.`);
        continue;
      }
      signal?.throwIfAborted();
      const message = `${who} failed: ${errorWords(error)}`;
      problems.add(message);
      for (const claim of part) verdicts.set(claim, unscored(verifier.name, "failure", message));
    }
    at += part.length;
  }
  return verdicts;
}

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
  const found = await contradictions(run, components, checkable);
  const { languageModel } = components;
  const values = languageModel && await orElse(
    run,
    `The language model ${languageModel.name}`,
    () => languageModel.score(checkable.map(({ text }) => text), { signal: run.signal }),
    () => [],
  );
  const plausibility = checkable.map(({ id: claimId }, index) => {
    const score = values?.[index];
    return { claimId, value: score && score.logProbability / score.tokens };
  });
  return { contradictions: found, plausibility };
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
    const others = entries.map(([, claim]) => claim);
    verdicts.set(source, await verifyTogether(run, verifier, others, [passage]));
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
 * Pairs of claims with a name or content word in common, those with the most in common first, equal
 * ones in the order of the text, at most so many, and how many there were before the bound: their
 * number grows with the square of the claims.
 */
export function comparablePairs(claims: readonly Claim[], most: number): {
  readonly pairs: readonly (readonly [Claim, Claim])[];
  readonly comparable: number;
} {
  const words = claims.map(({ text }) => {
    const kept = readEnglish(text).tokens
      .filter(({ partOfSpeech, stopWord }) => !stopWord && CONTENT.has(partOfSpeech));
    return new Set(kept.map(({ lemma }) => lemma));
  });
  const found = claims.flatMap((one, i) =>
    claims.slice(i + 1).map((other, j) => {
      const common = words[i]!.intersection(words[i + 1 + j]!).size;
      return { pair: [one, other] as const, common };
    })
  ).filter(({ common }) => common > 0);
  const pairs = found.toSorted((a, b) => b.common - a.common).slice(0, most);
  return { pairs: pairs.map(({ pair }) => pair), comparable: found.length };
}
