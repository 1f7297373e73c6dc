/** Choosing pairs among certified candidates, as diverse as the candidates allow. */
import { randomSource } from "../stats/random.ts";
import type { CertifiedPair } from "./certify.ts";

/** Shares that the parts of a phenomenon are to have, e.g. the two directions of a change. */
export interface Stratum<Phenomenon extends string> {
  readonly of: (candidate: CertifiedPair<Phenomenon>) => string;
  /** Share by stratum, summing to 1; a stratum not named is used only to fill up. */
  readonly shares: Readonly<Record<string, number>>;
}

interface SelectionOptions<Phenomenon extends string> {
  /** Pairs wanted of each phenomenon. */
  readonly quota: Readonly<Record<Phenomenon, number>>;
  readonly seed: number | string;
  /** Pairs of one lemma within a phenomenon, as long as the candidates allow; 12 unless told. */
  readonly perLemma?: number;
  /** Pairs of one sentence, all phenomena together; 2 unless told. Never relaxed. */
  readonly perSentence?: number;
  /** Lower turns come first, whatever their penalty; all in one turn unless told. */
  readonly turn?: (candidate: CertifiedPair<Phenomenon>) => number;
  /** 0 = take freely; higher = take only where lower ones run out. Marked ones are 1 unless told. */
  readonly penalty?: (candidate: CertifiedPair<Phenomenon>) => number;
  readonly strata?: { readonly [P in Phenomenon]?: Stratum<Phenomenon> };
}

/** What one phenomenon got, and what had to be relaxed for it. */
export interface SelectionReport {
  readonly wanted: number;
  readonly chosen: number;
  readonly candidates: number;
  /** Most pairs of one lemma: above the cap only where the candidates ran out. */
  readonly highestPerLemma: number;
  /** Chosen pairs by tier (index 0 = tier 1). */
  readonly tiers: readonly [number, number, number];
  /** Chosen pairs with a penalty above 0. */
  readonly penalised: number;
  /** Chosen by stratum; empty without strata. */
  readonly strata: Readonly<Record<string, number>>;
}

export interface Selection<Phenomenon extends string> {
  /** By phenomenon in the order of the quota, then in the order of the text. */
  readonly chosen: readonly CertifiedPair<Phenomenon>[];
  readonly report: Readonly<Record<Phenomenon, SelectionReport>>;
}

/**
 * Chooses pairs for each phenomenon, as diverse as the candidates allow, without randomness beyond
 * ties: the same candidates in any order give the same selection.
 *
 * Each step takes the candidate whose lemma is used least; among those the lower tier, the chapter
 * used least, the construction used least, and last a seeded number of its own. The candidates are
 * opened in rounds, each exhausted before the next: (1) tiers 1 and 2 of the first turn without
 * penalty, (2) with penalty, lowest first, and so with each later turn, (3) tier 3 in the same way,
 * (4) shares of strata given up, (5) the cap on a lemma raised by one at a time. Always: at most
 * `perSentence` pairs a sentence, never two of one phenomenon on one token, never the same two
 * sentences twice. The phenomenon with the fewest candidates to spare chooses first. Too few
 * candidates give fewer pairs, told in the report.
 */
export function selectPairs<Phenomenon extends string>(
  candidates: readonly CertifiedPair<Phenomenon>[],
  options: SelectionOptions<Phenomenon>,
): Selection<Phenomenon> {
  const phenomena = Object.keys(options.quota) as Phenomenon[];
  const byPhenomenon = Map.groupBy(candidates, (candidate) => candidate.pair.phenomenon);
  const pool = (phenomenon: Phenomenon) => byPhenomenon.get(phenomenon) ?? [];
  const spare = (phenomenon: Phenomenon) => pool(phenomenon).length - options.quota[phenomenon];
  const scarceFirst = phenomena.toSorted((a, b) => spare(a) - spare(b) || (a < b ? -1 : 1));
  const sentences = new Map<string, number>();
  const chosen = new Map<Phenomenon, readonly CertifiedPair<Phenomenon>[]>();
  for (const phenomenon of scarceFirst) {
    chosen.set(phenomenon, choose(phenomenon, pool(phenomenon), sentences, options));
  }
  const report = phenomena.map((phenomenon) => [
    phenomenon,
    reportOf(phenomenon, pool(phenomenon).length, chosen.get(phenomenon) ?? [], options),
  ]);
  return {
    chosen: phenomena.flatMap((phenomenon) => (chosen.get(phenomenon) ?? []).toSorted(inTextOrder)),
    report: Object.fromEntries(report),
  };
}

