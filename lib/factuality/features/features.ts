/** What features there are, and all of them of a claim against sources that are read once. */
import { sentencesOf } from "../claims/sentences.ts";
import { type Finding, type Passage, SOURCE_TEXT, type TextSpan } from "../types.ts";
import { compareQuantities, type Quantity } from "./quantities.ts";
import { accountsFor, areOpposed, nameAround, readWords, wordIndex } from "./words.ts";
import type { Gazetteer, Word } from "./words.ts";

/**
 * Every feature of a claim against its sources, in the order of the vector, with what it means for the
 * reader of a report; each 0–1. "Weighted" means by how much a word says: by its class, and less the
 * more sentences of the sources have it; "the evidence" is the three sentences with the greatest
 * weighted share of the claim's words; "asserted" are the words outside a question that the claim
 * answers, see `assertedWords()`. None can be computed from the claim alone: with nothing to compare,
 * a feature has its neutral value.
 */
export const FEATURES = [
  row("overlap", "top", "weighted share of the asserted words in the evidence"),
  row("overlap", "all", "weighted share anywhere in the sources"),
  row("overlap", "complete", "1 where no asserted word is missing, less with each that is"),
  row("quantity", "contradicted", "strongest number of another value in the same place"),
  row("quantity", "absent", "share of the claim's numbers that the evidence does not have"),
  row("quantity", "date_contradicted", "strongest date of another value in the same place"),
  row("quantity", "date_absent", "share of the claim's dates that the evidence does not have"),
  row("negation", "differs", "claim or evidence denies what the other says, × how well they agree"),
  row(
    "antonym",
    "opposed",
    "a word that excludes one of the claim's stands in its place, × agreement",
  ),
  row("name", "absent", "share of the claim's names nowhere in the sources"),
  row("name", "swapped", "another name of the same type in the name's place, × agreement"),
  row("name", "exchanged", "two names around the same words, the other way about, × agreement"),
  row("speaker", "alone", "1 where the claim speaks of I or we and no source does, else 0"),
] as const;

function row<G extends string, N extends string>(group: G, short: N, means: string) {
  return { name: `${group}.${short}` as `${G}.${N}`, group, means } as const;
}

/** What kind of thing a feature looks at. */
export type FeatureGroup = (typeof FEATURES)[number]["group"];

type FeatureName = (typeof FEATURES)[number]["name"];

/** In the order of `ClaimFeatures.values`. */
export const FEATURE_NAMES: readonly FeatureName[] = FEATURES.map(({ name }) => name);

/** Raised whenever a feature could have another value: kept vectors carry it in their settings. */
export const FEATURES_VERSION = 3;

/** What was seen when a claim was held against its sources. */
interface ClaimFeatures {
  /** In the order of `FEATURE_NAMES`; each 0–1. */
  readonly values: readonly number[];
  /** In words, for the report; the strongest first. */
  readonly findings: readonly Finding[];
}

/** Sources read once, for any number of claims. */
interface SourceReader {
  features(claim: string): ClaimFeatures;
}

/** Reads the passages once for any number of claims: 20 ms for 1,500 words, then 1 ms a claim. */
export function sourceReader(passages: readonly Passage[], gazetteer: Gazetteer): SourceReader {
  const sentences = sourceSentences(passages, gazetteer);
  const holding = wordIndex(sentences.map(({ words }) => words));
  return {
    features(claim) {
      const comparison = compare(claim, sentences, holding, gazetteer);
      const families = [
        overlapFeatures(comparison),
        quantityFeatures(comparison),
        negationFeatures(comparison),
        antonymFeatures(comparison),
        nameFeatures(comparison),
        speakerFeatures(comparison),
      ] as const;
      const values: Readonly<Record<FeatureName, number>> = Object.assign(
        {},
        ...families.map(({ values }) => values),
      );
      return {
        values: FEATURE_NAMES.map((name) => values[name]),
        findings: families.flatMap(({ findings }): readonly WeighedFinding[] => findings)
          .toSorted((a, b) => b.strength - a.strength)
          .map(({ feature, words, speaksFor }) => ({ feature, words, speaksFor })),
      };
    },
  };
}

