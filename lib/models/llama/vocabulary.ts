import type { Tokens, Vocabulary } from "./engine.ts";
import type { GgufModel } from "./gguf_model.ts";
import { chooseStartToken } from "./start_token.ts";

const NO_TOKEN = -1;

/** A call that writes at most `capacity` items and, where that is too few, returns minus the need. */
function withCapacity(capacity: number, call: (capacity: number) => number): number {
  const count = call(capacity);
  return count < 0 ? call(-count) : count;
}

function tokenise(model: GgufModel, text: string, markup: boolean): Tokens {
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
      markup,
    );
  });
  return [...tokens.subarray(0, count)];
}

function detokenise(model: GgufModel, tokens: Tokens): string {
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

/** The id of a piece of markup, where the vocabulary has it as one token. */
export function singleToken(tokens: Tokens): number | undefined {
  return tokens.length === 1 ? tokens[0] : undefined;
}

/**
 * The model's vocabulary, read through FFI.
 *
 * @throws {TypeError} where it has no token to begin a text with.
 */
export function modelVocabulary(model: GgufModel): Vocabulary {
  const { symbols } = model.library;
  const known = (token: number) => token === NO_TOKEN ? undefined : token;
  const addBos = symbols.llama_vocab_get_add_bos(model.vocabulary);
  const bos = known(symbols.llama_vocab_bos(model.vocabulary));
  return {
    tokenise: (text) => tokenise(model, text, false),
    tokeniseMarkup: (text) => tokenise(model, text, true),
    detokenise: (tokens) => detokenise(model, tokens),
    endsReply: (token) => symbols.llama_vocab_is_eog(model.vocabulary, token),
    start: chooseStartToken({
      bos,
      addBos,
      eos: known(symbols.llama_vocab_eos(model.vocabulary)),
      endOfText: singleToken(tokenise(model, "<|endoftext|>", true)),
    }),
    chatStart: addBos ? bos : undefined,
  };
}
