import type { OpenAI } from "openai";
import { z } from "zod";
import { byteLength, type LanguageModel, type Likelihood } from "../model.ts";
import type { ServerEntry } from "../panel.ts";

type AskCompletion = (
  request: Omit<OpenAI.CompletionCreateParamsNonStreaming, "model">,
  signal?: AbortSignal,
) => Promise<unknown>;

const REMEDY =
  "likelihoods need /completions with echo and logprobs, as vLLM has them; serve the " +
  "model there, or take likelihood out of the roles of its panel entry";

/** Error of a server without usable likelihoods. The message is a predicate: "lacks …". */
export class UnusableEcho extends Error {
  constructor(lack: string, readonly remedy = REMEDY) {
    super(lack);
  }
}

/**
 * Opens a server's model as a `LanguageModel`.
 *
 * It scores by `echo` + `logprobs` of /completions and checks the server at the first text. Every
 * token is scored, the first given the start token. Servers return no log-probability for the first
 * token. If the vocabulary adds no start token (SmolLM2, Qwen), the entry must name a `startToken`,
 * which is prepended as markup. `score` throws TypeError for an unsuitable server, RangeError for a
 * text that is empty or not scored, CallFailed for a failure that may pass.
 */
export function serverLikelihood(
  { id: name, startToken = "", baseUrl, concurrency }: ServerEntry,
  settings: LanguageModel["settings"],
  ask: AskCompletion,
): LanguageModel {
  let checked: Promise<CheckedEcho> | undefined;
  /** Checks the server once. A check that fails to complete is repeated. */
  const check = (signal: AbortSignal | undefined) =>
    checked ??= checkEcho((request) => ask(request, signal), startToken).catch((error) => {
      checked = undefined;
      throw error;
    });
  const scoreText = async (
    text: string,
    { way, startTokens }: CheckedEcho,
    { prefix, signal }: { readonly prefix?: string | undefined; readonly signal?: AbortSignal },
  ): Promise<Likelihood> => {
    const before = prefix === undefined ? "" : `${prefix} `;
    const prompt = startToken + before + text;
    const all = await echoOf(way, prompt, (request) => ask(request, signal));
    // After a prefix the text begins with the last token from which on the tokens are the text.
    const first = before === ""
      ? startTokens
      : all.findLastIndex((_, index) => coversText(all.slice(index), text));
    const tokens = all.slice(Math.max(0, first));
    if (!coversText(tokens, text)) {
      throw new UnusableEcho(`echoes tokens that are not the text ${JSON.stringify(text)}`);
    }
    return { logProbability: sumOf(tokens), tokens: tokens.length, bytes: byteLength(text) };
  };
  return {
    name,
    settings: { ...settings, readout: "likelihood", ...(startToken && { startToken }) },
    // A pair's members are asked together.
    concurrency: Math.ceil(concurrency / 2),
    async score(texts, { signal, prefix } = {}) {
      const empty = texts.indexOf("");
      if (empty !== -1) throw new RangeError(`Cannot score text ${empty + 1}: it is empty`);
      const refused = (cause: unknown) => {
        if (!(cause instanceof UnusableEcho)) throw cause;
        const remedy = /404/.test(cause.message) && !/\/v1\/?$/.test(baseUrl)
          ? "its baseUrl does not end with /v1, and servers of this protocol listen there: write it so"
          : cause.remedy;
        const why = `the server at ${new URL(baseUrl).host} ${cause.message}; ${remedy}`;
        return `Cannot score with ${name}: ${why}`;
      };
      const echo = await check(signal).catch((cause) => {
        throw new TypeError(refused(cause), { cause });
      });
      return await Promise.all(texts.map((text) => scoreText(text, echo, { prefix, signal })))
        .catch((cause) => {
          // A server that stood the check can be used: it is this text that it cannot take.
          throw new RangeError(refused(cause), { cause });
        });
    },
  };
}

/**
 * Protocol for the log-probabilities of a text.
 *
 * `echo` is OpenAI's, `prompt_logprobs` is vLLM's. One token is generated, because some servers
 * treat 0 as unlimited.
 */
type EchoWay = "echo" | "prompt_logprobs";
const WAYS: readonly EchoWay[] = ["echo", "prompt_logprobs"];

const DRAWING = { max_tokens: 1, temperature: 1 } as const;

