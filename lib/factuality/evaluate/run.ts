import { setImmediate } from "node:timers/promises";
import { withoutSecrets } from "../../models/hosted/api_keys.ts";
import { TimeLimitError, withTimeLimit } from "../../models/in_flight.ts";
import type { LanguageModel } from "../../models/model.ts";
import { randomSource } from "../../stats/random.ts";
import { readEnglish } from "../claims/english.ts";
import { ACCEPTED_FROM, unread } from "../decision.ts";
import { isTrusted } from "../judges/ensemble.ts";
import {
  type AggregationStrategy,
  type Claim,
  type ClaimResult,
  type ClaimSplitter,
  type Contradiction,
  type EvaluationConfiguration,
  type EvaluationRequest,
  FACTUAL_ACCURACY,
  type FlaggedPhrase,
  type InternalConsistency,
  type Judge,
  mayPass,
  type Named,
  type NotCheckable,
  type Passage,
  type Retriever,
  type ScoredJudgement,
  type ScoredVerdict,
  sourcePassage,
  type Unscored,
  type UnscoredReason,
  type Verdict,
  type Verifier,
} from "../types.ts";

/** The template by which a judge is asked about one claim. */
export const CLAIM_TEMPLATE = "claim";

/** Whether a setting bears on nothing but speed: on how many threads a model runs. */
export const isOfSpeed = (key: string) => /(^|\.)threads$/.test(key);

/** What an evaluation is made with. */
export interface EvaluationComponents {
  readonly splitter: ClaimSplitter;
  /** Undefined where no knowledge base is configured, or it could not be opened. */
  readonly retriever: Retriever | undefined;
  /** Why a configured knowledge base could not be opened, in one sentence. */
  readonly retrieverProblem: string | undefined;
  readonly verifier: Verifier;
  /** In the order of the configuration; may be none. */
  readonly judges: readonly Judge[];
  /** Whether judges are asked about each claim too: as many calls as there are claims. */
  readonly judgeClaims: boolean;
  readonly aggregation: AggregationStrategy;
  /** Variance of the judges' scores, in points², over which confidence is low; 20 by the specification. */
  readonly lowConfidenceVariance: number;
  /** Names of templates, each a score of its own; `factual_accuracy` is judged first in any case. */
  readonly criteria: readonly string[];
  /** SHA-256 of the prompts file. */
  readonly promptsSha256: string;
  /** Reads the candidate's own claims against one another; undefined where that is not wanted. */
  readonly consistency: ConsistencyComponents | undefined;
  /** Components that did not load and may be missing, in sentences: each report repeats them. */
  readonly problems: readonly string[];
  /** Claims that the verifier is given at once, ≥ 1; halved when memory does not suffice. */
  readonly batchSize: number;
  /** Claims of a text that are checked, by lot where it has more; all of them unless told. */
  readonly mostClaims?: number;
  /** Seconds a claim that they are given; what takes longer is unscored, and asked again. */
  readonly timeLimits?: Readonly<Partial<Record<"verifier" | "retriever", number>>>;
  /** Work of verifier and knowledge base waits here for that of other texts; no time limit runs meanwhile. */
  readonly inTurn?: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** Lets go of what can be computed again, when memory does not suffice. */
  readonly clearCaches?: () => void | Promise<void>;
}

/** How a text is judged by itself, beside the verifier. */
interface ConsistencyComponents {
  /** Gives each claim's log-probability; without one plausibility is unknown. */
  readonly languageModel: LanguageModel | undefined;
  /** Pairs of claims compared at most, ≥ 0: all pairs of a long text are too many. */
  readonly mostPairs: number;
  /** The same of a text that was checked against something, which settles most claims by itself. */
  readonly mostPairsBeside: number;
}

/** The version; it stands in `deno.json` alone. */
const TOUCHSTONE: string = JSON.parse(
  Deno.readTextFileSync(new URL("../../../deno.json", import.meta.url)),
).version;

