import { bertWords, type Word } from "./bert_words.ts";

/** A word piece and the stretch of text it stands for. */
export interface WordPiece {
  /** Its number in the vocabulary. */
  readonly id: number;
  /** UTF-16 offsets into the original text, `end` excluded. */
  readonly start: number;
  readonly end: number;
}

/** A BERT vocabulary: pieces by their text, and the numbers of the special tokens. */
export interface WordPieceVocabulary {
  readonly ids: ReadonlyMap<string, number>;
  /** `[CLS]`, before every text. */
  readonly first: number;
  /** `[SEP]`, after every text. */
  readonly last: number;
  /** `[UNK]`, for a word that the vocabulary cannot spell. */
  readonly unknown: number;
}

/** Words with more characters are unknown, as in BERT's own tokeniser. */
const LONGEST_WORD = 100;

/**
 * Reads a vocab.txt: one piece a line, its number the line's, counted from 0.
 *
 * @throws {SyntaxError} where a special token is missing.
 */
export function readVocabulary(text: string): WordPieceVocabulary {
  const lines = text.replace(/\r?\n$/, "").split(/\r?\n/);
  const ids = new Map(lines.map((line, index) => [line, index]));
  const special = (name: string) => {
    const id = ids.get(name);
    if (id === undefined) throw new SyntaxError(`Cannot read the vocabulary: ${name} is missing`);
    return id;
  };
  return { ids, first: special("[CLS]"), last: special("[SEP]"), unknown: special("[UNK]") };
}

/** Letters from `from` up to the end of the longest piece there; undefined where there is none. */
function longestPiece(
  word: Word,
  from: number,
  { ids }: WordPieceVocabulary,
): { readonly id: number; readonly to: number } | undefined {
  const lead = from === 0 ? "" : "##";
  let rest = lead + word.slice(from).map(({ text }) => text).join("");
  for (let to = word.length; to > from; to--) {
    const id = ids.get(rest);
    if (id !== undefined) return { id, to };
    rest = rest.slice(0, rest.length - word[to - 1]!.text.length);
  }
  return undefined;
}

function span(word: Word, from: number, to: number): { start: number; end: number } {
  return { start: word[from]!.start, end: word[to - 1]!.end };
}

function piecesOfWord(word: Word, vocabulary: WordPieceVocabulary): readonly WordPiece[] {
  const unknown = [{ id: vocabulary.unknown, ...span(word, 0, word.length) }];
  if (word.length > LONGEST_WORD) return unknown;
  const pieces: WordPiece[] = [];
  for (let from = 0; from < word.length;) {
    const found = longestPiece(word, from, vocabulary);
    if (found === undefined) return unknown;
    pieces.push({ id: found.id, ...span(word, from, found.to) });
    from = found.to;
  }
  return pieces;
}

/**
 * The word pieces of a text, the longest that fit from the left (Wu et al. 2016, as BERT uses it),
 * without special tokens. A character that falls apart into several pieces gives each its own span.
 */
export function wordPieces(text: string, vocabulary: WordPieceVocabulary): readonly WordPiece[] {
  return bertWords(text).flatMap((word) => piecesOfWord(word, vocabulary));
}