/** Returns the scored tokens of a prompt. @throws {UnusableEcho} */
async function echoOf(
  way: EchoWay,
  prompt: string,
  ask: AskCompletion,
): Promise<readonly EchoedToken[]> {
  if (way === "echo") {
    return readEcho(await ask({ prompt, echo: true, logprobs: 1, ...DRAWING }), prompt);
  }
  const request = { prompt, prompt_logprobs: 0, ...DRAWING };
  return readPromptLogprobs(await ask(request as Parameters<AskCompletion>[0]));
}

/** A token of an echoed prompt. The first has no context and a null log-probability. */
interface EchoedToken {
  /** Text of the token. One that is part of a character may be invalid. */
  readonly text: string;
  readonly logProbability: number | null;
}

const LOGPROBS = z.union([
  z.object({
    tokens: z.array(z.string()).min(1),
    token_logprobs: z.array(z.number().nullable()),
  }),
  // The form of chat completions, as newer servers have it here too.
  z.object({
    content: z.array(z.object({ token: z.string(), logprob: z.number().nullish() })).min(1),
  }).transform(({ content }) => ({
    tokens: content.map(({ token }) => token),
    token_logprobs: content.map(({ logprob }) => logprob ?? null),
  })),
]);

const COMPLETION = z.object({
  choices: z.array(z.object({ text: z.string(), logprobs: LOGPROBS.nullish().catch(null) })).min(1),
  usage: z.object({ completion_tokens: z.number() }).nullish().catch(null),
});

/**
 * Parses the prompt tokens of a completion. Offsets are ignored, because some servers' drift.
 * @throws {UnusableEcho}
 */
function readEcho(answer: unknown, prompt: string): readonly EchoedToken[] {
  const { choices: [choice], usage } = COMPLETION.safeParse(answer).data ?? { choices: [] };
  if (choice === undefined) {
    throw new UnusableEcho("answers /completions in another form than OpenAI's");
  }
  const { text, logprobs } = choice;
  if (!text.startsWith(prompt)) {
    throw new UnusableEcho("ignores echo: what it sent back does not begin with the text");
  }
  if (!logprobs) throw new UnusableEcho("echoes the text without log-probabilities");
  const { tokens, token_logprobs: logProbabilities } = logprobs;
  if (tokens.length !== logProbabilities.length) {
    const [sent, with_] = [tokens.length, logProbabilities.length];
    throw new UnusableEcho(`sends ${sent} tokens with ${with_} log-probabilities`);
  }
  // A server that does not say how many it drew drew one, or ended the text at once.
  const drawn = usage?.completion_tokens ?? Number(text.length > prompt.length);
  return tokens.slice(0, tokens.length - drawn)
    .map((text, i) => ({ text, logProbability: logProbabilities[i]! }));
}

const PROMPT_LOGPROBS = z.object({
  choices: z.array(z.object({
    prompt_logprobs: z.array(
      z.record(
        z.string(),
        z.object({ logprob: z.number(), decoded_token: z.string().nullish() }),
      ).nullable(),
    ).min(1),
  })).min(1),
});

/**
 * Parses vLLM's prompt tokens: the first entry of each is the token itself; the first token has
 * none. @throws {UnusableEcho}
 */
function readPromptLogprobs(answer: unknown): readonly EchoedToken[] {
  const { data } = PROMPT_LOGPROBS.safeParse(answer);
  if (!data) throw new UnusableEcho("sends no prompt_logprobs either");
  return data.choices[0]!.prompt_logprobs.map((entry): EchoedToken => {
    const [token] = Object.values(entry ?? {});
    return { text: token?.decoded_token ?? "", logProbability: token?.logprob ?? null };
  });
}

/** Maximum rounding error in nats by which a sum of log-probabilities may exceed 0. */
const ROUNDING = 1e-3;

/**
 * Returns the sum of log-probabilities. @throws {UnusableEcho} where one is missing or impossible.
 */
function sumOf(tokens: readonly EchoedToken[]): number {
  return tokens.reduce((sum, { text, logProbability: nats }) => {
    const token = JSON.stringify(text);
    if (nats === null) throw new UnusableEcho(`sends no log-probability for ${token}`);
    if (nats <= ROUNDING && Number.isFinite(nats)) return sum + Math.min(0, nats);
    throw new UnusableEcho(`sends ${nats} as log-probability of ${token}: it must be ≤ 0`);
  }, 0);
}

/** Pattern of tokens that are, or end with, part of a character. */
const PART_OF_CHARACTER = /(\ufffd|^bytes:.*|^$)/su;
const PART = "\ufffd";

/**
 * Tests whether the tokens spell the text.
 *
 * A part of a character matches any character. An additional first space is allowed.
 */
