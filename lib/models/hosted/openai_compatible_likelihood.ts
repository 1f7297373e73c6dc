import type { LanguageModel, Likelihood } from "../model.ts";
import { type AskCompletion, checkEcho, echoRequest } from "./openai_compatible_check.ts";
import {
  coversText,
  type EchoedToken,
  readEcho,
  sumOf,
  UnusableEcho,
} from "./openai_compatible_echo.ts";

export interface ServerLikelihoodOptions {
  readonly name: string;
  readonly settings: LanguageModel["settings"];
  /** Put before every text; undefined for a vocabulary that begins texts by itself. */
  readonly startToken: string | undefined;
  readonly ask: AskCompletion;
  /** Calls of `score` in flight at once. */
  readonly concurrency: number;
  /** The server as messages name it. */
  readonly server: string;
}

/**
 * A server's model as a `LanguageModel`, by the extension `echo` + `logprobs` of /completions. At
 * the first text the server is checked (`checkEcho`): how many tokens it puts before a text, and
 * whether its log-probabilities belong to the tokens they stand beside.
 *
 * What is scored: every token of the text, the first conditioned on the start token. Servers send
 * no log-probability for the first token of all. So where the vocabulary begins no text by itself
 * (SmolLM2, Qwen), the panel entry must name a `startToken`, or the text's first token would go
 * unscored. The start token's text is added to the prompt, so its tokeniser must read markup there.
 *
 * `score` throws TypeError for a server that lacks what is needed, RangeError for an empty text,
 * Error for a call that failed, the signal's reason when it aborts.
 */
export function serverLikelihood(options: ServerLikelihoodOptions): LanguageModel {
  const { name, settings, startToken = "", ask, server, concurrency } = options;
  const scoreText = async (
    text: string,
    startTokens: number,
    signal?: AbortSignal,
  ): Promise<Likelihood> => {
    const prompt = startToken + text;
    const answer = await ask(echoRequest(prompt), signal);
    return likelihoodOf(readEcho(answer, prompt).slice(startTokens), text);
  };
  const check = checkOnce(ask, startToken);
  return {
    name,
    settings: { ...settings, readout: "likelihood", ...(startToken ? { startToken } : {}) },
    concurrency,
    score: (texts, { signal } = {}) =>
      refusing(`Cannot score with ${name}: ${server}`, async () => {
        requireText(texts);
        const startTokens = await check(signal);
        return await Promise.all(texts.map((text) => scoreText(text, startTokens, signal)));
      }),
  };
}

/** A check that could not be made is made again; what was found stays found. */
function checkOnce(ask: AskCompletion, startToken: string) {
  let checked: Promise<number> | undefined;
  const forgetting = (error: unknown) => {
    checked = undefined;
    throw error;
  };
  return (signal?: AbortSignal): Promise<number> =>
    checked ??= checkEcho((request) => ask(request, signal), startToken).catch(forgetting);
}

function requireText(texts: readonly string[]): void {
  const empty = texts.indexOf("");
  if (empty !== -1) throw new RangeError(`Cannot score text ${empty + 1}: it is empty`);
}

function likelihoodOf(tokens: readonly EchoedToken[], text: string): Likelihood {
  if (!coversText(tokens, text)) {
    throw new UnusableEcho(`echoes tokens that are not the text ${JSON.stringify(text)}`);
  }
  return {
    logProbability: sumOf(tokens),
    tokens: tokens.length,
    bytes: new TextEncoder().encode(text).length,
  };
}

const REMEDY =
  "likelihoods need /completions with echo and logprobs, as vLLM has them; serve the " +
  "model there, or take likelihood out of the roles of its panel entry";

async function refusing<T>(subject: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof UnusableEcho)) throw error;
    throw new TypeError(`${subject} ${error.message}; ${error.remedy ?? REMEDY}`, { cause: error });
  }
}