/** One sentence of a source, read. */
interface SourceSentence {
  /** With what the passage is about before it ("France, Population: …"), where it does not say so itself. */
  readonly text: string;
  /** Words of `text`. */
  readonly words: readonly Word[];
}

/** All sentences of the passages in order. */
function sourceSentences(passages: readonly Passage[], gazetteer: Gazetteer) {
  return passages.flatMap((passage) =>
    sentencesOf(passage.text).flatMap(({ text }) => text.split(/(?<=;)\s+/)).map((part) => {
      // Between semicolons, each part states something on its own: "total: 68,512; male: 33,557".
      const text = `${about(passage, part)}${part}`;
      return { text, words: readWords(text, gazetteer) };
    })
  );
}

function about({ collection, title, section }: Passage, text: string): string {
  if (collection === SOURCE_TEXT) return "";
  const missing = [title, section].filter((name) => name !== "" && !text.includes(name));
  return missing.length === 0 ? "" : `${missing.join(", ")}: `;
}

/** A claim's words against one sentence's. */
interface SentenceComparison {
  readonly sentence: SourceSentence;
  /** `pairs[claim word][sentence word]`: whether the one accounts for the other. */
  readonly pairs: readonly (readonly boolean[])[];
  /** For each word of the claim, whether the sentence accounts for it. */
  readonly has: readonly boolean[];
}

/** A claim beside its evidence: all that the families of features look at. */
interface Comparison {
  readonly claimText: string;
  /** With the weight that each word has among these sources. */
  readonly claim: readonly Word[];
  /** For each word of the claim; see {@link assertedWords}. */
  readonly asserted: readonly boolean[];
  /** For each word of the claim, whether any sentence of any source accounts for it. */
  readonly anywhere: readonly boolean[];
  /** The evidence, the best first; empty where the sources have no sentence. */
  readonly evidence: readonly SentenceComparison[];
  /** Every sentence of every source. */
  readonly all: readonly SourceSentence[];
}

/** So many sentences are the evidence of a claim. */
const KEPT = 3;

function compare(
  claimText: string,
  all: readonly SourceSentence[],
  holding: ReturnType<typeof wordIndex>,
  gazetteer: Gazetteer,
): Comparison {
  const read = readWords(claimText, gazetteer);
  const having = read.map(holding);
  const claim = read.map((word, index) => {
    const { length } = having[index]!;
    return { ...word, weight: word.weight / (1 + Math.log(Math.max(1, length)) / 3) };
  });
  const total = claim.reduce((sum, { weight }) => sum + weight, 0);
  const weights = new Map<number, number>();
  for (const [index, places] of having.entries()) {
    const { weight } = claim[index]!;
    for (const place of places) weights.set(place, (weights.get(place) ?? 0) + weight);
  }
  // Sentences without a word of the claim stand behind all others, in their order.
  for (let place = 0; place < all.length && weights.size < KEPT; place++) {
    if (!weights.has(place)) weights.set(place, 0);
  }
  const evidence = [...weights].map(([place, weight]) => {
    const sentence = all[place]!;
    const share = total === 0 ? 0 : weight / total;
    // A question states nothing.
    return { sentence, place, fit: /\?\W*$/.test(sentence.text) ? share / 2 : share };
  }).toSorted((a, b) => b.fit - a.fit || a.place - b.place).slice(0, KEPT).map(({ sentence }) => {
    const pairs = claim.map((word) => sentence.words.map((other) => accountsFor(other, word)));
    return { sentence, pairs, has: pairs.map((row) => row.includes(true)) };
  });
  const anywhere = having.map(({ length }) => length > 0);
  return { claimText, claim, asserted: assertedWords(claimText, claim), anywhere, evidence, all };
}

/**
 * Which words of a claim are asserted. In "Who wrote it? Blake." and "Who wrote it: Blake." that is
 * the answer alone: the question's words are given, and a source can have them all without a word
 * for the answer. All of them where nothing is answered.
 */
function assertedWords(claim: string, words: readonly TextSpan[]): readonly boolean[] {
  const given = givenParts(claim);
  const asserted = words.map((word) =>
    !given.some(({ start, end }) => start <= word.start && word.start < end)
  );
  return asserted.some(Boolean) ? asserted : words.map(() => true);
}

