/**
 * BERT's uncased WordPiece tokeniser (Devlin et al. 2018; Wu et al. 2016), by the library that also
 * reads users' ONNX folders.
 * @module
 */
import { Tokenizer } from "@huggingface/tokenizers";

/** A BERT vocabulary with its tokeniser. */
export interface WordPieceVocabulary {
  /** Pieces; the index of each is its id. */
  readonly pieces: readonly string[];
  /** Ids of `[CLS]` and `[SEP]`. */
  readonly first: number;
  readonly last: number;
  /** Tokenises a text by longest match from the left, without special tokens. */
  tokenise(this: void, text: string): readonly number[];
}

/** Returns a vocabulary in the format of a tokeniser's file. */
export const wordPieceModel = (pieces: readonly string[]) => ({
  type: "WordPiece",
  unk_token: "[UNK]",
  continuing_subword_prefix: "##",
  max_input_chars_per_word: 100,
  vocab: Object.fromEntries(pieces.map((piece, id) => [piece, id])),
});

/** Makes BERT's tokeniser for a vocabulary. Special tokens in a text are plain text. */
export const bertTokeniser = (pieces: readonly string[]) =>
  new Tokenizer({
    version: "1.0",
    added_tokens: [],
    normalizer: {
      type: "BertNormalizer",
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase: true,
    },
    pre_tokenizer: { type: "BertPreTokenizer" },
    post_processor: null,
    decoder: null,
    model: wordPieceModel(pieces),
  }, {});

/** Maximum number of cached words, some tens of megabytes. */
const KEPT_STRETCHES = 50_000;

/**
 * Parses a vocab.txt, one piece per line. @throws {SyntaxError} where a special token is missing.
 */
export function readVocabulary(text: string): WordPieceVocabulary {
  const pieces = text.replace(/\r?\n$/, "").split(/\r?\n/);
  const [first, last] = ["[CLS]", "[SEP]", "[UNK]"].map((name) => {
    const id = pieces.indexOf(name);
    if (id === -1) throw new SyntaxError(`Cannot read the vocabulary: ${name} is missing`);
    return id;
  });
  const tokeniser = bertTokeniser(pieces);
  const kept = new Map<string, readonly number[]>();
  return {
    pieces,
    first: first!,
    last: last!,
    // What stands between spaces is cut once.
    tokenise: (text) =>
      text.split(/[\t\n\r ]+/).flatMap((stretch) => {
        const ids = kept.get(stretch) ?? tokeniser.encode(stretch, ALONE).ids;
        if (kept.size >= KEPT_STRETCHES) kept.clear();
        kept.set(stretch, ids);
        return ids;
      }),
  };
}

const ALONE = { add_special_tokens: false };
