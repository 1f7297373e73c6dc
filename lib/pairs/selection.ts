import type { CertifiedPair } from "./certify.ts";
import { capSteps, fillRounds, type SelectionState } from "./selection_rounds.ts";
import { allotShares } from "./strata.ts";

/** Shares that the parts of a phenomenon are to have, e.g. the two directions of a change. */
export interface Stratum<Phenomenon extends string> {
  readonly of: (candidate: CertifiedPair<Phenomenon>) => string;
  /** Share by stratum, summing to 1; a stratum not named is used only to fill up. */
  readonly shares: Readonly<Record<string, number>>;
}

export interface SelectionOptions<Phenomenon extends string> {
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
 * (4) shares of strata given up, (5) the cap on a lemma raised by one at a time. Always: at most `perSentence` pairs a sentence, never two of one
 * phenomenon on one token, never the same two sentences twice. The phenomenon with the fewest
 * candidates to spare chooses first. Too few candidates give fewer pairs, told in the report.
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

function choose<Phenomenon extends string>(
  phenomenon: Phenomenon,
  pool: readonly CertifiedPair<Phenomenon>[],
  sentences: Map<string, number>,
  options: SelectionOptions<Phenomenon>,
): readonly CertifiedPair<Phenomenon>[] {
  const { perLemma = 12, perSentence = 2, quota, seed } = options;
  const wanted = quota[phenomenon];
  const state: SelectionState<Phenomenon> = {
    seed,
    perSentence,
    sentences,
    chosen: [],
    pool,
    turn: options.turn ?? (() => 0),
    penalty: options.penalty ?? markedOnes,
  };
  const stratum = options.strata?.[phenomenon];
  if (stratum) {
    for (const [name, target] of allotShares(stratum.shares, wanted)) {
      const goal = state.chosen.length + target;
      fillRounds(state, goal, perLemma, (candidate) => stratum.of(candidate) === name);
    }
  }
  for (const cap of capSteps(state.pool, perLemma)) {
    if (state.chosen.length >= wanted) break;
    fillRounds(state, wanted, cap, () => true);
  }
  return state.chosen;
}

/** Marked pairs test a second thing besides their phenomenon. */
function markedOnes(candidate: CertifiedPair): number {
  return candidate.certificate.marks.length > 0 ? 1 : 0;
}

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
  options: SelectionOptions<Phenomenon>,
): SelectionReport {
  const { penalty = markedOnes, strata, quota } = options;
  const stratum = strata?.[phenomenon];
  const count = (test: (candidate: CertifiedPair<Phenomenon>) => boolean) =>
    chosen.filter(test).length;
  const lemmas = Map.groupBy(chosen, (candidate) => candidate.certificate.lemma);
  const byStratum = stratum ? Map.groupBy(chosen, stratum.of) : new Map();
  return {
    wanted: quota[phenomenon],
    chosen: chosen.length,
    candidates,
    highestPerLemma: Math.max(0, ...[...lemmas.values()].map((group) => group.length)),
    tiers: [count((c) => c.tier === 1), count((c) => c.tier === 2), count((c) => c.tier === 3)],
    penalised: count((candidate) => penalty(candidate) > 0),
    strata: Object.fromEntries([...byStratum].map(([name, group]) => [name, group.length])),
  };
}
