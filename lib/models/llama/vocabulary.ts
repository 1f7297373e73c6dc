import type { GgufModel } from "./gguf_model.ts";

/** Token ids of a text; indices into the model's vocabulary. */
export type Tokens = readonly number[];

const NO_TOKEN = -1;

/** A call that writes at most `capacity` items and, where that is too few, returns minus the need. */
function withCapacity(capacity: number, call: (capacity: number) => number): number {
  const count = call(capacity);
  return count < 0 ? call(-count) : count;
}

/**
 * Tokenises a text as it stands, without a start token; with `special`, markup such as
 * `<|im_start|>` is read as the control token it names (chat templates need it, sentences never).
 */
export function tokenise(model: GgufModel, text: string, special = false): Tokens {
  const bytes = new TextEncoder().encode(text);
  let tokens = new Int32Array(0);
  const count = withCapacity(bytes.length + 8, (capacity) => {
    tokens = new Int32Array(capacity);
    return model.library.symbols.llama_tokenize(
      model.vocabulary,
      bytes,
      bytes.length,
      tokens,
      capacity,
      false,
      special,
    );
  });
  return [...tokens.subarray(0, count)];
}

/** The text of the tokens; control tokens such as `<|im_end|>` are left out. */
export function detokenise(model: GgufModel, tokens: Tokens): string {
  let bytes = new Uint8Array(0);
  const count = withCapacity(tokens.length * 16 + 16, (capacity) => {
    bytes = new Uint8Array(capacity);
    return model.library.symbols.llama_detokenize(
      model.vocabulary,
      Int32Array.from(tokens),
      tokens.length,
      bytes,
      capacity,
      false,
      false,
    );
  });
  return new TextDecoder().decode(bytes.subarray(0, count));
}

export interface StartToken {
  readonly id: number;
  readonly source: "bos" | "eos";
  /** Whether the file asks for this token before every text by itself. */
  readonly addedByDefault: boolean;
}

/**
 * The token that conditions a text's first real token, so that no token goes unscored.
 *
 * A model with a BOS token gets it, whether or not its file says to add it: SmolLM2 has
 * `<|im_start|>` with `add_bos = false`, Gemma has `<bos>` with `add_bos = true`. A model without
 * one gets its end-of-text token, which in training stood between documents. Dropping the first
 * token instead (minicons' issues 29 and 51) would make short sentences incomparable.
 *
 * @throws {TypeError} where the vocabulary has neither.
 */
export function startToken(model: GgufModel): StartToken {
  const { symbols } = model.library;
  const addedByDefault = symbols.llama_vocab_get_add_bos(model.vocabulary);
  const bos = symbols.llama_vocab_bos(model.vocabulary);
  if (bos !== NO_TOKEN) return { id: bos, source: "bos", addedByDefault };
  const eos = symbols.llama_vocab_eos(model.vocabulary);
  if (eos !== NO_TOKEN) return { id: eos, source: "eos", addedByDefault };
  throw new TypeError(`Cannot score with ${model.path}: its vocabulary has no start or end token`);
}

/** Whether the token ends a reply: end of turn or end of text. */
export function endsReply(model: GgufModel, token: number): boolean {
  return model.library.symbols.llama_vocab_is_eog(model.vocabulary, token);
}
