import { randomSource } from "../stats/random.ts";
import type { CertifiedPair } from "./certify.ts";

/** What is chosen of one phenomenon so far, and what is needed to go on. */
export interface SelectionState<Phenomenon extends string> {
  readonly seed: number | string;
  readonly perSentence: number;
  /** Pairs chosen of each sentence, shared by all phenomena. */
  readonly sentences: Map<string, number>;
  readonly chosen: CertifiedPair<Phenomenon>[];
  /** All candidates, in any order. */
  readonly pool: readonly CertifiedPair<Phenomenon>[];
  readonly turn: (candidate: CertifiedPair<Phenomenon>) => number;
  readonly penalty: (candidate: CertifiedPair<Phenomenon>) => number;
}

type Admits<Phenomenon extends string> = (candidate: CertifiedPair<Phenomenon>) => boolean;

/** Caps to try in turn: the one wanted, then one more at a time up to the commonest lemma. */
export function capSteps(pool: readonly CertifiedPair[], wanted: number): readonly number[] {
  const groups = Map.groupBy(pool, (candidate) => candidate.certificate.lemma).values();
  const highest = Math.max(wanted, ...[...groups].map((group) => group.length));
  return Array.from({ length: highest - wanted + 1 }, (_, step) => wanted + step);
}

/** Opens tiers 1 and 2 before tier 3, in each the lower turns first, in these the lower penalties. */
export function fillRounds<Phenomenon extends string>(
  state: SelectionState<Phenomenon>,
  goal: number,
  cap: number,
  admits: Admits<Phenomenon>,
): void {
  const { pool, turn, penalty } = state;
  for (const weak of [false, true]) {
    for (const now of distinct(pool.map(turn))) {
      for (const highest of distinct(pool.map(penalty))) {
        const isOpen: Admits<Phenomenon> = (candidate) =>
          (weak || candidate.tier < 3) && turn(candidate) <= now &&
          (turn(candidate) < now || penalty(candidate) <= highest);
        fill(state, goal, cap, (candidate) => admits(candidate) && isOpen(candidate));
      }
    }
  }
}

/** The different numbers, ascending. */
function distinct(numbers: readonly number[]): readonly number[] {
  return [...new Set(numbers)].sort((a, b) => a - b);
}

function fill<Phenomenon extends string>(
  state: SelectionState<Phenomenon>,
  goal: number,
  cap: number,
  admits: Admits<Phenomenon>,
): void {
  const used = tallyOf(state.chosen);
  let eligible = state.pool.filter(admits).map((candidate) => ranked(candidate, state.seed));
  while (state.chosen.length < goal) {
    eligible = eligible.filter(({ candidate }) => fits(candidate, used, cap, state));
    const [first, ...others] = eligible;
    if (!first) return;
    const best = others.reduce((a, b) => comesBefore(b, a, used) ? b : a, first).candidate;
    state.chosen.push(best);
    count(used, best);
    const place = sentenceKey(best);
    state.sentences.set(place, (state.sentences.get(place) ?? 0) + 1);
  }
}

interface Ranked<Phenomenon extends string> {
  readonly candidate: CertifiedPair<Phenomenon>;
  readonly tieBreak: number;
}

/** Each candidate draws from a source of its own: another candidate more does not change its number. */
function ranked<Phenomenon extends string>(
  candidate: CertifiedPair<Phenomenon>,
  seed: number | string,
): Ranked<Phenomenon> {
  return { candidate, tieBreak: randomSource(`${seed} ${candidateKey(candidate)}`).next() };
}

interface Tally {
  readonly lemmas: Map<string, number>;
  readonly chapters: Map<string, number>;
  readonly constructions: Map<string, number>;
  readonly tokens: Set<string>;
  readonly texts: Set<string>;
}

function tallyOf(chosen: readonly CertifiedPair[]): Tally {
  const tally = {
    lemmas: new Map<string, number>(),
    chapters: new Map<string, number>(),
    constructions: new Map<string, number>(),
    tokens: new Set<string>(),
    texts: new Set<string>(),
  };
  for (const candidate of chosen) count(tally, candidate);
  return tally;
}

function count(tally: Tally, candidate: CertifiedPair): void {
  const { lemma, construction } = candidate.certificate;
  const add = (map: Map<string, number>, key: string) => map.set(key, (map.get(key) ?? 0) + 1);
  add(tally.lemmas, lemma);
  add(tally.chapters, chapterKey(candidate));
  add(tally.constructions, construction);
  tally.tokens.add(tokenKey(candidate));
  tally.texts.add(textKey(candidate));
}

function fits<Phenomenon extends string>(
  candidate: CertifiedPair<Phenomenon>,
  used: Tally,
  cap: number,
  { sentences, perSentence }: SelectionState<Phenomenon>,
): boolean {
  return (used.lemmas.get(candidate.certificate.lemma) ?? 0) < cap &&
    !used.tokens.has(tokenKey(candidate)) && !used.texts.has(textKey(candidate)) &&
    (sentences.get(sentenceKey(candidate)) ?? 0) < perSentence;
}

function comesBefore(a: Ranked<string>, b: Ranked<string>, used: Tally): boolean {
  const ranks = ({ candidate, tieBreak }: Ranked<string>) => [
    used.lemmas.get(candidate.certificate.lemma) ?? 0,
    candidate.tier,
    used.chapters.get(chapterKey(candidate)) ?? 0,
    used.constructions.get(candidate.certificate.construction) ?? 0,
    tieBreak,
  ];
  const [left, right] = [ranks(a), ranks(b)];
  const rank = left.findIndex((value, index) => value !== right[index]);
  // Candidates of one key, say from two proposers, draw the same number.
  if (rank === -1) return JSON.stringify(a.candidate) < JSON.stringify(b.candidate);
  return (left[rank] ?? 0) < (right[rank] ?? 0);
}

function chapterKey({ certificate: { source } }: CertifiedPair): string {
  return JSON.stringify([source.text, source.chapter]);
}

function sentenceKey({ certificate: { source } }: CertifiedPair): string {
  return JSON.stringify([source.text, source.chapter, source.sentence]);
}

function tokenKey(candidate: CertifiedPair): string {
  return JSON.stringify([sentenceKey(candidate), candidate.tokenIndex]);
}

function textKey({ pair: { grammatical, ungrammatical } }: CertifiedPair): string {
  return JSON.stringify([grammatical, ungrammatical]);
}

/** What tells a candidate from every other; candidates that share it are alike for a selection. */
function candidateKey(candidate: CertifiedPair): string {
  const { pair, certificate: { sha256, lemma, construction, marks }, tier } = candidate;
  const { errorType } = pair;
  return JSON.stringify([tokenKey(candidate), sha256, errorType, lemma, construction, marks, tier]);
}
