/** Special tokens first, then a letter that begins a word, then one that goes on with it. */
const VOCABULARIES = {
  wordpiece: ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "a", "b", "##a", "##b"],
  sentencepiece: ["<pad>", "<unk>", "<s>", "</s>", "<mask>", "▁a", "▁b", "a", "b"],
} as const;

export type TinyTokeniser = keyof typeof VOCABULARIES;
export const TINY_SPECIAL = { pad: 0, unknown: 1, start: 2, end: 3, mask: 4 } as const;
function modelOf(tokeniser: TinyTokeniser, pieces: readonly string[]) {
  const unknown = pieces[TINY_SPECIAL.unknown];
  if (tokeniser === "sentencepiece") {
    const vocab = pieces.map((piece, id) => [piece, id < TINY_SPECIAL.mask + 1 ? 0 : -1]);
    return { type: "Unigram", unk_id: TINY_SPECIAL.unknown, vocab };
  }
  return {
    type: "WordPiece",
    unk_token: unknown,
    continuing_subword_prefix: "##",
    max_input_chars_per_word: 100,
    vocab: Object.fromEntries(pieces.map((piece, id) => [piece, id])),
  };
}

function vocabularyFile(tokeniser: TinyTokeniser, pieces: readonly string[]) {
  const special = (id: number) => ({ SpecialToken: { id: pieces[id], type_id: 0 } });
  const named = (id: number) => ({ id: pieces[id], ids: [id], tokens: [pieces[id]] });
  const { start, end } = TINY_SPECIAL;
  return {
    version: "1.0",
    added_tokens: Object.values(TINY_SPECIAL).map((id) => ({
      id,
      content: pieces[id],
      special: true,
      single_word: false,
      lstrip: false,
      rstrip: false,
      normalized: false,
    })),
    normalizer: null,
    pre_tokenizer: tokeniser === "wordpiece"
      ? { type: "WhitespaceSplit" }
      : { type: "Metaspace", replacement: "▁", prepend_scheme: "always", add_prefix_space: true },
    post_processor: {
      type: "TemplateProcessing",
      single: [special(start), { Sequence: { id: "A", type_id: 0 } }, special(end)],
      pair: [],
      special_tokens: Object.fromEntries([start, end].map((id) => [pieces[id], named(id)])),
    },
    decoder: null,
    model: modelOf(tokeniser, pieces),
  };
}

export function tokeniserFiles(tokeniser: TinyTokeniser) {
  const pieces = VOCABULARIES[tokeniser];
  return {
    vocabulary: vocabularyFile(tokeniser, pieces),
    settings: {
      tokenizer_class: "PreTrainedTokenizerFast",
      model_max_length: 16,
      unk_token: pieces[TINY_SPECIAL.unknown],
      pad_token: pieces[TINY_SPECIAL.pad],
      mask_token: pieces[TINY_SPECIAL.mask],
    },
  };
}
