import { eachInFlight } from "../../models/in_flight.ts";
import type { LanguageModel } from "../../models/model.ts";
import type { Evidence, Passage, Verifier } from "../types.ts";
import {
  type Likeness,
  overlapLikeness,
  type ScoreCalibration,
  scoreVerifier,
  type Unread,
} from "./baselines.ts";
import { chunkEvidence, type SourceChunk, wordChunks } from "./chunks.ts";

/** What a verifier by pointwise mutual information reads with. */
interface PmiVerifierOptions {
  /** Of nats a token. */
  readonly calibration: ScoreCalibration;
  /** Of the file as it was published; undefined for a server. */
  readonly modelSha256: string | undefined;
  /** Most words of a source that are shown at once, ≥ 1; of a longer one the best chunk counts. */
  readonly chunkWords: number;
}

/** log P(claim | what stands before it) in nats, and the claim's tokens. */
interface ClaimProbability {
  readonly logProbability: number;
  readonly tokens: number;
}

type Answer = ClaimProbability | Unread;

/**
 * Pointwise mutual information (Church & Hanks, 1990) of claim and source under a language model, a
 * token: [log P(claim | source, newline) − log P(claim | newline)] / tokens of the claim, in nats. By
 * how much the source makes the claim likelier, whether or not it bears it out: what a source denies
 * in the same words is made likelier, too.
 */
export function pmiVerifier(
  model: LanguageModel,
  { calibration, modelSha256, chunkWords }: PmiVerifierOptions,
): Verifier {
  return scoreVerifier(
    `${model.name} (PMI)`,
    calibration,
    { ...model.settings, chunkWords },
    (claims, passages, signal) => pmiLikeness(claims, passages, { model, chunkWords, signal }),
    modelSha256,
  );
}

/**
 * The greatest PMI of each claim over the chunks, in nats a token, with the words of that chunk that
 * share most with the claim; undefined without a source.
 *
 * @throws what the model throws, but for a text that is longer than its context.
 */
export async function pmiLikeness(
  claims: readonly string[],
  passages: readonly Passage[],
  { model, chunkWords, signal }: {
    readonly model: LanguageModel;
    readonly chunkWords: number;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<readonly (Likeness | Unread | undefined)[]> {
  const chunks = wordChunks(passages, chunkWords);
  if (chunks.length === 0) return claims.map(() => undefined);
  const asked = claims.map((claim) => claim.trim());
  const read = (before: string) => probabilities(before, asked, model, signal);
  const alone = await read("\n");
  const given: (readonly Answer[])[] = [];
  await eachInFlight(chunks.entries(), model.concurrency ?? 1, async ([index, { premise }]) => {
    given[index] = await read(`${premise.trimEnd()}\n`);
    return true;
  });
  const evidence = evidenceFinder(chunks);
  return asked.map((claim, i) => {
    const scores = scoresOf(alone[i]!, given.map((answers) => answers[i]!));
    if ("kind" in scores) return scores;
    const score = Math.max(...scores);
    return { score, evidence: evidence(claim, scores.indexOf(score)) };
  });
}

/** The claims behind the same words, which the model reads once where it can. */
async function probabilities(
  before: string,
  claims: readonly string[],
  model: LanguageModel,
  signal: AbortSignal | undefined,
): Promise<readonly Answer[]> {
  signal?.throwIfAborted();
  try {
    const texts = [before, ...claims.map((claim) => before + claim)];
    const [first, ...rest] = await model.score(texts, signal ? { signal } : {});
    return rest.map(({ logProbability, tokens }) => ({
      logProbability: logProbability - first!.logProbability,
      tokens: tokens - first!.tokens,
    }));
  } catch (error) {
    // One claim is longer than the context: the others can be read.
    if (!(error instanceof RangeError)) throw error;
    if (claims.length === 1) return [unread(`${model.name} could not read it: ${error.message}`)];
    const answers: Answer[] = [];
    for (const claim of claims) {
      answers.push(...await probabilities(before, [claim], model, signal));
    }
    return answers;
  }
}

function unread(message: string): Unread {
  return { kind: "unscored", reason: "failure", message, partialText: undefined };
}

/** PMI a token with each chunk. What was not read may have been what bears the claim out. */
function scoresOf(alone: Answer, given: readonly Answer[]): readonly number[] | Unread {
  const scores: number[] = [];
  for (const answer of given) {
    if ("kind" in alone) return alone;
    if ("kind" in answer) return answer;
    if (alone.tokens < 1) return unread("The claim has no words.");
    scores.push((answer.logProbability - alone.logProbability) / alone.tokens);
  }
  return scores;
}

/** The sentence of a chunk that shares most words with a claim; the whole chunk where none does. */
function evidenceFinder(chunks: readonly SourceChunk[]) {
  const finders = new Map<number, ReturnType<typeof overlapLikeness>>();
  return (claim: string, index: number): Evidence => {
    const { passage, span } = chunks[index]!;
    const text = passage.text.slice(span.start, span.end);
    const finder = finders.get(index) ?? overlapLikeness([{ ...passage, text }]);
    finders.set(index, finder);
    const found = finder(claim)?.evidence;
    if (found !== undefined && found.relevance > 0) return shifted(found, span.start);
    return chunkEvidence(chunks[index]!, 0);
  };
}

function shifted(evidence: Evidence, by: number): Evidence {
  const { start, end } = evidence.span;
  return { ...evidence, span: { start: start + by, end: end + by } };
}
