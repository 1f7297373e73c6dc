/** One character as BERT reads it (lower case, without accents) and where it comes from. */
export interface Letter {
  readonly text: string;
  /** UTF-16 offsets into the original text, `end` excluded. */
  readonly start: number;
  readonly end: number;
}

/** Characters that stand together; never none. */
export type Word = readonly Letter[];

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
