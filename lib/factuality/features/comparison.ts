/**
 * Comparison of a claim with its sources: evidence sentences, shared words, and rivals. A rival is
 * another number, word or name of a source where the claim has its own.
 */
import { sentencesOf, statementOf } from "../claims/sentences.ts";
import { type Passage, SOURCE_TEXT, type TextSpan } from "../types.ts";
import { accountsFor, nameAround, readWords } from "./words.ts";
import type { ContentWord, Gazetteer, wordIndex } from "./words.ts";

/**
 * An analysed sentence of a source. Its `text` begins with the passage's subject ("France,
 * Population: …"), unless the sentence states it.
 */
type SourceSentence = ReturnType<typeof sourceSentences>[number];

/** Returns all sentences of the passages in order. */
export const sourceSentences = (passages: readonly Passage[], gazetteer: Gazetteer) =>
  passages.flatMap((passage) =>
    sentencesOf(passage.text).flatMap(({ parts }) => parts).flatMap((part) =>
      // Between semicolons, each part states something on its own: "total: 68,512; male: 33,557".
      statementOf(passage.text, part).split(/(?<=;)\s+/).map((part) => {
        const statement = `${passageSubject(passage, part)}${part}`;
        return { text: statement, words: readWords(statement, gazetteer) };
      })
    )
  );

function passageSubject({ collection, title, section }: Passage, text: string): string {
  if (collection === SOURCE_TEXT) return "";
  const missing = [title, section].filter((name) => name !== "" && !text.includes(name));
  return missing.length === 0 ? "" : `${missing.join(", ")}: `;
}

/** Word matches between a claim and one sentence. */
interface SentenceComparison {
  readonly sentence: SourceSentence;
  /**
   * `pairs[claim word][sentence word]`: true where the sentence's word accounts for the claim's.
   */
  readonly pairs: readonly (readonly boolean[])[];
  /** For each word of the claim: true where the sentence accounts for it. */
  readonly isMatched: readonly boolean[];
}

/** A claim compared with its evidence, the input of every feature family. */
export interface EvidenceComparison {
  readonly claimText: string;
  /** Words of the claim, weighted by their frequency in these sources. */
  readonly claim: readonly ContentWord[];
  /** For each word of the claim: true where it is asserted. See {@link assertedWords}. */
  readonly asserted: readonly boolean[];
  /** For each word of the claim: true where any sentence of any source accounts for it. */
  readonly anywhere: readonly boolean[];
  /** Evidence sentences, best first; empty where the sources have no sentence. */
  readonly evidence: readonly SentenceComparison[];
}

/** Number of evidence sentences per claim. */
const EVIDENCE_SENTENCES = 3;

export function compareWithEvidence(
  claimText: string,
  all: readonly SourceSentence[],
  holding: ReturnType<typeof wordIndex>,
  gazetteer: Gazetteer,
): EvidenceComparison {
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
  // Sentences that share no word with the claim come last, in their order.
  for (let place = 0; place < all.length && weights.size < EVIDENCE_SENTENCES; place++) {
    if (!weights.has(place)) weights.set(place, 0);
  }
  const evidence = [...weights].map(([place, weight]) => {
    const sentence = all[place]!;
    const share = total === 0 ? 0 : weight / total;
    // A question states nothing.
    return { sentence, place, fit: /\?\W*$/.test(sentence.text) ? share / 2 : share };
  }).toSorted((a, b) => b.fit - a.fit || a.place - b.place).slice(0, EVIDENCE_SENTENCES).map(
    ({ sentence }) => {
      const pairs = claim.map((word) => sentence.words.map((other) => accountsFor(other, word)));
      return { sentence, pairs, isMatched: pairs.map((row) => row.includes(true)) };
    },
  );
  const anywhere = having.map(({ length }) => length > 0);
  return { claimText, claim, asserted: assertedWords(claimText, claim), anywhere, evidence };
}

/**
 * Marks the asserted words of a claim. In "Who wrote it? Blake." and "Who wrote it: Blake." only
 * the answer is asserted: the question is given, and a source can contain all of it without the
 * answer. Without a question all words are asserted.
 */
function assertedWords(claim: string, words: readonly TextSpan[]): readonly boolean[] {
  const given = givenParts(claim);
  const asserted = words.map((word) =>
    !given.some(({ start, end }) => start <= word.start && word.start < end)
  );
  return asserted.some(Boolean) ? asserted : words.map(() => true);
}

/**
 * Spans that are not asserted: questions up to their mark or colon, the letters Q and A, and "I
 * think".
 */
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

/**
 * Length of a question in characters. It covers answers in lower case and colons without a question
 * mark ("Which band: Blur").
 */
