/** Parts of speech as WordNet files them; satellite adjectives are adjectives. */
export type WordNetPart = "n" | "v" | "a" | "r";

export const WORDNET_PARTS: readonly WordNetPart[] = ["n", "v", "a", "r"];

/** One index file and one data file of WordNet 3.1, as they are on disk. */
export interface WordNetFiles {
  readonly index: Uint8Array;
  readonly data: Uint8Array;
}

/** A pointer from one synset, or one word in it, to another; see wndb(5WN). */
export interface Pointer {
  /** `!` antonym, `@` hypernym, `&` similar to, `+` derivationally related, `\` pertainym, … */
  readonly symbol: string;
  readonly offset: number;
  readonly part: WordNetPart;
  /** From 1, which words of the two synsets; 0 for all of them. */
  readonly from: number;
  readonly to: number;
}

/** Words of one meaning. */
export interface Synset {
  /** Unique: part of speech and byte offset. */
  readonly id: string;
  /** Lower case, spaces for underscores. */
  readonly words: readonly string[];
  /** Which of the words are written with a capital: France, but not frog. */
  readonly capitals: readonly boolean[];
  readonly pointers: readonly Pointer[];
}

const NEWLINE = 10;
const SPACE = 32;
const decoder = new TextDecoder();

/** Looks words up by binary search and synsets by byte offset, as the files are made for; parses only what is asked for. */
export class WordNetDatabase {
  readonly #files: Readonly<Record<WordNetPart, WordNetFiles>>;
  readonly #synsets = new Map<string, Synset>();

  constructor(files: Readonly<Record<WordNetPart, WordNetFiles>>) {
    this.#files = files;
  }

  /** Offsets of a lemma's synsets, the commonest sense first; none for a word that is not listed. */
  senses(lemma: string, part: WordNetPart): readonly number[] {
    const line = findLine(this.#files[part].index, lemma.replaceAll(" ", "_"));
    if (line === undefined) return [];
    const fields = line.trim().split(" ");
    const count = Number(fields[2]);
    return fields.slice(fields.length - count).map(Number);
  }

  /** The synset at a byte offset of the part's data file. Throws where none starts there. */
  synset(part: WordNetPart, offset: number): Synset {
    const id = `${part}${offset}`;
    const known = this.#synsets.get(id);
    if (known !== undefined) return known;
    const read = parseSynset(id, lineAt(this.#files[part].data, offset), offset);
    this.#synsets.set(id, read);
    return read;
  }
}

function lineAt(bytes: Uint8Array, start: number): string {
  const end = bytes.indexOf(NEWLINE, start);
  return decoder.decode(bytes.subarray(start, end < 0 ? bytes.length : end));
}

/** The line that starts with the key and a space; the licence at the top starts with spaces, before every key. */
function findLine(bytes: Uint8Array, key: string): string | undefined {
  const wanted = new TextEncoder().encode(`${key} `);
  let [low, high] = [0, bytes.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const start = middle === 0 ? 0 : bytes.lastIndexOf(NEWLINE, middle - 1) + 1;
    const order = compareAt(bytes, start, wanted);
    if (order === 0) return lineAt(bytes, start);
    if (order > 0) high = start;
    else low = nextLine(bytes, middle);
  }
  return undefined;
}

function nextLine(bytes: Uint8Array, position: number): number {
  const end = bytes.indexOf(NEWLINE, position);
  return end < 0 ? bytes.length : end + 1;
}

function compareAt(bytes: Uint8Array, start: number, wanted: Uint8Array): number {
  if (bytes[start] === SPACE) return -1;
  for (let index = 0; index < wanted.length; index++) {
    const difference = (bytes[start + index] ?? 0) - wanted[index]!;
    if (difference !== 0) return difference;
  }
  return 0;
}

function parseSynset(id: string, line: string, offset: number): Synset {
  const fields = line.split(" | ", 1)[0]!.trim().split(" ");
  if (Number(fields[0]) !== offset) {
    throw new RangeError(`Cannot read synset ${id}: no synset starts at byte ${offset}.`);
  }
  const wordCount = parseInt(fields[3]!, 16);
  const words = Array.from(
    { length: wordCount },
    (_, index) => plainWord(fields[4 + 2 * index]!),
  );
  const capitals = words.map((word) => /^\p{Lu}/u.test(word));
  const first = 5 + 2 * wordCount;
  const pointers = Array.from(
    { length: Number(fields[first - 1]) },
    (_, index) => pointer(fields.slice(first + 4 * index, first + 4 * index + 4)),
  );
  return { id, words: words.map((word) => word.toLowerCase()), capitals, pointers };
}

/** Without the syntactic marker that some adjectives carry: `galore(ip)`. */
const plainWord = (word: string) => word.replace(/\((?:a|p|ip)\)$/, "").replaceAll("_", " ");

function pointer([symbol, offset, part, words]: readonly string[]): Pointer {
  return {
    symbol: symbol!,
    offset: Number(offset),
    part: part === "s" ? "a" : part as WordNetPart,
    from: parseInt(words!.slice(0, 2), 16),
    to: parseInt(words!.slice(2), 16),
  };
}
