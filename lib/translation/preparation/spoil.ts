/**
 * Corruption of translations for attention checks: obvious to readers, inconspicuous at a glance.
 */
import { median, sum } from "simple-statistics";
import { randomSource } from "../../stats/random.ts";
import { canonicalSha256 } from "../hashes.ts";
import { canonicalText, wordsOf } from "../text.ts";
import { secretOrder } from "./sampling.ts";
import type { Segment } from "./outputs.ts";

/** Material for the corruption: the file's segments can supply clauses. */
interface SpoilOptions {
  readonly secret: string;
  readonly segments: readonly Segment[];
  readonly language: string | undefined;
}

type Corruption = (item: Segment, system: number, options: SpoilOptions) => string | undefined;

/**
 * Types of corruption by the name stored in the key.
 * A function returns undefined if it does not apply.
 */
const CORRUPTIONS: readonly (readonly [spoiledBy: string, corrupt: Corruption])[] = [
  ["content words exchanged", exchangedWords],
  ["negated", negated],
  ["clause of another segment", foreignClauses],
];

/**
 * Bounds of a spoiled text's length relative to the unspoiled one's.
 * A check cannot be recognised by its shape.
 */
const [SHORTEST, LONGEST] = [0.7, 1.4];

/**
 * Corrupts a system's translation so that readers notice it.
 * No one notices it at a glance: length, beginning and end are similar. The result is undefined if
 * no type of corruption applies.
 */
export function spoil(item: Segment, system: number, options: SpoilOptions) {
  const before = canonicalText(item.translations[system]!);
  const translations = new Set(item.translations.map((text) => canonicalText(text).trim()));
  for (const index of secretOrder(options.secret, `way for ${nameOf(item)}`, CORRUPTIONS.length)) {
    const [spoiledBy, corrupt] = CORRUPTIONS[index]!;
    const text = corrupt(item, system, options);
    if (text !== undefined && !translations.has(text.trim()) && isLike(text, before)) {
      return { text, spoiledBy };
    }
  }
  return undefined;
}

/** Tests whether two texts have similar length and the same initial capitalisation. */
function isLike(text: string, other: string): boolean {
  const share = [...text].length / [...other].length;
  return share >= SHORTEST && share <= LONGEST && isCapital(text) === isCapital(other);
}

/** Tests whether the first letter of a text is a capital. */
const isCapital = (text: string) => /^\P{L}*\p{Lu}/u.test(text);

/** Number of words per exchanged pair. */
const WORDS_PER_PAIR = 12;

/** Maximum share of segments in which a content word may occur. */
const MAX_SEGMENT_SHARE = 0.2;

/** Segments per word in a file's translations. Rare words count as content words. */
const frequencies = new WeakMap<readonly Segment[], ReadonlyMap<string, number>>();