function questionLength(sentence: string): number {
  const mark = sentence.lastIndexOf("?");
  if (mark >= 0) return mark + 1;
  const colons = [...sentence.matchAll(/:\s/g)].map(({ index }) => index);
  return colons.find((colon) => {
    const before = sentence.slice(0, colon).replace(/^(?:Q|Question):\s*/u, "");
    return QUESTION_WORD.test(before) || INVERSION.test(before);
  }) ?? 0;
}

/** Weighted mean of a value for each word; 0 without words. */
export function weightedMean(
  words: readonly ContentWord[],
  value: (index: number) => number,
): number {
  const all = words.reduce((sum, { weight }) => sum + weight, 0);
  if (all === 0) return 0;
  return words.reduce((sum, { weight }, index) => sum + weight * value(index), 0) / all;
}

/** Weighted share (0–1) of the claim's words that a sentence has, except the word `leftOut`. */
export function weightedAgreement(
  { claim }: EvidenceComparison,
  { isMatched }: SentenceComparison,
  leftOut?: number,
): number {
  const others = claim.map((word, index) => index === leftOut ? { ...word, weight: 0 } : word);
  return weightedMean(others, (index) => isMatched[index] ? 1 : 0);
}

/**
 * Phrases of attribution that are not part of the claim: "I think that …", "…, as far as I know".
 */
const OPENING =
  /\bi (?:think|believe|guess|suppose|heard|read|know|understand)\b|\bi ?['’] ?m not sure|\bme too\b|\bas far as i know\b|\b(?:in my opinion|from what i know)\b/gi;

/** A word or name of a source that competes with a word of the claim. */
export interface Rival {
  readonly claim: string;
  readonly source: string;
  /**
   * Confidence that both refer to the same thing, 0–1. It depends on the rest of the sentence and
   * the position.
   */
  readonly strength: number;
}

/** Weight of a sentence that agrees with the claim's word, against rivals elsewhere. */
const WORD_ELSEWHERE = 0.8;

/**
 * Finds the strongest rival in the evidence for one of the claim's words. No word of the claim
 * accounts for a rival. Its sentence lacks the claim's word and agrees with the rest of the claim
 * better than any sentence that has the word. Undefined where there is none.
 */
export function strongestRival(
  comparison: EvidenceComparison,
  index: number,
  isRival: (claim: ContentWord, source: ContentWord) => boolean | undefined,
  place: typeof neighbourOverlap,
): Rival | undefined {
  const claim = comparison.claim[index]!;
  const sentences = comparison.evidence.map((one) => {
    return {
      one,
      hasWord: one.isMatched[index]!,
      agreed: weightedAgreement(comparison, one, index),
    };
  });
  const elsewhere = Math.max(0, ...sentences.map(({ hasWord, agreed }) => hasWord ? agreed : 0));
  const rivals = sentences.filter(({ hasWord }) => !hasWord).flatMap(({ one, agreed }) =>
    one.sentence.words.flatMap((source, column): readonly Rival[] => {
      const isAccountedFor = one.pairs.some((row) => row[column]);
      if (isAccountedFor || !isRival(claim, source)) return [];
      const strength = Math.max(0, agreed - WORD_ELSEWHERE * elsewhere) *
        place(comparison, one, index, column);
      const [rival, claimWord] = [
        wordOrName(one.sentence.words, column, one.sentence.text),
        wordOrName(comparison.claim, index, comparison.claimText),
      ];
      return [{ claim: claimWord, source: rival, strength }];
    })
  );
  return strongestOf(rivals);
}

/** Returns the item with the greatest strength; undefined where none has any. */
export const strongestOf = <Of extends { readonly strength: number }>(
  all: readonly Of[],
): Of | undefined =>
  all.reduce<Of | undefined>(
    (best, next) => next.strength > (best?.strength ?? 0) ? next : best,
    undefined,
  );

/**
 * Number of words considered on either side of a number: in the claim, and around its rival in the
 * source.
 */
const REACH = { claim: 2, source: 5 };

/**
 * Weight of a name as a neighbour. A topic's name has all its numbers around it, so that it locates
 * less than other words.
 */
const NAME_SHARE = 0.4;

/** Weighted share (0–1) of the word's neighbours that are also near the rival. */
export function neighbourOverlap(
  { claim }: EvidenceComparison,
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

/** Maximum distance in words from a rival to a neighbour on the same side. */
const MAX_NEIGHBOUR_DISTANCE = 2;

/**
 * Share of the claim's neighbours on the rival's same side: 0, ½ or 1. They may be separated by one
 * preposition.
 */
export function sideOverlap(
  { claim, claimText }: EvidenceComparison,
  { pairs, sentence: { words, text } }: SentenceComparison,
  index: number,
  column: number,
): number {
  const [first, last] = nameAround(claim, index);
  const [start, end] = nameAround(words, column);
  const before = (whole: string, word: ContentWord) =>
    PREPOSITION.exec(whole.slice(0, word.start))?.[0];
  if (before(claimText, claim[first]!) !== before(text, words[start]!)) return 0;
  const has = (place: number, from: number, to: number) =>
    pairs[place]!.slice(Math.max(0, from), to).includes(true);
  const overlaps = [
    ...first > 0 ? [has(first - 1, start - MAX_NEIGHBOUR_DISTANCE, start)] : [],
    ...last + 1 < claim.length ? [has(last + 1, end + 1, end + 1 + MAX_NEIGHBOUR_DISTANCE)] : [],
  ];
  return overlaps.filter(Boolean).length / Math.max(1, overlaps.length);
}

const PREPOSITIONS = "in|on|at|by|of|from|to|with|for|about|than|as|into";
const EACH_PREPOSITION = new RegExp(`\\b(?:${PREPOSITIONS})\\b`, "g");
const PREPOSITION = new RegExp(`\\b(?:${PREPOSITIONS}) (?:the |an? )?["“]?$`, "i");

/** Returns a word as written, or the complete name that it belongs to. */
export function wordOrName(words: readonly ContentWord[], index: number, text: string): string {
  const [first, last] = nameAround(words, index);
  return text.slice(words[first]!.start, words[last]!.end);
}

/**
 * Finds two names of the claim that a sentence has in the opposite order. The words and
 * prepositions between them must be the same: "Japan invaded Guam" against "Guam invaded Japan",
 * not against "Guam was invaded by Japan"; none where the relation is symmetric ("borders", "and"),
 * or where another sentence of the evidence has the claim's order.
 */
export function exchangedNames(comparison: EvidenceComparison): Rival | undefined {
  const { claim, claimText, evidence } = comparison;
  const names = claim.flatMap((word, index) =>
    isNamed(word) && nameAround(claim, index)[1] === index ? [index] : []
  );
  const rivals = names.slice(1).flatMap((right, place): readonly Rival[] => {
    const left = names[place]!;
    const claimPair = namePair(claimText, claim, left, right);
    if (holdsBothWays(claimPair.between)) return [];
    const rivals = evidence.flatMap((one) => {
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
        const [from, to] = claimPair.inner;
        const inner = Array.from({ length: to - from }, (_, i) => from + i);
        // An additional word may stand between them.
        const isNear = pair.inner[1] - pair.inner[0] <= inner.length + 1;
        return isNear && inner.every((index) => hasWord(index, pair)) &&
          pair.opens === claimPair.opens &&
          prepositions(pair.between) === prepositions(claimPair.between) &&
          (inner.length > 0 || pair.between === claimPair.between);
      });
    });
    return rivals.some(({ isTurned }) => !isTurned) ? [] : rivals.map(({ one, pair }) => (
      {
        claim: claimPair.words,
        source: pair.words,
        strength: weightedAgreement(comparison, one) ** 2,
      }
    ));
  });
  return strongestOf(rivals);
}

