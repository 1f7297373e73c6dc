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

/** A server's likelihoods cannot be used: what it lacks, as the end of a sentence about it. */
export class UnusableEcho extends Error {
  constructor(lack: string, readonly remedy = REMEDY) {
    super(lack);
  }
}

/**
 * A server's model as a `LanguageModel`, by `echo` + `logprobs` of /completions, checked at the
 * first text. Every token is scored, the first conditioned on the start token. Servers send no
 * log-probability for the first token of all: where the vocabulary begins no text by itself
 * (SmolLM2, Qwen), the entry must name a `startToken`, which is added to the prompt as markup.
 * `score` throws TypeError for a server that lacks what is needed, RangeError for a text that is empty or
 * that the server does not score, CallFailed where it may go well later.
 */
export function serverLikelihood(
  { id: name, startToken = "", baseUrl, concurrency }: ServerEntry,
  settings: LanguageModel["settings"],
  ask: AskCompletion,
): LanguageModel {
  let checked: Promise<number> | undefined;
  /** A check that could not be made is made again; what was found stays found. */
  const check = (signal: AbortSignal | undefined) =>
    checked ??= checkEcho((request) => ask(request, signal), startToken).catch((error) => {
      checked = undefined;
      throw error;
    });
  const scoreText = async (
    text: string,
    startTokens: number,
    signal: AbortSignal | undefined,
  ): Promise<Likelihood> => {
    const prompt = startToken + text;
    const tokens = readEcho(await ask(echoRequest(prompt), signal), prompt).slice(startTokens);
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
    async score(texts, { signal } = {}) {
      const empty = texts.indexOf("");
      if (empty !== -1) throw new RangeError(`Cannot score text ${empty + 1}: it is empty`);
      const refused = (cause: unknown) => {
        if (!(cause instanceof UnusableEcho)) throw cause;
        const why = `the server at ${new URL(baseUrl).host} ${cause.message}; ${cause.remedy}`;
        return `Cannot score with ${name}: ${why}`;
      };
      const startTokens = await check(signal).catch((cause) => {
        throw new TypeError(refused(cause), { cause });
      });
      return await Promise.all(texts.map((text) => scoreText(text, startTokens, signal)))
        .catch((cause) => {
          // A server that stood the check can be used: it is this text that it cannot take.
          throw new RangeError(refused(cause), { cause });
        });
    },
  };
}

/** To have a text echoed; one token is drawn, for some servers take 0 for no limit. */
function echoRequest(prompt: string): Parameters<AskCompletion>[0] {
  return { prompt, echo: true, logprobs: 1, max_tokens: 1, temperature: 1 };
}

/** A token of an echoed prompt; the very first has nothing before it, hence null. */
interface EchoedToken {
  /** As the server wrote it out; a token that is only a part of a character is no sound text. */
  readonly text: string;
  readonly logProbability: number | null;
}

const LOGPROBS = z.object({
  tokens: z.array(z.string()).min(1),
  token_logprobs: z.array(z.number().nullable()),
});

const COMPLETION = z.object({
  choices: z.array(z.object({ text: z.string(), logprobs: LOGPROBS.nullish().catch(null) })).min(1),
  usage: z.object({ completion_tokens: z.number() }),
});

/** A completion's prompt tokens; offsets are not used, for some drift. @throws {UnusableEcho} */
function readEcho(answer: unknown, prompt: string): readonly EchoedToken[] {
  const { choices: [choice], usage } = COMPLETION.safeParse(answer).data ?? { choices: [] };
  if (choice === undefined || usage === undefined) {
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
  return tokens.slice(0, tokens.length - usage.completion_tokens)
    .map((text, i) => ({ text, logProbability: logProbabilities[i]! }));
}

/** Sums of rounded numbers may lie above 0 by so much, in nats. */
const ROUNDING = 1e-3;

/** The sum of log-probabilities. @throws {UnusableEcho} where a token has none, or an impossible one. */
function sumOf(tokens: readonly EchoedToken[]): number {
  return tokens.reduce((sum, { text, logProbability: nats }) => {
    const token = JSON.stringify(text);
    if (nats === null) throw new UnusableEcho(`sends no log-probability for ${token}`);
    if (nats <= ROUNDING && Number.isFinite(nats)) return sum + Math.min(0, nats);
    throw new UnusableEcho(`sends ${nats} as log-probability of ${token}: it must be ≤ 0`);
  }, 0);
}

/** How servers write a token, or the end of one, that is only a part of a character. */
const PART_OF_CHARACTER = /(\ufffd|^bytes:.*|^$)/su;
const PART = "\ufffd";

/** Whether tokens are the text: any character fits a part of one; a first space is let pass. */
export function coversText(tokens: readonly EchoedToken[], text: string): boolean {
  const texts = tokens.map((token) => token.text);
  const read = (given: readonly string[], wanted: string) =>
    covers(given, wanted) || covers(given, ` ${wanted}`);
  // Some vocabularies compose letters and their marks before they cut a text.
  return read(texts, text) || read(texts.map((it) => it.normalize("NFC")), text.normalize("NFC"));
}

/** Follows every way of reading the tokens at once, so that many parts cost no more than few. */
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

const PROBES = ["One, two, three, four,", "Monday, Tuesday,", "The sun rises in the"] as const;

/** Nats between a token generated and read: tenths in low precision; another token is off by nats. */
const TOLERANCE = 0.5;

/**
 * Checks a server by a token that it generated itself: it must have the same log-probability when
 * it is echoed. That finds servers whose echo is one place off (llama-cpp-python, for a vocabulary
 * that begins no text by itself). Gives how many tokens stand before a text.
 */
async function checkEcho(ask: AskCompletion, startToken: string): Promise<number> {
  for (const probe of PROBES) {
    const prompt = startToken + probe;
    const read = readEcho(await ask(echoRequest(prompt)), prompt);
    const startTokens = read.findLastIndex((_, index) => coversText(read.slice(index), probe));
    if (startTokens === -1) throw new UnusableEcho("echoes tokens that are not the text");
    if (startTokens === 0) {
      throw new UnusableEcho(
        "puts no token before a text, and so leaves its first token unscored",
        "name the token that stands between documents as startToken in its panel entry, for " +
          "example startToken: <|endoftext|>",
      );
    }
    const answer = await ask({ prompt, logprobs: 1, max_tokens: 1, temperature: 0 });
    const { text, logprobs } = COMPLETION.partial().safeParse(answer).data?.choices?.[0] ?? {};
    const generated = logprobs?.token_logprobs[0];
    if (text === undefined || generated === undefined || generated === null) {
      throw new UnusableEcho("sends no log-probability for what it generates");
    }
    const longer = readEcho(await ask(echoRequest(prompt + text)), prompt + text);
    const last = longer.at(-1);
    const isOneMore = text !== "" && longer.length === read.length + 1 && last?.text === text &&
      read.every((token, index) => token.text === longer[index]?.text);
    // Else it was cut into other tokens.
    if (!isOneMore) continue;
    const echoed = last.logProbability ?? Number.NaN;
    if (Math.abs(echoed - generated) <= TOLERANCE) return startTokens;
    throw new UnusableEcho(
      `gives the token ${JSON.stringify(text)} ${generated.toFixed(2)} nats when it generates it ` +
        `and ${echoed.toFixed(2)} when it echoes it: its log-probabilities stand beside other ` +
        "tokens than they belong to",
    );
  }
  throw new UnusableEcho(
    "echoes in a way that cannot be checked: it reads its own tokens otherwise",
  );
}
