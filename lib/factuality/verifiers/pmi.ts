import { eachInFlight } from "../../models/in_flight.ts";
import type { LanguageModel } from "../../models/model.ts";
import type { Evidence, Passage, Verifier } from "../types.ts";
import { overlapLikeness, scoreVerifier } from "./baselines.ts";
import type { Likeness, ScoreCalibration } from "./baselines.ts";
import { chunkEvidence, failure, type SourceChunk, type Unread, wordChunks } from "./chunks.ts";

/** log P(claim | what stands before it) in nats, and the claim's tokens. */
interface ClaimProbability {
  readonly logProbability: number;
  readonly tokens: number;
}

type Answer = ClaimProbability | Unread;

/**
 * Pointwise mutual information (Church & Hanks, 1990) of claim and source under a language model: [log
 * P(claim | source, newline) − log P(claim | newline)] / tokens of the claim, in nats. By how much the
 * source makes the claim likelier, whether or not it bears it out. Of `chunkWords` at once the best
 * chunk counts.
 */
export function pmiVerifier(
  model: LanguageModel,
  { calibration, modelSha256, chunkWords }: {
    readonly calibration: ScoreCalibration;
    readonly modelSha256: string | undefined;
    readonly chunkWords: number;
  },
): Verifier {
  return scoreVerifier(
    `${model.name} (PMI)`,
    calibration,
    { ...model.settings, chunkWords },
    (claims, passages, signal) => pmiLikeness(claims, passages, { model, chunkWords, signal }),
    modelSha256,
  );
}

/** The greatest PMI of each claim over the chunks, in nats a token; undefined without a source. */
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
    const answers = [alone[i]!, ...given.map((ofChunk) => ofChunk[i]!)];
    // What was not read may have been what bears the claim out.
    const unread = answers.find((answer) => "kind" in answer);
    if (unread !== undefined) return unread;
    const [without, ...behind] = answers as readonly ClaimProbability[];
    const { logProbability, tokens } = without!;
    if (tokens < 1) return failure("The claim has no words.");
    const scores = behind.map((one) => (one.logProbability - logProbability) / tokens);
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
    const [first, ...rest] = await model.score(texts, { signal });
    return rest.map(({ logProbability, tokens }) => ({
      logProbability: logProbability - first!.logProbability,
      tokens: tokens - first!.tokens,
    }));
  } catch (error) {
    // One claim is longer than the context: the others can be read.
    if (!(error instanceof RangeError)) throw error;
    if (claims.length === 1) return [failure(`${model.name} could not read it: ${error.message}`)];
    const answers: Answer[] = [];
    for (const claim of claims) {
      answers.push(...await probabilities(before, [claim], model, signal));
    }
    return answers;
  }
}

/** The sentence of a chunk that shares most words with a claim; the whole chunk where none does. */
function evidenceFinder(chunks: readonly SourceChunk[]) {
  const finders = new Map<number, ReturnType<typeof overlapLikeness>>();
  return (claim: string, index: number): Evidence => {
    const { passage, span } = chunks[index]!;
    const text = passage.text.slice(span.start, span.end);
    const find = () => overlapLikeness([{ ...passage, text }]);
    const finder = finders.getOrInsertComputed(index, find);
    const found = finder(claim)?.evidence;
    if (!found?.relevance) return chunkEvidence(chunks[index]!, 0);
    const { start, end } = found.span;
    return { ...found, span: { start: start + span.start, end: end + span.start } };
  };
}