/** Detects a named word. A word at the start of a sentence is rarely tagged as one. */
const isNamed = ({ wordClass, text }: ContentWord) =>
  wordClass === "name" || wordClass === "noun" && /^\p{Lu}/u.test(text);

/** Two names of a text with the words between them. */
type NamePair = ReturnType<typeof namePair>;

function namePair(text: string, words: readonly ContentWord[], left: number, right: number) {
  const [first, last] = nameAround(words, left);
  const [next, end] = nameAround(words, right);
  return {
    words: text.slice(words[first]!.start, words[end]!.end),
    between: text.slice(words[last]!.end, words[next]!.start).trim().toLowerCase(),
    /** Index range of the words between the names; empty where they make one name. */
    inner: [last + 1, Math.max(last + 1, next)] as const,
    /** Preposition before the first name. */
    opens: PREPOSITION.exec(text.slice(0, words[first]!.start))?.[0].split(" ")[0],
  };
}

/** Prepositions between the names; "by" marks a passive, "of" another construction. */
const prepositions = (between: string) => between.match(EACH_PREPOSITION)?.join();

/** Detects a symmetric relation between two names. */
const holdsBothWays = (between: string) =>
  /^[\s,&/–—-]*(?:and|or|with|as well as)?(?: the)?\s*$/i.test(between) ||
  /\b(?:border|shar(?:es?|ed|ing) (?:an?|its|the|their)|neighbou?r|meet|met|marr|merge|adjoin|agree|ally|allied|twin|and)\w*\b/i
    .test(between);