/** Questions, up to their mark or the colon before the answer, the letters Q and A before both, and "I think". */
function givenParts(claim: string): readonly TextSpan[] {
  const labels = [
    ...claim.matchAll(/(?<=^|\s)(?:Q|A|Question|Answer):/gu),
    ...claim.matchAll(OPENING),
  ]
    .map(({ index, 0: label }) => ({ start: index, end: index + label.length }));
  const questions = sentencesOf(claim).flatMap(({ start, text }) => {
    const length = questionLength(text);
    return length === 0 ? [] : [{ start, end: start + length }];
  });
  return [...labels, ...questions];
}

const QUESTION_WORD = /\b(?:who|whom|whose|what|which|when|where|why|how)\b/i;
const INVERSION = /^(?:is|are|was|were|do|does|did|can|could|has|have|had|will|would)\b/i;

/** An answer in small letters is no sentence of its own; "Which band: Blur" has no mark. */
function questionLength(sentence: string): number {
  const mark = sentence.lastIndexOf("?");
  if (mark >= 0) return mark + 1;
  const colons = [...sentence.matchAll(/:\s/g)].map(({ index }) => index);
  return colons.find((colon) => {
    const before = sentence.slice(0, colon).replace(/^(?:Q|Question):\s*/u, "");
    return QUESTION_WORD.test(before) || INVERSION.test(before);
  }) ?? 0;
}

/** Weighted mean of a value for each word; `neutral` where there is no word. */
function weightedMean(
  words: readonly Word[],
  value: (index: number) => number,
  neutral: number,
): number {
  const all = words.reduce((sum, { weight }) => sum + weight, 0);
  if (all === 0) return neutral;
  return words.reduce((sum, { weight }, index) => sum + weight * value(index), 0) / all;
}

/** Weighted share of the claim's words, but for the one left out, that a sentence has; 0–1. */
function agreement({ claim }: Comparison, { has }: SentenceComparison, leftOut?: number): number {
  const others = claim.map((word, index) => index === leftOut ? { ...word, weight: 0 } : word);
  return weightedMean(others, (index) => has[index] ? 1 : 0, 0);
}

/** What one family of features saw: a value for each feature of its group, and findings. */
interface FamilyResult<G extends FeatureGroup> {
  readonly values: {
    readonly [Name in FeatureName as Name extends `${G}.${string}` ? Name : never]: number;
  };
  readonly findings: readonly WeighedFinding[];
}

/** A finding and how sure it is, 0–1. */
interface WeighedFinding extends Finding {
  readonly strength: number;
}

/** Weaker than this, a feature counts but is not worth a reader's time. */
const WORTH_TELLING = 0.3;

/** A finding against the claim, where it is worth telling. */
const refuting = (
  feature: FeatureName,
  words: string,
  strength: number,
): readonly WeighedFinding[] =>
  strength < WORTH_TELLING ? [] : [{ feature, words, speaksFor: "refuted", strength }];

/** What the sources do not say. */
const lacking = (feature: FeatureName, words: string, strength: number): WeighedFinding => (
  { feature, words, speaksFor: "not enough info", strength }
);

/** Words of the claim in the evidence. With nothing to find, everything is found. */
function overlapFeatures(comparison: Comparison): FamilyResult<"overlap"> {
  const { claim, asserted, evidence, anywhere } = comparison;
  const top = claim.map((_, index) => evidence.some(({ has }) => has[index]));
  const own = claim.map((word, index) => asserted[index] ? word : { ...word, weight: 0 });
  const lost = own.reduce((sum, { weight }, index) => top[index] ? sum : sum + weight, 0);
  const missing = own.filter(({ wordClass, weight }, index) =>
    !top[index] && weight > 0 && /^(?:noun|verb|adjective)$/.test(wordClass)
  );
  const total = (of: readonly Word[]) => of.reduce((sum, { weight }) => sum + weight, 0);
  const share = total(missing) / total(own);
  const words = [...new Set(missing.map(({ text }) => `“${text}”`))].join(", ");
  return {
    values: {
      "overlap.top": weightedMean(own, (index) => top[index] ? 1 : 0, 0),
      "overlap.all": weightedMean(claim, (index) => anywhere[index] ? 1 : 0, 0),
      // One word of ten that is missing makes a claim as wrong as one of three does, which no mean
      // shows. At half weight: what is not there may be said in other words.
      "overlap.complete": claim.length === 0 ? 0 : Math.exp(-lost / 2),
    },
    // Fewer may well be said in other words.
    findings: share >= WORTH_TELLING
      ? [lacking("overlap.top", `the evidence does not have ${words}`, share)]
      : [],
  };
}

