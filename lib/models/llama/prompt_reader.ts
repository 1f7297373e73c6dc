import type { NextToken, TokenReader, Tokens } from "./engine.ts";
import type { EvaluationContext, Logits } from "./evaluation_context.ts";
import { logSumExp } from "./log_softmax.ts";
import { sharedLength } from "./prefix_tree.ts";
import { slices } from "./slices.ts";

function nextToken({ values, width }: Logits): NextToken {
  // Copied, because the next decode overwrites the library's buffer.
  const row = values.slice(0, width);
  let best = 0;
  for (let token = 1; token < width; token++) if (row[token]! > row[best]!) best = token;
  const total = logSumExp(row);
  return {
    best,
    size: width,
    logProbability: (token) => {
      const logit = row[token];
      if (logit === undefined) throw new RangeError(`Cannot read token ${token} of ${width}`);
      return logit - total;
    },
  };
}

/**
 * Reads prompts into one sequence. What the last prompt and this one begin with stays in the
 * key-value cache: a prompt's template is read once, and so is what a pair's two orders share.
 */
export class PromptReader implements TokenReader {
  readonly #context: EvaluationContext;
  #held: Tokens = [];

  constructor(context: EvaluationContext) {
    this.#context = context;
  }

  /** How many tokens of the prompt need not be read again. */
  #reusable(tokens: Tokens): number {
    const shared = sharedLength(this.#held, tokens);
    const extendsHeld = shared === this.#held.length && tokens.length === shared + 1;
    // One more token of a reply is read alone; else at least two, as if read afresh (see slices).
    return extendsHeld ? shared : Math.max(0, Math.min(shared, tokens.length - 2));
  }

  #keep(count: number): number {
    this.#held = [];
    if (count > 0 && this.#context.forgetFrom(count)) return count;
    this.#context.clear();
    return 0;
  }

  async read(tokens: Tokens): Promise<NextToken> {
    const { contextTokens, batchTokens } = this.#context.shape;
    if (tokens.length === 0 || tokens.length > contextTokens) {
      throw new RangeError(
        `Cannot read a prompt of ${tokens.length} tokens: the context holds 1 to ${contextTokens}`,
      );
    }
    const kept = this.#keep(this.#reusable(tokens));
    let logits: Logits | undefined;
    for (const [from, to] of slices(tokens.length - kept, batchTokens)) {
      logits = await this.#context.decode(
        tokens.slice(kept + from, kept + to).map((token, i) => ({
          token,
          position: kept + from + i,
          sequences: [0],
          output: kept + from + i === tokens.length - 1,
        })),
      );
    }
    this.#held = tokens;
    if (logits === undefined) throw new RangeError("Cannot read a prompt: nothing was evaluated");
    return nextToken(logits);
  }
}