/** Marked pairs test a second thing besides their phenomenon. */
const markedOnes = ({ certificate }: CertifiedPair) => certificate.marks.length > 0 ? 1 : 0;

function inTextOrder(a: CertifiedPair, b: CertifiedPair): number {
  const [left, right] = [a.certificate.source, b.certificate.source];
  if (left.text !== right.text) return left.text < right.text ? -1 : 1;
  return left.chapter - right.chapter || left.sentence - right.sentence ||
    a.tokenIndex - b.tokenIndex;
}

function reportOf<Phenomenon extends string>(
  phenomenon: Phenomenon,
  candidates: number,
  chosen: readonly CertifiedPair<Phenomenon>[],
  { penalty = markedOnes, strata, quota }: SelectionOptions<Phenomenon>,
): SelectionReport {
  const stratum = strata?.[phenomenon];
  const count = (test: (candidate: CertifiedPair<Phenomenon>) => boolean) =>
    chosen.filter(test).length;
  const byStratum = stratum ? Map.groupBy(chosen, stratum.of) : new Map<string, []>();
  return {
    wanted: quota[phenomenon],
    chosen: chosen.length,
    candidates,
    highestPerLemma: commonest(chosen),
    tiers: [count((c) => c.tier === 1), count((c) => c.tier === 2), count((c) => c.tier === 3)],
    penalised: count((candidate) => penalty(candidate) > 0),
    strata: Object.fromEntries([...byStratum].map(([name, group]) => [name, group.length])),
  };
}

/** How many candidates the commonest lemma has. */
function commonest(candidates: readonly CertifiedPair[]): number {
  const groups = Map.groupBy(candidates, ({ certificate }) => certificate.lemma).values();
  return Math.max(0, ...[...groups].map(({ length }) => length));
}

/**
 * Whole numbers for shares of n that sum to n, by largest remainder (Hamilton's method); equal
 * remainders go to the name that comes first.
 *
 * Throws RangeError for a negative share or shares that do not sum to 1.
 */
export function allotShares(
  shares: Readonly<Record<string, number>>,
  n: number,
): readonly (readonly [name: string, count: number])[] {
  const entries = Object.entries(shares).sort(([a], [b]) => (a < b ? -1 : 1));
  const total = entries.reduce((sum, [, share]) => sum + share, 0);
  if (entries.some(([, share]) => !(share >= 0)) || Math.abs(total - 1) > 1e-9) {
    throw new RangeError(
      `Cannot allot shares ${JSON.stringify(shares)}: each must be ≥ 0 and their sum 1.`,
    );
  }
  // A share such as 0.4 of 125 must not become 49.999…
  const exact = entries.map(([, share]) => Number((share * n).toFixed(9)));
  const floors = exact.map(Math.floor);
  const left = n - floors.reduce((sum, count) => sum + count, 0);
  const remainder = (index: number) => (exact[index] ?? 0) - (floors[index] ?? 0);
  const byRemainder = [...entries.keys()].sort((a, b) => remainder(b) - remainder(a) || a - b);
  const raised = new Set(byRemainder.slice(0, left));
  return entries.map(([name], index) => [name, (floors[index] ?? 0) + (raised.has(index) ? 1 : 0)]);
}

type Test<Phenomenon extends string> = (candidate: CertifiedPair<Phenomenon>) => boolean;