/** Name and settings of every component, as an evaluation keeps them. */
export function configurationOf(components: EvaluationComponents): EvaluationConfiguration {
  const { splitter, retriever, verifier, judges, aggregation, promptsSha256 } = components;
  const { mostClaims, timeLimits, consistency: { languageModel: _, ...limits } = {} } = components;
  const named = ({ name, settings }: Named, more = {}): Named => (
    { name, settings: { ...settings, ...more } }
  );
  // Where nobody is trusted there is no score that a weight could bear on.
  const isCounted = (judge: Judge) => isTrusted(judge) || !judges.some(isTrusted);
  return {
    splitter: named(splitter),
    retriever: retriever && named(retriever),
    verifier: named(verifier),
    judges: judges.map((judge) => named(judge, { weight: isCounted(judge) ? judge.weight : 0 })),
    aggregation,
    promptsSha256,
    touchstone: TOUCHSTONE,
    criteria: judges.length === 0 ? [] : criteriaInOrder(components.criteria),
    parameters: {
      supportedFrom: ACCEPTED_FROM,
      contradictedFrom: CONTRADICTED_FROM,
      lowConfidenceVariance: components.lowConfidenceVariance,
      judgeClaims: components.judgeClaims,
      batchSize: components.batchSize,
      ...limits,
      ...mostClaims && { mostClaims },
      ...timeLimits?.verifier && { verifierTimeoutSeconds: timeLimits.verifier },
      ...timeLimits?.retriever && { retrieverTimeoutSeconds: timeLimits.retriever },
    },
  };
}

/** The criteria in the order they are judged in: factual accuracy first, each once. */
export function criteriaInOrder(configured: readonly string[]): readonly string[] {
  return [...new Set([FACTUAL_ACCURACY, ...configured])];
}

/** Time for an evaluation: the time of day, and milliseconds on a clock that only goes forward. */
export interface EvaluationClock {
  now(): Date;
  milliseconds(): number;
}

/** What the stages of one evaluation share. */
export interface Run {
  readonly request: EvaluationRequest;
  readonly components: EvaluationComponents;
  readonly clock: EvaluationClock;
  readonly signal: AbortSignal | undefined;
  /** What went wrong and was passed over, in sentences. */
  readonly problems: Set<string>;
  /** Those of them for which a part of the evaluation is missing. */
  readonly failed: Set<string>;
  /** Told how far a stage is. */
  readonly advance: (done: number, total: number) => void;
}

/** What takes the place of a verdict or judgement that there is none of. */
export function unscored(producedBy: string, reason: UnscoredReason, message: string): Unscored {
  const provenance = { producedBy, modelSha256: undefined, promptSha256: undefined };
  return { ...unread(reason, message), provenance };
}

/** What `work` gives, tried again where memory was short; else `instead`, the problem told. */
export async function orElse<Result>(
  { components, problems, failed, signal }: Run,
  what: string,
  work: () => Promise<Result>,
  instead: (message: string) => Result,
): Promise<Result> {
  await nextTurn(signal);
  try {
    return await Promise.try(work).catch(async (error) => {
      signal?.throwIfAborted();
      if (!isMemoryError(error)) throw error;
      await components.clearCaches?.();
      problems.add(`${what} ran out of memory; caches were cleared and it was tried again.`);
      return await work();
    });
  } catch (error) {
    signal?.throwIfAborted();
    const message = `${what} failed: ${errorWords(error)}`;
    problems.add(message);
    failed.add(message);
    return instead(message);
  }
}

/** Waits for the event loop, so that Ctrl-C is noticed. @throws the signal's reason on abort. */
async function nextTurn(signal: AbortSignal | undefined): Promise<void> {
  await setImmediate();
  signal?.throwIfAborted();
}

/** What `work` gives in its turn, within so many seconds where there is a limit. @throws {TimeLimitError} */
function within<Result>(
  { components: { inTurn = (work) => work() }, signal }: Run,
  seconds: number | undefined,
  work: (signal?: AbortSignal) => Promise<Result>,
): Promise<Result> {
  return inTurn(() => {
    signal?.throwIfAborted();
    return seconds === undefined ? work(signal) : withTimeLimit(work, seconds, signal);
  });
}

