/**
 * A claim with its sources: which sentences are its evidence, which words they have, and what stands there
 * in the place of the claim's number, word or name.
 */
import { sentencesOf, statementOf } from "../claims/sentences.ts";
import { type Passage, SOURCE_TEXT, type TextSpan } from "../types.ts";
import { accountsFor, nameAround, readWords } from "./words.ts";
import type { Gazetteer, Word, wordIndex } from "./words.ts";

/**
 * One sentence of a source, read; `text` with what the passage is about before it ("France, Population:
 * …"), where it does not say so itself.
 */
type SourceSentence = ReturnType<typeof sourceSentences>[number];

/** All sentences of the passages in order. */
export const sourceSentences = (passages: readonly Passage[], gazetteer: Gazetteer) =>
  passages.flatMap((passage) =>
    sentencesOf(passage.text).flatMap(({ parts }) => parts).flatMap((part) =>
      // Between semicolons, each part states something on its own: "total: 68,512; male: 33,557".
      statementOf(passage.text, part).split(/(?<=;)\s+/).map((part) => {
        const whole = `${about(passage, part)}${part}`;
        return { text: whole, words: readWords(whole, gazetteer) };
      })
    )
  );

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
export interface Comparison {
  readonly claimText: string;
  /** With the weight that each word has among these sources. */
  readonly claim: readonly Word[];
  /** For each word of the claim; see {@link assertedWords}. */
  readonly asserted: readonly boolean[];
  /** For each word of the claim, whether any sentence of any source accounts for it. */
  readonly anywhere: readonly boolean[];
  /** The evidence, the best first; empty where the sources have no sentence. */
  readonly evidence: readonly SentenceComparison[];
}

/** So many sentences are the evidence of a claim. */
const KEPT = 3;

export function compare(
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
  return { claimText, claim, asserted: assertedWords(claimText, claim), anywhere, evidence };
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

/** Weighted mean of a value for each word; 0 where there is no word. */
export function weightedMean(words: readonly Word[], value: (index: number) => number): number {
  const all = words.reduce((sum, { weight }) => sum + weight, 0);
  if (all === 0) return 0;
  return words.reduce((sum, { weight }, index) => sum + weight * value(index), 0) / all;
}

/** Weighted share of the claim's words, but for the one left out, that a sentence has; 0–1. */
export function agreement(
  { claim }: Comparison,
  { has }: SentenceComparison,
  leftOut?: number,
): number {
  const others = claim.map((word, index) => index === leftOut ? { ...word, weight: 0 } : word);
  return weightedMean(others, (index) => has[index] ? 1 : 0);
}

/** "I think that …", "…, as far as I know": what stands beside it is the claim. */
const OPENING =
  /\bi (?:think|believe|guess|suppose|heard|read|know|understand)\b|\bi ?['’] ?m not sure|\bme too\b|\bas far as i know\b|\b(?:in my opinion|from what i know)\b/gi;

/** Another word where the claim's should be, or several that make one name. */
export interface Rival {
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
export function strongestRival(
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
export const strongestOf = <Of extends { readonly strength: number }>(
  all: readonly Of[],
): Of | undefined =>
  all.reduce<Of | undefined>(
    (best, next) => next.strength > (best?.strength ?? 0) ? next : best,
    undefined,
  );

/** Words of the claim on either side of a number, and words of the source on either side of its rival. */
const REACH = { claim: 2, source: 5 };

/** What a claim is about has all its numbers around it: a name tells less of a place than other words. */
const NAME_SHARE = 0.4;

/** Weighted share of the word's neighbours in the claim that stand near the rival too; 0–1. */
export function surroundings(
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
  return weightedMean(neighbours, (offset) => isNear(offset) ? 1 : 0);
}

/** So far from a rival on one side stands what stands next to the claim's word there. */
const NEXT = 2;

/** Share of a claim's neighbours on the rival's same side, behind one preposition: 0, ½ or 1. */
export function sides(
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

const PREPOSITIONS = "in|on|at|by|of|from|to|with|for|about|than|as|into";
const EACH_PREPOSITION = new RegExp(`\\b(?:${PREPOSITIONS})\\b`, "g");
const PREPOSITION = new RegExp(`\\b(?:${PREPOSITIONS}) (?:the |an? )?["“]?$`, "i");

/** A word as written, or the name that it is part of. */
export function whole(words: readonly Word[], index: number, text: string): string {
  const [first, last] = nameAround(words, index);
  return text.slice(words[first]!.start, words[last]!.end);
}

/**
 * Two names of the claim that a sentence has the other way about, with the same words between them and
 * the same prepositions before and between them: "Japan invaded Guam" beside "Guam invaded Japan", not
 * beside "Guam was invaded by Japan". None where the words between hold both ways ("borders", "and"), or
 * where another sentence of the evidence has the names as the claim has them.
 */
export function exchangedNames(comparison: Comparison): Rival | undefined {
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
const prepositions = (between: string) => between.match(EACH_PREPOSITION)?.join();

/** Of A and B as of B and A. */
const holdsBothWays = (between: string) =>
  /^[\s,&/–—-]*(?:and|or|with|as well as)?(?: the)?\s*$/i.test(between) ||
  /\b(?:border|shar(?:es?|ed|ing) (?:an?|its|the|their)|neighbou?r|meet|met|marr|merge|adjoin|agree|ally|allied|twin|and)\w*\b/i
    .test(between);
