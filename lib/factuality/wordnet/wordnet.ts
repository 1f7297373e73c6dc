import { type Synset, WORDNET_PARTS, type WordNetDatabase, type WordNetPart } from "./database.ts";

/** How one word's meaning stands to another's; `same` includes derived forms and narrower words. */
export type WordRelation = "same" | "opposite" | "sibling" | "none";

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
const TOO_WIDE = new Set([
  "entity",
  "physical entity",
  "abstraction",
  "object",
  "whole",
  "artifact",
  "unit",
  "matter",
  "state",
  "act",
  "event",
  "attribute",
  "relation",
  "group",
  "move",
  "travel",
  "change",
  "act",
  "make",
  "be",
  "have",
]);

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
export function wordNetOf(database: WordNetDatabase): WordNet {
  const known = new Map<string, Neighbourhood>();
  const neighbourhood = (lemma: string): Neighbourhood => {
    const kept = known.get(lemma) ?? readNeighbourhood(database, lemma);
    known.set(lemma, kept);
    return kept;
  };
  return {
    senseCount: (lemma) => neighbourhood(lemma).senseCount,
    isCommon: (lemma) => isCommon(database, lemma),
    relation(claimLemma, sourceLemma) {
      if (claimLemma === sourceLemma) return "same";
      const [claim, source] = [neighbourhood(claimLemma), neighbourhood(sourceLemma)];
      if (claim.senseCount === 0 || source.senseCount === 0) return "none";
      if (claim.opposites.has(sourceLemma) || source.opposites.has(claimLemma)) return "opposite";
      if (isSame(claim, claimLemma, source, sourceLemma)) return "same";
      return shares(claim.parents, source.parents) && !shares(source.synsets, claim.ancestors)
        ? "sibling"
        : "none";
    },
  };
}

function isCommon(database: WordNetDatabase, lemma: string): boolean {
  return WORDNET_PARTS.some((part) => {
    const [first] = database.senses(lemma, part);
    if (first === undefined) return false;
    const { words, capitals } = database.synset(part, first);
    return capitals[words.indexOf(lemma)] === false;
  });
}

function isSame(claim: Neighbourhood, claimLemma: string, source: Neighbourhood, other: string) {
  return shares(claim.synsets, source.synsets) || claim.derived.has(other) ||
    source.derived.has(claimLemma) || shares(claim.synsets, source.ancestors);
}

function shares(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const [small, large] = a.size < b.size ? [a, b] : [b, a];
  for (const item of small) if (large.has(item)) return true;
  return false;
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

type Growing = {
  readonly [Key in "derived" | "opposites" | "parents"]: Set<string>;
};

function addPointers(database: WordNetDatabase, synset: Synset, lemma: string, found: Growing) {
  const own = synset.words.indexOf(lemma) + 1;
  for (const pointer of synset.pointers) {
    if (pointer.from !== 0 && pointer.from !== own) continue;
    const target = () => database.synset(pointer.part, pointer.offset);
    const words = () => {
      const { words } = target();
      return pointer.to === 0 ? words : words.slice(pointer.to - 1, pointer.to);
    };
    if (pointer.symbol === "!") addAll(found.opposites, words());
    if (pointer.symbol === "+" || pointer.symbol === "\\") addAll(found.derived, words());
    if (pointer.symbol === "&") addIndirectOpposites(database, target(), found.opposites);
    if (pointer.symbol === "@" && !isTooWide(target())) found.parents.add(target().id);
  }
}

/** A satellite adjective is opposed to what its head is opposed to: moist → wet → dry. */
function addIndirectOpposites(database: WordNetDatabase, head: Synset, opposites: Set<string>) {
  for (const { symbol, part, offset } of head.pointers) {
    if (symbol === "!") addAll(opposites, database.synset(part, offset).words);
  }
}

function addAncestors(database: WordNetDatabase, synset: Synset, ancestors: Set<string>) {
  let level = [synset];
  for (let step = 0; step < HYPERNYM_STEPS; step++) {
    level = level.flatMap(({ pointers }) =>
      pointers.filter(({ symbol }) => symbol === "@" || symbol === "@i")
        .map(({ part, offset }) => database.synset(part as WordNetPart, offset))
    ).filter((parent) => !isTooWide(parent));
    addAll(ancestors, level.map(({ id }) => id));
  }
}

const isTooWide = ({ words }: Synset) => words.some((word) => TOO_WIDE.has(word));

function addAll(set: Set<string>, items: readonly string[]) {
  for (const item of items) set.add(item);
}