/** The pairs of one phenomenon. @param sentences pairs chosen of each, shared by all phenomena. */
function choose<Phenomenon extends string>(
  phenomenon: Phenomenon,
  pool: readonly CertifiedPair<Phenomenon>[],
  sentences: Map<string, number>,
  options: SelectionOptions<Phenomenon>,
): readonly CertifiedPair<Phenomenon>[] {
  const { perLemma = 12, perSentence = 2, turn = () => 0, penalty = markedOnes } = options;
  const wanted = options.quota[phenomenon];
  const chosen: CertifiedPair<Phenomenon>[] = [];
  const tieBreaks = new Map(
    pool.map((candidate) => [candidate, tieBreak(candidate, options.seed)]),
  );

  /** Opens tiers 1 and 2 before tier 3, in each the lower turns first, in these the lower penalties. */
  function fillRounds(goal: number, cap: number, admits: Test<Phenomenon>): void {
    for (const weak of [false, true]) {
      for (const now of distinct(pool.map(turn))) {
        for (const highest of distinct(pool.map(penalty))) {
          fill(
            goal,
            cap,
            (candidate) =>
              admits(candidate) && (weak || candidate.tier < 3) && turn(candidate) <= now &&
              (turn(candidate) < now || penalty(candidate) <= highest),
          );
        }
      }
    }
  }

  /** Takes the best candidate again and again, until the goal is reached or none is left. */
  function fill(goal: number, cap: number, admits: Test<Phenomenon>): void {
    const used = usedBy(chosen);
    let eligible = pool.filter(admits);
    while (chosen.length < goal) {
      eligible = eligible.filter((candidate) =>
        (used.lemmas.get(candidate.certificate.lemma) ?? 0) < cap &&
        !used.tokens.has(tokenKey(candidate)) && !used.texts.has(textKey(candidate)) &&
        (sentences.get(sentenceKey(candidate)) ?? 0) < perSentence
      );
      const [first, ...others] = eligible;
      if (!first) return;
      const best = others.reduce((a, b) => comesBefore(b, a, used, tieBreaks) ? b : a, first);
      chosen.push(best);
      use(used, best);
      const place = sentenceKey(best);
      sentences.set(place, (sentences.get(place) ?? 0) + 1);
    }
  }

  const stratum = options.strata?.[phenomenon];
  for (const [name, target] of stratum ? allotShares(stratum.shares, wanted) : []) {
    fillRounds(chosen.length + target, perLemma, (candidate) => stratum?.of(candidate) === name);
  }
  // The cap wanted, then one more at a time up to the commonest lemma.
  for (let cap = perLemma; cap <= Math.max(perLemma, commonest(pool)); cap++) {
    if (chosen.length < wanted) fillRounds(wanted, cap, () => true);
  }
  return chosen;
}

/** The different numbers, ascending. */
function distinct(numbers: readonly number[]): readonly number[] {
  return [...new Set(numbers)].sort((a, b) => a - b);
}

/** What is used so far of one phenomenon. */
interface Used {
  readonly lemmas: Map<string, number>;
  readonly chapters: Map<string, number>;
  readonly constructions: Map<string, number>;
  readonly tokens: Set<string>;
  readonly texts: Set<string>;
}

function usedBy(chosen: readonly CertifiedPair[]): Used {
  const used: Used = {
    lemmas: new Map(),
    chapters: new Map(),
    constructions: new Map(),
    tokens: new Set(),
    texts: new Set(),
  };
  for (const candidate of chosen) use(used, candidate);
  return used;
}

function use(used: Used, candidate: CertifiedPair): void {
  const { lemma, construction } = candidate.certificate;
  const add = (map: Map<string, number>, key: string) => map.set(key, (map.get(key) ?? 0) + 1);
  add(used.lemmas, lemma);
  add(used.chapters, chapterKey(candidate));
  add(used.constructions, construction);
  used.tokens.add(tokenKey(candidate));
  used.texts.add(textKey(candidate));
}

function comesBefore<Phenomenon extends string>(
  a: CertifiedPair<Phenomenon>,
  b: CertifiedPair<Phenomenon>,
  used: Used,
  tieBreaks: ReadonlyMap<CertifiedPair<Phenomenon>, number>,
): boolean {
  const ranks = (candidate: CertifiedPair<Phenomenon>) => [
    used.lemmas.get(candidate.certificate.lemma) ?? 0,
    candidate.tier,
    used.chapters.get(chapterKey(candidate)) ?? 0,
    used.constructions.get(candidate.certificate.construction) ?? 0,
    tieBreaks.get(candidate) ?? 0,
  ];
  const [left, right] = [ranks(a), ranks(b)];
  const rank = left.findIndex((value, index) => value !== right[index]);
  // Candidates of one key, say from two proposers, draw the same number.
  if (rank === -1) return JSON.stringify(a) < JSON.stringify(b);
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

/** Each candidate draws from a source of its own: another candidate more does not change its number. */
function tieBreak(candidate: CertifiedPair, seed: number | string): number {
  const { pair: { errorType }, certificate: { sha256, lemma, construction, marks }, tier } =
    candidate;
  // What tells a candidate from every other; those that share it are alike for a selection.
  const key = JSON.stringify([
    tokenKey(candidate),
    sha256,
    errorType,
    lemma,
    construction,
    marks,
    tier,
  ]);
  return randomSource(`${seed} ${key}`).next();
}
