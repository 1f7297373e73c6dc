/** A word as BERT reads it: characters in lower case, without accents. */
type Word = readonly string[];

/** Letters, none of which is a mark; those `alone` are words of their own: punctuation, Chinese characters. */
type Reading = "space" | readonly { text: string; alone: boolean }[];

/** ASCII symbols count as punctuation too. */
const PUNCTUATION = /^[!-/:-@[-`{-~\p{P}]$/u;

/** The blocks of Chinese characters that BERT names; kana and hangul are not among them. */
const CHINESE = new RegExp(
  "^[\\u{4E00}-\\u{9FFF}\\u{3400}-\\u{4DBF}\\u{20000}-\\u{2A6DF}\\u{2A700}-\\u{2B73F}" +
    "\\u{2B740}-\\u{2B81F}\\u{2B820}-\\u{2CEAF}\\u{F900}-\\u{FAFF}\\u{2F800}-\\u{2FA1F}]$",
  "u",
);

function readCharacter(character: string): Reading {
  if (/^[\t\n\r]$/.test(character)) return "space";
  if (/^[\0\uFFFD\p{C}]$/u.test(character)) return [];
  if (/^\p{White_Space}$/u.test(character)) return "space";
  const chinese = CHINESE.test(character);
  return [...character.normalize("NFD")].filter((part) => !/^\p{Mn}$/u.test(part))
    .flatMap((part) => [...part.toLowerCase()])
    .map((text) => ({ text, alone: chinese || PUNCTUATION.test(text) }));
}

const readings = new Map<string, Reading>();

/** Cuts a text as BERT's uncased models do (Devlin et al. 2018, `BasicTokenizer`). */
export function bertWords(text: string): readonly Word[] {
  const words: string[][] = [];
  let open = false;
  for (const character of text) {
    const read = readings.get(character) ?? readCharacter(character);
    readings.set(character, read);
    if (read === "space") open = false;
    else {
      for (const { text, alone } of read) {
        if (open && !alone) words.at(-1)!.push(text);
        else words.push([text]);
        open = !alone;
      }
    }
  }
  return words;
}

/** A BERT vocabulary: pieces by their text, and the numbers of the special tokens. */
export interface WordPieceVocabulary {
  readonly ids: ReadonlyMap<string, number>;
  readonly first: number;
  readonly last: number;
  /** `[UNK]`, for a word that the vocabulary cannot spell. */
  readonly unknown: number;
}

/** Reads a vocab.txt, one piece a line. @throws {SyntaxError} where a special token is missing. */
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

const LONGEST_WORD = 100;

function piecesOfWord(word: Word, { ids, unknown }: WordPieceVocabulary): readonly number[] {
  if (word.length > LONGEST_WORD) return [unknown];
  const pieces: number[] = [];
  for (let from = 0; from < word.length;) {
    let to = word.length;
    let rest = (from === 0 ? "" : "##") + word.slice(from).join("");
    while (to > from && !ids.has(rest)) {
      to -= 1;
      rest = rest.slice(0, rest.length - word[to]!.length);
    }
    if (to === from) return [unknown];
    pieces.push(ids.get(rest)!);
    from = to;
  }
  return pieces;
}

/** Numbers of the longest pieces that fit from the left (Wu et al. 2016), without special tokens. */
export function wordPieces(text: string, vocabulary: WordPieceVocabulary): readonly number[] {
  return bertWords(text).flatMap((word) => piecesOfWord(word, vocabulary));
}

/** Most stretches between spaces whose pieces are kept: some tens of megabytes. */
const KEPT_STRETCHES = 50_000;

/** As {@link wordPieces}; what stands between spaces is cut once and kept. */
export function pieceIds(vocabulary: WordPieceVocabulary): (text: string) => readonly number[] {
  const kept = new Map<string, readonly number[]>();
  return (text) =>
    text.split(/[\t\n\r ]+/).flatMap((stretch) => {
      const ids = kept.get(stretch) ?? wordPieces(stretch, vocabulary);
      if (kept.size >= KEPT_STRETCHES) kept.clear();
      kept.set(stretch, ids);
      return ids;
    });
}