/** How `reachServer()` calls a server of the configuration: whoever wrote its address has to see which it is. */
const OWN_SERVER =
  /(its server at (?:\[[\da-f:]+\]|localhost|[\w-]+(?:\.[\w-]+)+|[\w-]+(?=:\d))(?::\d+)?)(?![\w@.-])/i;

/** What an error says, on one line, without keys, and without addresses but those of the configuration. */
export function errorWords(error: unknown): string {
  const words = error instanceof Error ? error.message || error.name : String(error);
  return words.replace(/\s+/g, " ").trim().split(OWN_SERVER)
    .map((part, at) => at % 2 === 1 ? part : withoutSecrets(part, [])).join("");
}

/** What engines, libraries and V8 say when memory does not suffice. */
const OUT_OF_MEMORY =
  /\bout of memory\b|array buffer allocation failed|invalid (?:array|typed array|string) length|cannot allocate|failed to allocate|bad_alloc|ENOMEM|failed to (?:create|initialize) (?:the )?context|insufficient memory/i;

/** Whether an error, or one of its causes, says that memory does not suffice. */
function isMemoryError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return OUT_OF_MEMORY.test(error.message) || error.cause !== error && isMemoryError(error.cause);
}

/** Why a verifier says so: its reasoning, else what it saw that speaks for its label, else how sure it is. */
export function verdictReason(verdict: ScoredVerdict): string {
  if (verdict.reasoning !== "") return verdict.reasoning;
  const seen = verdict.findings.filter(({ speaksFor }) => speaksFor === verdict.label);
  if (seen.length > 0) return seen.map(({ words }) => words).join("; ");
  return `probability ${Math.round(100 * verdict.probabilities[verdict.label])} %`;
}

export const flagWords = ({ phrase, reason }: FlaggedPhrase) => `"${phrase}": ${reason}`;

/** Why a judge gave its score: its reasoning, else the phrases it flagged. */
export function judgementReason({ reasoning, flagged }: ScoredJudgement): string {
  return reasoning || flagged.map(flagWords).join("; ") || "no reason given";
}

/** What a statement is that no source can decide, with its article. */
const NOT_CHECKABLE_WORDS: Readonly<Record<NotCheckable, string>> = {
  question: "a question",
  opinion: "an opinion",
  hedge: "a guess",
  instruction: "an instruction",
  fragment: "a fragment of a sentence",
};

/** Claims by lot, in their order, where there are more than are to be checked. */
export function claimsToCheck(
  { components: { mostClaims = Infinity }, request, problems }: Run,
  claims: readonly Claim[],
): readonly Claim[] {
  if (claims.length <= mostClaims) return claims;
  const drawn = new Set(randomSource(`claims of ${request.id}`).sample(claims, mostClaims));
  const [all, some] = [claims.length, mostClaims].map((count) => count.toLocaleString("en"));
  problems.add(`Of ${all} claims ${some} were drawn by lot; the others were not checked.`);
  return claims.filter((claim) => drawn.has(claim));
}

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
  const { components: { retriever, retrieverProblem, timeLimits } } = run;
  if (retriever === undefined) {
    const status = retrieverProblem === undefined ? "disabled" : "failed";
    return claims.map(() => lookup(status, retrieverProblem ?? "no knowledge base is configured"));
  }
  const lookUp = async ({ text, notCheckable, notes }: Claim) => {
    if (notCheckable !== undefined) {
      const why = `not looked up: the statement is ${NOT_CHECKABLE_WORDS[notCheckable]}`;
      return lookup("not looked up", why);
    }
    const open = notes.find(({ kind }) => kind === "pronoun unresolved");
    if (open?.kind === "pronoun unresolved") {
      // Nobody knows what the claim is about: a passage about something else would seem to bear it out.
      const why = `not looked up: what its "${open.pronoun}" stands for could not be resolved`;
      return lookup("not looked up", why);
    }
    return await orElse(run, `The knowledge base ${retriever.name}`, async () => {
      const seconds = timeLimits?.retriever;
      const look = (signal?: AbortSignal) => retriever.retrieve(text, { signal });
      const passages = await within(run, seconds, look);
      if (passages.length === 0) {
        const why = "no passage of the knowledge base is close enough to the claim";
        return lookup("nothing found", why);
      }
      return lookup("found", `${passages.length} passage${passages[1] ? "s" : ""}`, passages);
    }, (message) => lookup("failed", message));
  };
  const lookups: Lookup[] = [];
  for (const claim of claims) {
    lookups.push(await lookUp(claim));
    run.advance(lookups.length, claims.length);
  }
  return lookups;
}