/** Another word where the claim's should be, or several that make one name. */
interface Rival {
  readonly claim: string;
  readonly source: string;
  /** How sure it is that both speak of the same, 0–1: the rest of the sentence agrees, and so does the place. */
  readonly strength: number;
}

/** How much a sentence that has the claim's word, and agrees with it, speaks against rivals elsewhere. */
const WORD_ELSEWHERE = 0.8;

/**
 * The strongest rival of one of the claim's words in the evidence: a word that no word of the claim
 * accounts for, in a sentence without the claim's word that agrees with the rest of the claim, and
 * more than any sentence does that has the word. Undefined where there is none.
 */
function strongestRival(
  comparison: Comparison,
  index: number,
  isRival: (claim: Word, source: Word) => boolean | undefined,
  place: typeof surroundings,
): Rival | undefined {
  const claim = comparison.claim[index]!;
  const sentences = comparison.evidence.map((one) => {
    return { one, hasWord: one.has[index]!, agreed: agreement(comparison, one, index) };
  });
  const elsewhere = Math.max(0, ...sentences.map(({ hasWord, agreed }) => hasWord ? agreed : 0));
  const rivals = sentences.filter(({ hasWord }) => !hasWord).flatMap(({ one, agreed }) =>
    one.sentence.words.flatMap((source, column): readonly Rival[] => {
      const isAccountedFor = one.pairs.some((row) => row[column]);
      if (isAccountedFor || !isRival(claim, source)) return [];
      const strength = Math.max(0, agreed - WORD_ELSEWHERE * elsewhere) *
        place(comparison, one, index, column);
      const [rival, own] = [
        whole(one.sentence.words, column, one.sentence.text),
        whole(comparison.claim, index, comparison.claimText),
      ];
      return [{ claim: own, source: rival, strength }];
    })
  );
  return strongestOf(rivals);
}

/** Undefined where none has any strength. */
function strongestOf<Of extends { readonly strength: number }>(all: readonly Of[]): Of | undefined {
  return all.reduce<Of | undefined>(
    (best, next) => next.strength > (best?.strength ?? 0) ? next : best,
    undefined,
  );
}

/** Words of the claim on either side of a number, and words of the source on either side of its rival. */
const REACH = { claim: 2, source: 5 };

/** What a claim is about has all its numbers around it: a name tells less of a place than other words. */
const NAME_SHARE = 0.4;

/** Weighted share of the word's neighbours in the claim that stand near the rival too; 0–1. */
function surroundings(
  { claim }: Comparison,
  { pairs }: SentenceComparison,
  index: number,
  column: number,
): number {
  const from = Math.max(0, index - REACH.claim);
  const neighbours = claim.slice(from, index + REACH.claim + 1).map((word, offset) => {
    const share = from + offset === index ? 0 : word.wordClass === "name" ? NAME_SHARE : 1;
    return { ...word, weight: share * word.weight };
  });
  const start = Math.max(0, column - REACH.source);
  const isNear = (offset: number) =>
    pairs[from + offset]!.slice(start, column + REACH.source + 1).includes(true);
  return weightedMean(neighbours, (offset) => isNear(offset) ? 1 : 0, 0);
}

/** So far from a rival on one side stands what stands next to the claim's word there. */
const NEXT = 2;