function segmentsByWord({ segments, language }: SpoilOptions): ReadonlyMap<string, number> {
  const known = frequencies.get(segments);
  if (known) return known;
  const counts = new Map<string, number>();
  for (const { translations } of segments) {
    const words = translations.flatMap((text) => wordsOf(text, language).map((it) => it.text));
    for (const word of new Set(words)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  frequencies.set(segments, counts);
  return counts;
}

/**
 * Exchanges pairs of content words, more pairs in a long text.
 * Content words have at least four letters (two in scripts without spaces) and are rare in the
 * file. The first word stays, and capitalised words are exchanged only with each other.
 */
function exchangedWords(item: Segment, system: number, options: SpoilOptions) {
  const text = canonicalText(item.translations[system]!);
  const words = wordsOf(text, options.language);
  const counts = segmentsByWord(options);
  const most = Math.max(2, MAX_SEGMENT_SHARE * options.segments.length);
  const isLong = ({ text: word }: typeof words[number]) =>
    [...word].length >= (/[\p{Ideo}\p{sc=Hang}\p{sc=Thai}]/u.test(word) ? 2 : 4) &&
    /^\p{L}+$/u.test(word);
  const isRare = (index: number) => counts.get(words[index]!.text)! <= most;
  const long = [...words.keys()].slice(1).filter((index) => isLong(words[index]!));
  // Rare words first; if the file has few, any long word will do.
  const order = secretOrder(options.secret, `words of ${nameOf(item)}`, long.length)
    .map((number) => long[number]!).sort((a, b) => Number(isRare(b)) - Number(isRare(a)));
  const places = new Map<number, number>();
  const pairs = Math.max(1, Math.round(words.length / WORDS_PER_PAIR));
  for (const one of order) {
    if (places.size >= 2 * pairs) break;
    if (places.has(one)) continue;
    // Neighbours in another order may still be right.
    const other = order.find((it) =>
      Math.abs(it - one) > 1 && !places.has(it) && words[it]!.text !== words[one]!.text &&
      isCapital(words[it]!.text) === isCapital(words[one]!.text)
    );
    if (other !== undefined) places.set(one, other).set(other, one);
  }
  if (places.size === 0) return undefined;
  const pieces = words.map(({ start }, index) =>
    text.slice(index === 0 ? 0 : words[index - 1]!.end, start) +
    words[places.get(index) ?? index]!.text
  );
  return pieces.join("") + text.slice(words.at(-1)!.end);
}

/**
 * Negation patterns by language: regular expression and replacement, tried in order.
 * `<` and `>` are word boundaries. Negations are removed first; without one, a negation is inserted
 * at an indefinite article or auxiliary.
 */
const NEGATIONS = Object.fromEntries(
  Object.entries({
    de: [
      [" nicht(?= )", ""],
      ["(?<= )kein(e[mnrs]?)?>", "ein$1"],
      ["(?<= )nie(mals)?>", "immer"],
      ["(?<= )ein(e[mnrs]?)?>", "kein$1"],
      [
        "<(ist|sind|war|waren|hat|haben|hatte|hatten|wird|werden|wurde|wurden|kann|können|konnte|konnten|soll|sollen|sollte|muss|müssen|musste|darf|dürfen|will|wollen)>",
        "$1 nicht",
      ],
    ],
    en: [
      [" not(?= )", ""],
      ["(?<=is|are|was|were|has|have|had|do|does|did|would|should|could)n['’]t>", ""],
      ["<can(no|['’])t>", "can"],
      ["<never>", "always"],
      ["<(is|are|was|were|has|have|had|will|would|can|could|should|must|may|might)>", "$1 not"],
    ],
    es: [
      ["(?<= )no (?=\\p{L})", ""],
      ["(?<= )nunca>", "siempre"],
      [
        "(?<= )(es|son|era|eran|fue|fueron|está|están|ha|han|había|habían|puede|pueden|será|serán|debe|deben)>",
        "no $1",
      ],
    ],
    fr: [
      ["<ne (\\p{L}+) pas>", "$1"],
      ["<n['’](\\p{L}+) pas>", "$1"],
      ["<jamais>", "toujours"],
      ["(?<= )(sont|sera|seront|peut|peuvent|doit|doivent|va|vont|fait|font)>", "ne $1 pas"],
      ["(?<= )(est|était|étaient|a|ont|avait|avaient)>(?= )", "n’$1 pas"],
    ],
    it: [
      ["(?<= )non (?=\\p{L})", ""],
      ["<mai>", "sempre"],
      [
        "(?<= )(è|sono|era|erano|ha|hanno|aveva|avevano|può|possono|sarà|saranno|deve|devono)>",
        "non $1",
      ],
    ],
    nl: [
      [" niet(?= )", ""],
      ["(?<= )geen>", "een"],
      ["(?<= )nooit>", "altijd"],
      ["(?<= )een>", "geen"],
      [
        "<(is|zijn|was|waren|heeft|hebben|had|hadden|wordt|worden|werd|werden|kan|kunnen|moet|moeten|zal)>",
        "$1 niet",
      ],
    ],
    pt: [
      ["(?<= )não (?=\\p{L})", ""],
      ["<nunca>", "sempre"],
      [
        "(?<= )(é|são|era|eram|foi|foram|está|estão|tem|têm|tinha|pode|podem|será|serão|deve|devem)>",
        "não $1",
      ],
    ],
  }).map(([language, rules]) => [
    language,
    rules.map(([source, instead]) => {
      const pattern = source!.replace(/(?<!\?)<(?![=!])/g, "(?<!\\p{L})").replaceAll(
        ">",
        "(?!\\p{L})",
      );
      return { pattern: new RegExp(pattern, "u"), instead: instead! };
    }),
  ]),
);

/** Maximum number of words for a negation. In a paragraph it could be overlooked in good faith. */
const MAX_WORDS = 25;

/** Applies the first matching negation pattern of the language. */
function negated(item: Segment, system: number, { language = "" }: SpoilOptions) {
  const text = canonicalText(item.translations[system]!);
  if (wordsOf(text, language || undefined).length > MAX_WORDS) return undefined;
  const negation = NEGATIONS[language.split("-")[0]!.toLowerCase()]
    ?.find(({ pattern }) => pattern.test(text));
  return negation && text.replace(negation.pattern, negation.instead);
}

/**
 * A clause between punctuation marks.
 * A sentence-initial clause replaces only sentence-initial clauses.
 */
interface Clause {
  readonly text: string;
  readonly start: number;
  readonly isFirst: boolean;
}

/** Returns the clauses of a text without surrounding marks and spaces. */
function clausesOf(text: string): readonly Clause[] {
  let isFirst = true;
  return [...text.matchAll(/[^,;:.!?…–—()"„“”«»‚‘’、，；：。！？\n]+/gu)].flatMap((match) => {
    const clause = match[0].trim();
    if (clause === "") return [];
    const start = match.index + match[0].indexOf(clause);
    const found = { text: clause, start, isFirst };
    isFirst = /^\s*[.!?…。！？\n]/u.test(text.slice(match.index + match[0].length));
    return [found];
  });
}

/** Maximum share of common words (Dice) of two texts on different subjects. */
const MAX_SIMILARITY = 0.5;
/** Minimum number of words of a meaningful clause. */
const MIN_WORDS = 4;

/** All clauses in a file's translations, cached for repeated use. */
const clausesByFile = new WeakMap<readonly Segment[], readonly (readonly SourcedClause[])[]>();

interface SourcedClause extends Clause {
  readonly from: Segment;
}

/** Returns the clauses in each system's translations. */
function clausesIn(segments: readonly Segment[]): readonly (readonly SourcedClause[])[] {
  const known = clausesByFile.get(segments);
  if (known) return known;
  const systems = segments[0]?.translations.keys() ?? [];
  const clauses = [...systems].map((system) =>
    segments.flatMap((from) =>
      clausesOf(canonicalText(from.translations[system]!)).map((clause) => ({ ...clause, from }))
    )
  );
  clausesByFile.set(segments, clauses);
  return clauses;
}

/** Minimum share of foreign text. */
const MIN_FOREIGN_SHARE = 0.25;

/**
 * Replaces the longest clauses with clauses of similar length.
 * At least a quarter of the text is replaced. The new clauses come from the same system's
 * translations of other sources, if possible of another document. An initial clause is replaced by
 * an initial clause.
 */
function foreignClauses(item: Segment, system: number, options: SpoilOptions) {
  const { secret, segments, language } = options;
  const text = canonicalText(item.translations[system]!);
  const translationWords = item.translations.map((it) => wordSet(it, language));
  const isStrange = ({ text }: Clause) => {
    const words = wordSet(text, language);
    return words.size >= MIN_WORDS &&
      translationWords.every((other) => dice(other, words) <= MAX_SIMILARITY);
  };
  const random = randomSource(canonicalSha256(["clause", secret, nameOf(item)]));
  const changes: { start: number; end: number; text: string }[] = [];
  let replaced = 0;
  for (const clause of clausesOf(text).toSorted((a, b) => b.text.length - a.text.length)) {
    if (replaced >= MIN_FOREIGN_SHARE * text.length) break;
    if (wordsOf(clause.text, language).length < MIN_WORDS) break;
    const alike = clausesIn(segments)[system]!.filter(({ text, from, isFirst }) =>
      from.source !== item.source && isFirst === clause.isFirst && isLike(text, clause.text)
    );
    const drawn = random.shuffle(alike)
      .sort((a, b) =>
        Number(a.from.document === item.document) - Number(b.from.document === item.document)
      );
    const lent = drawn.find((it) => isStrange(it) && changes.every(({ text }) => text !== it.text));
    if (lent === undefined) continue;
    const end = clause.start + clause.text.length;
    changes.push({ start: clause.start, end, text: lent.text });
    replaced += clause.text.length;
  }
  if (replaced < MIN_FOREIGN_SHARE * text.length) return undefined;
  return changes.toSorted((a, b) => b.start - a.start)
    .reduce((before, it) => before.slice(0, it.start) + it.text + before.slice(it.end), text);
}

/** Length relative to the item's median below which a translation counts as truncated. */
const TRUNCATED = 0.7;

/**
 * Returns the translation most similar to the others.
 * It is the least likely to be bad already. Similarity is the mean Dice coefficient of words; ties
 * go to the longer text, and truncated ones are ignored. The result is undefined if no two share a
 * word.
 */
export function mostTypical(translations: readonly string[], language?: string) {
  const words = translations.map((text) => wordSet(text, language));
  const lengths = translations.map((text) => [...text].length);
  const filled = lengths.filter((_, index) => words[index]!.size > 0);
  if (filled.length === 0) return undefined;
  const shortest = TRUNCATED * median(filled);
  const [best] = words
    .map((one, index) => ({
      index,
      likeness: sum(words.toSpliced(index, 1).map((other) => dice(one, other))),
    }))
    .filter(({ index, likeness }) => lengths[index]! >= shortest && likeness > 0)
    .sort((a, b) => b.likeness - a.likeness || lengths[b.index]! - lengths[a.index]!);
  return best?.index;
}

const wordSet = (text: string, language?: string): ReadonlySet<string> =>
  new Set(wordsOf(text, language).map((it) => it.text));

function dice(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const size = one.size + other.size;
  return size === 0 ? 0 : 2 * one.intersection(other).size / size;
}

/** Key of a segment; identifiers may restart in each document. */
const nameOf = ({ document, segment }: Segment) => JSON.stringify([document, segment]);