/** What a claim is checked against: the source text where there is one, and what was looked up. */
export function passagesOf(source: string, { passages }: Lookup): readonly Passage[] {
  const looked = passages.map(({ passage }) => passage);
  return source.trim() === "" ? looked : [sourcePassage(source), ...looked];
}

/** One verdict a claim, in order; claims of the same passages are asked together. */
export async function verifyClaims(
  run: Run,
  claims: readonly Claim[],
  lookups: readonly Lookup[],
): Promise<readonly Verdict[]> {
  const { components: { verifier, splitter }, request } = run;
  const groups = new Map<string, { passages: readonly Passage[]; claims: Claim[] }>();
  const verdicts = new Map<Claim, Verdict>();
  for (const [index, claim] of claims.entries()) {
    const { notCheckable } = claim;
    const passages = passagesOf(request.source, lookups[index]!);
    if (notCheckable !== undefined) {
      const what = NOT_CHECKABLE_WORDS[notCheckable];
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
  const { size: before } = verdicts;
  for (const { passages, claims: own } of groups.values()) {
    const done = verdicts.size - before;
    const advance = (more: number) => run.advance(done + more, claims.length - before);
    const found = await verifyTogether({ ...run, advance }, own, passages);
    for (const [claim, verdict] of found) verdicts.set(claim, verdict);
  }
  return claims.map((claim) => verdicts.get(claim)!);
}

/**
 * A verdict on each of the claims. Where memory does not suffice caches are cleared, the part that is
 * asked at once is halved for all that is left, and tried again, down to one claim at a time, and that
 * once more; a part that fails otherwise is given up, and the others are asked all the same.
 */
async function verifyTogether(
  run: Run,
  claims: readonly Claim[],
  passages: readonly Passage[],
): Promise<ReadonlyMap<Claim, Verdict>> {
  const { components, problems, failed, signal, advance } = run;
  const { verifier, batchSize, clearCaches, timeLimits } = components;
  const who = `The verifier ${verifier.name}`;
  const verdicts = new Map<Claim, Verdict>();
  let atOnce = batchSize;
  /** A claim that memory did not suffice for by itself. */
  let alone: Claim | undefined;
  for (let at = 0; at < claims.length;) {
    const part = claims.slice(at, at + atOnce);
    await nextTurn(signal);
    try {
      const texts = part.map(({ text }) => text);
      const seconds = timeLimits?.verifier && timeLimits.verifier * part.length;
      const verify = (signal?: AbortSignal) => verifier.verify(texts, passages, { signal });
      const found = await within(run, seconds, verify);
      if (found.length !== part.length) {
        throw new Error(`${found.length} answers came for ${part.length} items`);
      }
      for (const [index, claim] of part.entries()) verdicts.set(claim, found[index]!);
    } catch (error) {
      if (isMemoryError(error) && (part.length > 1 || part[0] !== alone)) {
        await clearCaches?.();
        if (part.length === 1) alone = part[0];
        atOnce = Math.ceil(part.length / 2);
        problems.add(`${who} ran out of memory; tried again ${atOnce} at a time.`);
        continue;
      }
      signal?.throwIfAborted();
      const message = `${who} failed: ${errorWords(error)}`;
      problems.add(message);
      failed.add(message);
      const reason = error instanceof TimeLimitError ? "time-out" : "failure";
      for (const claim of part) verdicts.set(claim, unscored(verifier.name, reason, message));
    }
    at += part.length;
    advance(at, claims.length);
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
 * What can be said of a text by itself: which of its claims exclude one another (requirement 14.4), and,
 * of one with nothing to check against, how probable a language model finds each. Beside sources
 * `undecided` are the claims that these leave open. Undefined with fewer than two claims that can be
 * checked.
 */
export async function internalConsistency(
  run: Run,
  { mostPairs, mostPairsBeside, ...components }: ConsistencyComponents,
  claims: readonly Claim[],
  undecided?: ReadonlySet<Claim>,
): Promise<InternalConsistency | undefined> {
  const checkable = claims.filter(({ notCheckable }) => notCheckable === undefined);
  if (checkable.length < 2) return undefined;
  const comparable = comparablePairs(checkable, undecided);
  const pairs = comparable.slice(0, undecided === undefined ? mostPairs : mostPairsBeside);
  const found = await contradictions(run, pairs);
  const languageModel = undecided === undefined ? components.languageModel : undefined;
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
  const compared = { pairs: pairs.length, of: comparable.length };
  return { contradictions: found, compared, plausibility };
}

/** Each pair is read in both directions: "refuted" need not be symmetric for a verifier. */
async function contradictions(
  run: Run,
  pairs: readonly (readonly [Claim, Claim])[],
): Promise<readonly Contradiction[]> {
  // Each claim that is a source is read once: `verdicts.get(source).get(claim)`.
  const directed = pairs.flatMap(([one, other]) => [[one, other], [other, one]] as const);
  const verdicts = new Map<Claim, ReadonlyMap<Claim, Verdict>>();
  for (const [source, entries] of Map.groupBy(directed, ([source]) => source)) {
    const { id, text } = source;
    const passage = { id, text, collection: "candidate", title: "", section: "" };
    const others = entries.map(([, claim]) => claim);
    const found = await verifyTogether(run, others, [passage]);
    verdicts.set(source, found);
    for (const verdict of found.values()) {
      // A server that is down is told by what it answers: without it nobody knows of a contradiction.
      if (verdict.kind === "scored" || !mayPass(verdict.reason)) continue;
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
 * Least share of the shorter claim's content words that two claims have in common. Others say different
 * things of the same subject, for which a verifier trained on sources often finds the one refuted by the
 * other; of the study's claims and their perturbed twins none have less.
 */
const LEAST_COMMON = 0.6;

/** Of more claims than this, a pair has a word that so few have: there would be millions of others. */
const MANY_CLAIMS = 500;
const MOST_HOLDING = 30;

/**
 * Pairs of claims that say much the same: of `undecided` ones first, then with the most in common. Those
 * that were one sentence have its subject in common, and hardly ever exclude one another: of 500 texts
 * that people wrote they were 194 of 257 such pairs, and what was found among them was wrong.
 */
function comparablePairs(
  claims: readonly Claim[],
  undecided: ReadonlySet<Claim> | undefined,
): readonly (readonly [Claim, Claim])[] {
  const words = claims.map(({ text }) => {
    const kept = readEnglish(text).tokens
      .filter(({ partOfSpeech, stopWord }) => !stopWord && CONTENT.has(partOfSpeech));
    return new Set(kept.map(({ lemma }) => lemma));
  });
  const holding = new Map<string, number[]>();
  for (const [index, own] of words.entries()) {
    for (const lemma of own) holding.getOrInsert(lemma, []).push(index);
  }
  const most = claims.length > MANY_CLAIMS ? MOST_HOLDING : Infinity;
  return claims.flatMap((one, i) => {
    const having = [...words[i]!].map((lemma) => holding.get(lemma)!);
    const later = new Set(having.filter(({ length }) => length <= most).flat());
    const elsewhere = (j: number) => claims[j]!.sentence.start !== one.sentence.start;
    return [...later].filter((j) => j > i && elsewhere(j)).sort((a, b) => a - b).map((j) => {
      const [first, second, other] = [words[i]!, words[j]!, claims[j]!];
      const common = first.intersection(second).size;
      const isComparable = common >= LEAST_COMMON * Math.min(first.size, second.size);
      const isOpen = undecided?.has(one) || undecided?.has(other) || false;
      return { pair: [one, other] as const, common, isComparable, isOpen };
    }).filter(({ isComparable }) => isComparable);
  })
    .sort((a, b) => Number(b.isOpen) - Number(a.isOpen) || b.common - a.common)
    .map(({ pair }) => pair);
}
