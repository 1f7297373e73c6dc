import { z } from "zod";
import type { OpenAI } from "openai";
import { coversText, type EchoedToken, readEcho, UnusableEcho } from "./openai_compatible_echo.ts";

/** Asks the server's /completions and gives whatever came back. */
export type AskCompletion = (
  request: Omit<OpenAI.CompletionCreateParamsNonStreaming, "model">,
  signal?: AbortSignal,
) => Promise<unknown>;

/**
 * What is sent to have a text echoed. One token is generated and cut off, because not every server
 * can generate none: some take 0 for "without limit". Temperature 1, so that where a server divides
 * by the temperature its log-probabilities stay what they are.
 */
export function echoRequest(prompt: string): Parameters<AskCompletion>[0] {
  return { prompt, echo: true, logprobs: 1, max_tokens: 1, temperature: 1 };
}

/** Texts that a language model goes on with, in ASCII, so that no character is cut into tokens. */
const PROBES = ["One, two, three, four,", "Monday, Tuesday,", "The sun rises in the"] as const;

/**
 * Nats by which a token's log-probability may differ between being generated and being read: in
 * low precision they differ by tenths. One that belongs to another token is off by nats, as a rule.
 */
const TOLERANCE = 0.5;

/**
 * Checks a server on a text of which the true answer is known: a token that it generated itself,
 * with the log-probability it gave it, must have the same log-probability when it is echoed. That
 * finds out servers whose echo is one place off (llama-cpp-python, for a vocabulary that begins no
 * text by itself), whose sums would look sound.
 *
 * @returns how many tokens stand before a text: the server's own start token and ours.
 * @throws {UnusableEcho} saying what the server lacks.
 */
export async function checkEcho(ask: AskCompletion, startToken: string): Promise<number> {
  for (const probe of PROBES) {
    const prompt = startToken + probe;
    const read = readEcho(await ask(echoRequest(prompt)), prompt);
    const startTokens = startTokensOf(read, probe);
    const generated = readGenerated(
      await ask({ prompt, logprobs: 1, max_tokens: 1, temperature: 0 }),
    );
    const longer = prompt + generated.text;
    const last = added(readEcho(await ask(echoRequest(longer)), longer), read, generated.text);
    if (last === undefined) continue;
    requireSame(last, generated);
    return startTokens;
  }
  throw new UnusableEcho(
    "echoes in a way that cannot be checked: it reads its own tokens otherwise",
  );
}

/** ASCII has no parts of characters: an empty token before the text is a start token unwritten. */
function startTokensOf(read: readonly EchoedToken[], probe: string): number {
  const count = read.findLastIndex((_, index) => coversText(read.slice(index), probe));
  if (count === -1) throw new UnusableEcho("echoes tokens that are not the text");
  if (count > 0) return count;
  throw new UnusableEcho(
    "puts no token before a text, and so leaves its first token unscored",
    "name the token that stands between documents as startToken in its panel entry, for example " +
      "startToken: <|endoftext|>",
  );
}

const GENERATED = z.object({
  choices: z.array(z.object({
    text: z.string(),
    logprobs: z.object({ token_logprobs: z.array(z.number()).min(1) }),
  })).min(1),
});

interface Generated {
  readonly text: string;
  readonly logProbability: number;
}

function readGenerated(answer: unknown): Generated {
  const choice = GENERATED.safeParse(answer).data?.choices[0];
  if (choice === undefined) {
    throw new UnusableEcho("sends no log-probability for what it generates");
  }
  return { text: choice.text, logProbability: choice.logprobs.token_logprobs[0]! };
}

/** The one token more of the longer text; undefined where it was cut into other tokens. */
function added(
  longer: readonly EchoedToken[],
  shorter: readonly EchoedToken[],
  text: string,
): EchoedToken | undefined {
  const last = longer.at(-1);
  const alike = text !== "" && longer.length === shorter.length + 1 && last?.text === text &&
    shorter.every((token, index) => token.text === longer[index]?.text);
  return alike ? last : undefined;
}

function requireSame(last: EchoedToken, generated: Generated): void {
  const echoed = last.logProbability ?? Number.NaN;
  if (Math.abs(echoed - generated.logProbability) <= TOLERANCE) return;
  throw new UnusableEcho(
    `gives the token ${JSON.stringify(last.text)} ${
      generated.logProbability.toFixed(2)
    } nats when ` +
      `it generates it and ${echoed.toFixed(2)} when it echoes it: its log-probabilities stand ` +
      "beside other tokens than they belong to",
  );
}
