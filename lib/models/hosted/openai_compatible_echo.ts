import { z } from "zod";

/** A server's likelihoods cannot be used: what it lacks, as the end of a sentence about it. */
export class UnusableEcho extends Error {
  override readonly name = "UnusableEcho";

  /** @param remedy where there is a nearer one than another server. */
  constructor(lack: string, readonly remedy?: string) {
    super(lack);
  }
}

/** A token of an echoed prompt; the very first has nothing before it, hence null. */
export interface EchoedToken {
  /** As the server wrote it out; a token that is only a part of a character is no sound text. */
  readonly text: string;
  /** Nats. */
  readonly logProbability: number | null;
}

/** The form OpenAI gave log-probabilities of completions; vLLM and llama-cpp-python keep to it. */
const ECHOED = z.object({
  tokens: z.array(z.string()).min(1),
  token_logprobs: z.array(z.number().nullable()),
});

const COMPLETION = z.object({
  choices: z.array(z.object({ text: z.string(), logprobs: z.unknown().optional() })).min(1),
  usage: z.object({ completion_tokens: z.number() }),
});

/** Sums of rounded numbers may lie above 0 by so much, in nats. */
const ROUNDING = 1e-3;

/**
 * The prompt's tokens out of a completion that was asked with `echo` and `logprobs`; what was
 * generated after it is cut off. The server's text offsets are not used: some count the characters
 * of tokens written out one by one, which drifts where a character is cut into two tokens.
 *
 * @param answer Whatever came back.
 * @throws {UnusableEcho} saying in words what the answer lacks: "ignores echo", …
 */
export function readEcho(answer: unknown, prompt: string): readonly EchoedToken[] {
  const completion = COMPLETION.safeParse(answer);
  const choice = completion.data?.choices[0];
  if (!completion.success || choice === undefined) {
    throw new UnusableEcho("answers /completions in another form than OpenAI's");
  }
  if (!choice.text.startsWith(prompt)) {
    throw new UnusableEcho("ignores echo: what it sent back does not begin with the text");
  }
  const echoed = ECHOED.safeParse(choice.logprobs);
  if (!echoed.success) throw new UnusableEcho("echoes the text without log-probabilities");
  const { tokens, token_logprobs: logProbabilities } = echoed.data;
  if (tokens.length !== logProbabilities.length) {
    throw new UnusableEcho(
      `sends ${tokens.length} tokens with ${logProbabilities.length} log-probabilities`,
    );
  }
  const echoedTokens = tokens.map((text, i) => ({ text, logProbability: logProbabilities[i]! }));
  return echoedTokens.slice(0, tokens.length - completion.data.usage.completion_tokens);
}

/** How servers write a token, or the end of one, that is only a part of a character. */
const PART_OF_CHARACTER = /(\ufffd|^bytes:.*|^$)/su;

/**
 * Whether tokens, one after the other, are the text: nothing of it left out, nothing besides. A
 * part of a character says nothing of which one; any character fits there, or none where another
 * part was credited with it. A space before the first token is let pass: some vocabularies put one
 * before every text.
 */
export function coversText(tokens: readonly EchoedToken[], text: string): boolean {
  const texts = tokens.map((token) => token.text);
  const composed = texts.map((token) => token.normalize("NFC"));
  const read = (given: readonly string[], wanted: string) =>
    covers(given, wanted) || covers(given, ` ${wanted}`);
  // Some vocabularies compose letters and their marks before they cut a text.
  return read(texts, text) || read(composed, text.normalize("NFC"));
}

/** Follows every way of reading the tokens at once, so that many parts cost no more than few. */
function covers(tokens: readonly string[], wanted: string): boolean {
  let ends = new Set([0]);
  for (const text of tokens) {
    for (const piece of pieces(text)) ends = new Set([...ends].flatMap((at) => after(piece, at)));
  }
  return ends.has(wanted.length);

  function after(piece: string, at: number): readonly number[] {
    if (piece === PART) return [at, at + String.fromCodePoint(wanted.codePointAt(at) ?? 0).length];
    return wanted.startsWith(piece, at) ? [at + piece.length] : [];
  }
}

const PART = "\ufffd";

/** Its sound text, and `PART` for each part of a character. */
function pieces(token: string): readonly string[] {
  if (token === "") return [PART];
  return token.split(PART_OF_CHARACTER)
    .filter((piece) => piece !== "")
    .map((piece) => PART_OF_CHARACTER.test(piece) ? PART : piece);
}

/**
 * log P(text | what the server put before it), in nats: the sum over the text's tokens.
 *
 * @throws {UnusableEcho} where a token has no log-probability, or an impossible one.
 */
export function sumOf(tokens: readonly EchoedToken[]): number {
  return tokens.reduce((sum, { text, logProbability }) => {
    if (logProbability === null) {
      throw new UnusableEcho(`sends no log-probability for ${JSON.stringify(text)}`);
    }
    if (!Number.isFinite(logProbability) || logProbability > ROUNDING) {
      throw new UnusableEcho(
        `sends ${logProbability} as log-probability of ${JSON.stringify(text)}: it must be ≤ 0`,
      );
    }
    return sum + Math.min(0, logProbability);
  }, 0);
}
