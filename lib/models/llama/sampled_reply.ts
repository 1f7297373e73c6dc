import { type RandomSource, randomSource } from "../../stats/random.ts";
import type { SampledToken, SampleOptions } from "../sampling_model.ts";
import { drawToken } from "./draw_token.ts";
import type { TokenReader, Tokens, Vocabulary } from "./engine.ts";

/** A reply as it was drawn. */
export interface SampledReply {
  readonly text: string;
  readonly tokens: readonly SampledToken[];
  readonly ended: "complete" | "length" | "stopped";
}

/** A character that is cut in two is left out until it is whole. */
function wholeCharacters(text: string): string {
  return text.replace(/\ufffd+$/, "");
}

/** Where the first of the stop strings begins; −1 where none is there. */
function stopPosition(text: string, stop: readonly string[]): number {
  const places = stop.map((words) => text.indexOf(words)).filter((place) => place >= 0);
  return places.length === 0 ? -1 : Math.min(...places);
}

/** A reply that grows token by token. */
class GrowingReply {
  readonly ids: number[] = [];
  readonly #tokens: SampledToken[] = [];
  readonly #vocabulary: Vocabulary;
  #text = "";

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
  }

  /** Its new text. */
  add(id: number, told: Omit<SampledToken, "text">): string {
    this.ids.push(id);
    const text = wholeCharacters(this.#vocabulary.detokenise(this.ids));
    this.#tokens.push({ text: text.slice(this.#text.length), ...told });
    this.#text = text;
    return text;
  }

  ended(ended: SampledReply["ended"]): SampledReply {
    return { text: this.#text, tokens: this.#tokens, ended };
  }

  /** Without what stands at `place` and after it; a token that reaches across is cut short. */
  cutAt(place: number): SampledReply {
    const tokens: SampledToken[] = [];
    let length = 0;
    for (const token of this.#tokens) {
      if (length >= place) break;
      tokens.push({ ...token, text: token.text.slice(0, place - length) });
      length += token.text.length;
    }
    return { text: this.#text.slice(0, place), tokens, ended: "complete" };
  }
}

/** @throws {RangeError} for options out of range. */
export function assertSampleOptions({ temperature, maxTokens, stop = [] }: SampleOptions): void {
  if (!(temperature >= 0 && Number.isFinite(temperature))) {
    throw new RangeError(`Cannot sample: temperature is ${temperature}, and must be 0 or more`);
  }
  if (!Number.isSafeInteger(maxTokens) || maxTokens < 1) {
    throw new RangeError(`Cannot sample: maxTokens is ${maxTokens}, and must be 1 or more`);
  }
  if (stop.includes("")) throw new RangeError("Cannot sample: a stop string is empty");
}

/**
 * Draws a reply to a prompt, token by token, until the model ends it, a stop string appears, or
 * `maxTokens` are drawn. The token that ends a reply is not among its tokens.
 *
 * @param options As {@link assertSampleOptions} lets them pass.
 * @throws {RangeError} for prompt and reply longer than the context.
 */
export async function sampledReply(
  reader: TokenReader,
  vocabulary: Vocabulary,
  prompt: Tokens,
  options: SampleOptions,
): Promise<SampledReply> {
  const random: RandomSource = randomSource(options.seed);
  const reply = new GrowingReply(vocabulary);
  while (reply.ids.length < options.maxTokens) {
    if (options.signal?.aborted) return reply.ended("stopped");
    const next = await reader.read([...prompt, ...reply.ids]);
    const { token, ...told } = drawToken(next, options.temperature, random);
    if (vocabulary.endsReply(token)) return reply.ended("complete");
    const place = stopPosition(reply.add(token, told), options.stop ?? []);
    if (place >= 0) return reply.cutAt(place);
  }
  return reply.ended("length");
}
