/** One character as BERT reads it (lower case, without accents) and where it comes from. */
interface Letter {
  readonly text: string;
  /** UTF-16 offsets into the original text, `end` excluded. */
  readonly start: number;
  readonly end: number;
}

/** Characters that stand together; never none. */
type Word = readonly Letter[];

type Reading =
  | { readonly kind: "nothing" | "space" | "mark" }
  /** `alone` characters are words of their own: punctuation, Chinese characters. */
  | { readonly kind: "letters"; readonly letters: readonly { text: string; alone: boolean }[] };

const NOTHING = /^[\0\uFFFD\p{C}]$/u;
const SPACE = /^\p{White_Space}$/u;
const MARK = /^\p{Mn}$/u;

/** ASCII symbols count as punctuation too. */
const PUNCTUATION = /^[!-/:-@[-`{-~\p{P}]$/u;

/** The blocks of Chinese characters that BERT names; kana and hangul are not among them. */
const CHINESE = new RegExp(
  "^[\\u{4E00}-\\u{9FFF}\\u{3400}-\\u{4DBF}\\u{20000}-\\u{2A6DF}\\u{2A700}-\\u{2B73F}" +
    "\\u{2B740}-\\u{2B81F}\\u{2B820}-\\u{2CEAF}\\u{F900}-\\u{FAFF}\\u{2F800}-\\u{2FA1F}]$",
  "u",
);

function readCharacter(character: string): Reading {
  if (/^[\t\n\r]$/.test(character)) return { kind: "space" };
  if (NOTHING.test(character)) return { kind: "nothing" };
  if (SPACE.test(character)) return { kind: "space" };
  const chinese = CHINESE.test(character);
  const kept = [...character.normalize("NFD")].filter((part) => !MARK.test(part));
  const letters = kept.flatMap((part) => [...part.toLowerCase()])
    .map((text) => ({ text, alone: chinese || PUNCTUATION.test(text) }));
  return letters.length === 0 ? { kind: "mark" } : { kind: "letters", letters };
}

/** How each character is read; a text has few different ones. */
const readings = new Map<string, Reading>();

function reading(character: string): Reading {
  const known = readings.get(character);
  if (known !== undefined) return known;
  const read = readCharacter(character);
  readings.set(character, read);
  return read;
}

/** A mark belongs to the character before it, if that stands right before it. */
function extendLast(words: Letter[][], start: number, end: number): void {
  const word = words.at(-1);
  const last = word?.at(-1);
  if (word === undefined || last === undefined || last.end !== start) return;
  word[word.length - 1] = { ...last, end };
}

/**
 * Cuts a text as BERT's uncased models do before word pieces: control characters dropped, cut at
 * white space, punctuation and Chinese characters alone, accents taken off, lower case
 * (Devlin et al. 2018, `BasicTokenizer`). Special tokens written in the text are plain text.
 */
export function bertWords(text: string): readonly Word[] {
  const words: Letter[][] = [];
  let open = false;
  let start = 0;
  for (const character of text) {
    const end = start + character.length;
    const read = reading(character);
    if (read.kind === "space") open = false;
    if (read.kind === "mark") extendLast(words, start, end);
    if (read.kind === "letters") {
      for (const { text, alone } of read.letters) {
        const letter = { text, start, end };
        if (open && !alone) words.at(-1)!.push(letter);
        else words.push([letter]);
        open = !alone;
      }
    }
    start = end;
  }
  return words;
}

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