/** Share of a claim's neighbours on the rival's same side, behind one preposition: 0, ½ or 1. */
function sides(
  { claim, claimText }: Comparison,
  { pairs, sentence: { words, text } }: SentenceComparison,
  index: number,
  column: number,
): number {
  const [first, last] = nameAround(claim, index);
  const [start, end] = nameAround(words, column);
  const before = (whole: string, word: Word) => PREPOSITION.exec(whole.slice(0, word.start))?.[0];
  if (before(claimText, claim[first]!) !== before(text, words[start]!)) return 0;
  const has = (place: number, from: number, to: number) =>
    pairs[place]!.slice(Math.max(0, from), to).includes(true);
  const found = [
    ...first > 0 ? [has(first - 1, start - NEXT, start)] : [],
    ...last + 1 < claim.length ? [has(last + 1, end + 1, end + 1 + NEXT)] : [],
  ];
  return found.filter(Boolean).length / Math.max(1, found.length);
}

const PREPOSITION =
  /\b(?:in|on|at|by|of|from|to|with|for|about|than|as|into) (?:the |an? )?["“]?$/i;

/** A word as written, or the name that it is part of. */
function whole(words: readonly Word[], index: number, text: string): string {
  const [first, last] = nameAround(words, index);
  return text.slice(words[first]!.start, words[last]!.end);
}

/** Numbers and dates of the claim against those of the evidence. */
function quantityFeatures(comparison: Comparison): FamilyResult<"quantity"> {
  const amounts = standing(comparison, "amount");
  const dates = standing(comparison, "date");
  return {
    values: {
      "quantity.contradicted": amounts.contradicted,
      "quantity.absent": amounts.absent,
      "quantity.date_contradicted": dates.contradicted,
      "quantity.date_absent": dates.absent,
    },
    findings: [
      ...amounts.rivals.flatMap((rival) => differing("quantity.contradicted", rival)),
      ...dates.rivals.flatMap((rival) => differing("quantity.date_contradicted", rival)),
      ...[...amounts.missing, ...dates.missing].map(({ text, quantity }) =>
        lacking(
          quantity!.kind === "date" ? "quantity.date_absent" : "quantity.absent",
          `the evidence does not say ${text}`,
          WORTH_TELLING,
        )
      ),
    ],
  };
}

function standing(comparison: Comparison, kind: Quantity["kind"]) {
  const { claim, evidence, anywhere } = comparison;
  const own = claim.flatMap((word, index) => word.quantity?.kind === kind ? [index] : []);
  const missing = own.filter((index) => !evidence.some(({ has }) => has[index]));
  // What the sources say elsewhere may well be what the claim means.
  const rivals = missing.filter((index) => !anywhere[index]).flatMap((index) =>
    strongestRival(
      comparison,
      index,
      ({ quantity }, { quantity: other }) =>
        quantity && other && compareQuantities(quantity, other) === "different",
      surroundings,
    ) ?? []
  ).toSorted((a, b) => b.strength - a.strength)
    // One number of the source is in one place.
    .filter(({ source }, place, all) => all.findIndex((one) => one.source === source) === place);
  const told = rivals.filter(({ strength }) => strength >= WORTH_TELLING);
  return {
    contradicted: Math.max(0, ...rivals.map(({ strength }) => strength)),
    absent: own.length === 0 ? 0 : missing.length / own.length,
    rivals,
    missing: missing.map((index) => claim[index]!)
      .filter(({ text }) => !told.some((rival) => rival.claim === text)),
  };
}

const differing = (feature: FeatureName, { claim, source, strength }: Rival, mark = ["", ""]) =>
  refuting(
    feature,
    `source says ${mark[0]}${source}${mark[1]}, claim says ${mark[0]}${claim}${mark[1]}`,
    strength,
  );

/** One denies what the other says of the same words. */
function negationFeatures(comparison: Comparison): FamilyResult<"negation"> {
  const differences = comparison.evidence.flatMap((one) => {
    const common = comparison.claim.flatMap((claim, index) => {
      const same = one.sentence.words.filter(({ wordClass }, column) =>
        one.pairs[index]![column] && wordClass === claim.wordClass
      );
      return same.length > 0 ? [{ claim, same }] : [];
    });
    const claimDenies = common.some(({ claim }) => claim.negated);
    const sourceDenies = common.some(({ same }) => same.some(({ negated }) => negated));
    // Where both deny, it may be the same in other words: "found no evidence", "did not find evidence".
    if (common.length < 2 || claimDenies === sourceDenies) return [];
    const denied = common.find(({ claim, same }) =>
      same.every(({ negated }) => negated !== claim.negated)
    );
    // Of two sentences that share half their words, most speak of different things.
    return denied ? [{ claim: denied.claim, strength: agreement(comparison, one) ** 2 }] : [];
  });
  const strongest = strongestOf(differences);
  if (strongest === undefined) return { values: { "negation.differs": 0 }, findings: [] };
  const { claim, strength } = strongest;
  const [one, other] = claim.negated ? ["claim", "source"] : ["source", "claim"];
  const words = `${one} denies “${claim.text}”, ${other} does not`;
  return {
    values: { "negation.differs": strength },
    findings: refuting("negation.differs", words, strength),
  };
}

/** A word that excludes the claim's word stands where it should stand. */
function antonymFeatures(comparison: Comparison): FamilyResult<"antonym"> {
  // An opposite within a negation says the same: "not safe" is unsafe.
  const isOpposed = (claim: Word, source: Word) =>
    claim.negated === source.negated && areOpposed(claim, source);
  const strongest = strongestOf(
    comparison.claim.flatMap((_, index) =>
      strongestRival(comparison, index, isOpposed, sides) ?? []
    ),
  );
  return {
    values: { "antonym.opposed": strongest?.strength ?? 0 },
    findings: strongest ? differing("antonym.opposed", strongest, ["“", "”"]) : [],
  };
}

/** Named things of the claim: in the sources, or another in their place. */
function nameFeatures(comparison: Comparison): FamilyResult<"name"> {
  const { claim, claimText, anywhere } = comparison;
  const names = claim.flatMap((word, index) => word.wordClass === "name" ? [index] : []);
  const nowhere = names.filter((index) => !anywhere[index]);
  const absent = nowhere.map((index) => nameAround(claim, index))
    // "Woodrow Wilson" is named where Wilson is.
    .filter(([first, last]) =>
      anywhere.slice(first, last + 1).filter(Boolean).length < (last + 1 - first) / 2
    )
    .filter(([first], place, all) => all[place - 1]?.[0] !== first);
  const rivals = absent.flatMap(([first, last]) => {
    // Of what the claim is about, the sources may go on with "he" and "it".
    const isTopic = first === 0 && claim[0]!.entry === undefined;
    return !isTopic && !anywhere.slice(first, last + 1).includes(true)
      ? strongestRival(comparison, last, isOtherName, sides) ?? []
      : [];
  });
  const swap = strongestOf(rivals);
  const exchange = exchangedNames(comparison);
  const share = names.length === 0 ? 0 : nowhere.length / names.length;
  const words = absent.map(([, last]) => whole(claim, last, claimText))
    .filter((name) => !(swap && swap.strength >= WORTH_TELLING && name === swap.claim));
  return {
    values: {
      "name.absent": share,
      "name.swapped": swap?.strength ?? 0,
      "name.exchanged": exchange?.strength ?? 0,
    },
    findings: [
      ...swap ? differing("name.swapped", swap) : [],
      ...exchange ? differing("name.exchanged", exchange, ["“", "”"]) : [],
      ...words.length === 0
        ? []
        : [lacking("name.absent", `the sources do not name ${words.join(", ")}`, share)],
    ],
  };
}

/**
 * Two names of the claim that a sentence has the other way about, with the same words between them and
 * the same prepositions before and between them: "Japan invaded Guam" beside "Guam invaded Japan", not
 * beside "Guam was invaded by Japan". None where the words between hold both ways ("borders", "and"), or
 * where another sentence of the evidence has the names as the claim has them.
 */
function exchangedNames(comparison: Comparison): Rival | undefined {
  const { claim, claimText, evidence } = comparison;
  const names = claim.flatMap((word, index) =>
    isNamed(word) && nameAround(claim, index)[1] === index ? [index] : []
  );
  const rivals = names.slice(1).flatMap((right, place): readonly Rival[] => {
    const left = names[place]!;
    const own = namePair(claimText, claim, left, right);
    if (holdsBothWays(own.between)) return [];
    const found = evidence.flatMap((one) => {
      const { sentence: { words, text }, pairs } = one;
      const places = (index: number) =>
        words.flatMap((word, at) => pairs[index]![at] && isNamed(word) ? [at] : []);
      const hasWord = (index: number, { inner: [from, to] }: NamePair) =>
        pairs[index]!.slice(from, to).includes(true);
      return places(left).flatMap((a) =>
        places(right).filter((b) => a !== b).map((b) => ({
          one,
          isTurned: b < a,
          pair: namePair(text, words, Math.min(a, b), Math.max(a, b)),
        }))
      ).filter(({ pair }) => {
        const [from, to] = own.inner;
        const inner = Array.from({ length: to - from }, (_, i) => from + i);
        // A word may stand between in addition.
        const isNear = pair.inner[1] - pair.inner[0] <= inner.length + 1;
        return isNear && inner.every((index) => hasWord(index, pair)) &&
          pair.opens === own.opens && prepositions(pair.between) === prepositions(own.between) &&
          (inner.length > 0 || pair.between === own.between);
      });
    });
    return found.some(({ isTurned }) => !isTurned) ? [] : found.map(({ one, pair }) => (
      { claim: own.words, source: pair.words, strength: agreement(comparison, one) ** 2 }
    ));
  });
  return strongestOf(rivals);
}

/** What opens a sentence is hardly ever read as a name. */
const isNamed = ({ wordClass, text }: Word) =>
  wordClass === "name" || wordClass === "noun" && /^\p{Lu}/u.test(text);

/** Two names of a text. */
type NamePair = ReturnType<typeof namePair>;

function namePair(text: string, words: readonly Word[], left: number, right: number) {
  const [first, last] = nameAround(words, left);
  const [next, end] = nameAround(words, right);
  return {
    words: text.slice(words[first]!.start, words[end]!.end),
    between: text.slice(words[last]!.end, words[next]!.start).trim().toLowerCase(),
    /** The words between: from the first to before the last; empty where they make one name. */
    inner: [last + 1, Math.max(last + 1, next)] as const,
    /** The preposition before both. */
    opens: PREPOSITION.exec(text.slice(0, words[first]!.start))?.[0].split(" ")[0],
  };
}

/** "by" where one is in the passive; "of" where one is said in another construction. */
const prepositions = (between: string) =>
  between.toLowerCase().match(/\b(?:in|on|at|by|of|from|to|with|for|about|than|as|into)\b/g)
    ?.join();

/** Of A and B as of B and A. */
const holdsBothWays = (between: string) =>
  /^[\s,&/–—-]*(?:and|or|with|as well as)?(?: the)?\s*$/i.test(between) ||
  /\b(?:border|shar(?:es?|ed|ing) (?:an?|its|the|their)|neighbou?r|meet|met|marr|merge|adjoin|agree|ally|allied|twin|and)\w*\b/i
    .test(between);

/** Of one type where the gazetteer knows both; a country is no rival of a person. */
const isOtherName = (claim: Word, source: Word) =>
  claim.wordClass === "name" && source.wordClass === "name" &&
  claim.entry?.type === source.entry?.type;

/** "I think that …", "…, as far as I know": what stands beside it is the claim. */
const OPENING =
  /\bi (?:think|believe|guess|suppose|heard|read|know|understand)\b|\bi ?['’] ?m not sure|\bme too\b|\bas far as i know\b|\b(?:in my opinion|from what i know)\b/gi;

/** Not "us" and "mine", which are the country and the pit in small letters, nor the I of "World War I". */
const SPEAKER = /(?<!\p{Lu}[\p{L}.]*\s)\bI\b|\b(?:i|me|[Mm]y|[Ww]e|[Oo]ur)\b/u;

/** What people say of themselves is in no source that does not quote them. */
function speakerFeatures({ claimText, all }: Comparison): FamilyResult<"speaker"> {
  const own = claimText.replace(OPENING, "").replace(/"[^"]*"|“[^”]*”/g, "");
  const isAlone = SPEAKER.test(own) && !all.some(({ text }) => SPEAKER.test(text));
  const words = "the claim speaks of who says it, the sources do not";
  return {
    values: { "speaker.alone": isAlone ? 1 : 0 },
    findings: isAlone ? [lacking("speaker.alone", words, 1)] : [],
  };
}