export function coversText(tokens: readonly EchoedToken[], text: string): boolean {
  const texts = tokens.map((token) => token.text);
  const read = (given: readonly string[], wanted: string) =>
    covers(given, wanted) || covers(given, ` ${wanted}`);
  // Some vocabularies compose letters and their marks before they cut a text.
  return read(texts, text) || read(texts.map((it) => it.normalize("NFC")), text.normalize("NFC"));
}

/** Tests all alignments of the tokens at once, so that the cost is independent of their number. */
function covers(tokens: readonly string[], wanted: string): boolean {
  const after = (piece: string, at: number): readonly number[] => {
    if (piece === PART) return [at, at + String.fromCodePoint(wanted.codePointAt(at) ?? 0).length];
    return wanted.startsWith(piece, at) ? [at + piece.length] : [];
  };
  let ends = new Set([0]);
  for (const token of tokens) {
    // Its sound text, and PART for each part of a character.
    const pieces = token === "" ? [PART] : token.split(PART_OF_CHARACTER)
      .filter((piece) => piece !== "")
      .map((piece) => PART_OF_CHARACTER.test(piece) ? PART : piece);
    for (const piece of pieces) ends = new Set([...ends].flatMap((at) => after(piece, at)));
  }
  return ends.has(wanted.length);
}

/**
 * Pairs of texts that differ in one word, which is unlikely in the second.
 *
 * Log-probabilities must differ from that word on, and at no earlier token.
 */
const CONTRASTS = [
  ["I drank a cup of", " tea", " government", " with my friends."],
  ["The dog ran across the", " street", " information", " to its house."],
  ["She opened the", " door", " university", " and went into the room."],
] as const;

/**
 * Maximum difference in nats of a token from itself. Low precision causes tenths; a different word,
 * whole nats.
 */
const TOLERANCE = 0.5;

/** Result of the check: the protocol, and the number of tokens before a text. */
interface CheckedEcho {
  readonly way: EchoWay;
  readonly startTokens: number;
}

/**
 * Checks a server by contrasts: log-probabilities must change at the first differing token.
 *
 * Earlier ones must not change. This detects servers whose log-probabilities are shifted by one
 * token (llama-cpp-python, for a vocabulary without start token), even for predictable texts.
 */
async function checkEcho(ask: AskCompletion, startToken: string): Promise<CheckedEcho> {
  const way = await wayOf(ask, startToken);
  let startTokens = 0;
  let changesThere = false;
  for (const [before, word, other, after] of CONTRASTS) {
    const texts = [word, other].map((own) => before + own + after);
    const [first, second] = await Promise.all(
      texts.map((text) => echoOf(way, startToken + text, ask)),
    ) as [readonly EchoedToken[], readonly EchoedToken[]];
    startTokens = first.findLastIndex((_, index) => coversText(first.slice(index), texts[0]!));
    if (startTokens === -1) throw new UnusableEcho("echoes tokens that are not the text");
    if (startTokens === 0) {
      throw new UnusableEcho(
        "puts no token before a text, and so leaves its first token unscored",
        "name the token that stands between documents as startToken in its panel entry, for " +
          "example startToken: <|endoftext|>",
      );
    }
    const place = first.findIndex(({ text }, at) => text !== second[at]?.text);
    const changeAt = (at: number) => {
      const [one, two] = [first[at]?.logProbability, second[at]?.logProbability];
      return Math.abs((one ?? 0) - (two ?? 0));
    };
    const early = first.slice(0, place).findIndex((_, at) => changeAt(at) > TOLERANCE);
    if (early !== -1) {
      throw new UnusableEcho(
        `changes the log-probability of ${JSON.stringify(first[early]!.text)} by ` +
          `${changeAt(early).toFixed(2)} nats where a later word is another: its ` +
          "log-probabilities are given for the wrong tokens",
      );
    }
    changesThere ||= changeAt(place) > TOLERANCE;
  }
  if (changesThere) return { way, startTokens };
  throw new UnusableEcho(
    "gives a word the log-probability of any other in its place: its log-probabilities stand " +
      "for the wrong tokens",
  );
}

/** Returns the first supported protocol. @throws {UnusableEcho} with the fault of the first one. */
async function wayOf(ask: AskCompletion, startToken: string): Promise<EchoWay> {
  const [[before, word, , after]] = CONTRASTS;
  let lack: UnusableEcho | undefined;
  for (const way of WAYS) {
    try {
      await echoOf(way, startToken + before + word + after, ask);
      return way;
    } catch (error) {
      if (!(error instanceof UnusableEcho)) throw error;
      lack ??= error;
    }
  }
  throw lack!;
}
