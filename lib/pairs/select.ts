/** Choosing pairs among certified candidates, as diverse as the candidates allow. */
import { randomSource } from "../stats/random.ts";
import type { CertifiedPair } from "./certify.ts";

/** Shares that the parts of a phenomenon are to have, e.g. the two directions of a change. */
interface Stratum<Phenomenon extends string> {
  readonly of: (candidate: CertifiedPair<Phenomenon>) => string;
  /** Share by stratum, summing to 1; a stratum not named is used only to fill up. */
  readonly shares: Readonly<Record<string, number>>;
}

interface SelectionOptions<Phenomenon extends string> {
  readonly quota: Readonly<Record<Phenomenon, number>>;
  readonly seed: number | string;
  /** Pairs of one lemma within a phenomenon, as long as the candidates allow; 12 by default. */
  readonly perLemma?: number | Readonly<Record<Phenomenon, number>>;
  /** Pairs of one sentence, all phenomena together; 2 by default. Never relaxed. */
  readonly perSentence?: number;
  /** Pairs of one phenomenon on one token; 1 by default. More only where the candidates run out. */
  readonly perToken?: number;
  /** Turn of a candidate: lower ones come first, whatever their penalty; one turn by default. */
  readonly turn?: (candidate: CertifiedPair<Phenomenon>) => number;
  /**
   * Penalty of a candidate: 0 = take freely; higher only where lower ones run out. Marked ones have
   * 1 by default.
   */
  readonly penalty?: (candidate: CertifiedPair<Phenomenon>) => number;
  readonly strata?: { readonly [P in Phenomenon]?: Stratum<Phenomenon> };
}

/**
 * Chooses pairs for each phenomenon, as diverse as the candidates allow.
 *
 * The same candidates in any order give the same selection. Each step takes the candidate whose
 * lemma is used least; among those the lower tier, the chapter used least, the construction used
 * least, and last a seeded number of its own.
 *
 * The candidates are opened in rounds, each exhausted before the next: (1) tiers 1 and 2 of the
 * first turn without penalty, (2) with penalty, lowest first, and so with each later turn, (3) tier
 * 3 in the same way, (4) shares of strata given up, (5) the cap on a lemma raised by one at a time,
 * (6) further forms of one token. Always: at most `perSentence` pairs a sentence, `perToken` of one
 * phenomenon on one token, never the same two sentences twice. The phenomenon with the fewest
 * candidates to spare chooses first.
 * @returns the chosen by phenomenon in the order of the quota, then in the order of the text
 */
export function selectPairs<Phenomenon extends string>(
  candidates: readonly CertifiedPair<Phenomenon>[],
  options: SelectionOptions<Phenomenon>,
) {
  const { quota, penalty = markedOnes } = options;
  const phenomena = Object.keys(quota) as Phenomenon[];
  const byPhenomenon = Map.groupBy(candidates, (candidate) => candidate.pair.phenomenon);
  const pool = (phenomenon: Phenomenon) => byPhenomenon.get(phenomenon) ?? [];
  const spare = (phenomenon: Phenomenon) => pool(phenomenon).length - quota[phenomenon];
  const scarceFirst = phenomena.toSorted((a, b) => spare(a) - spare(b) || (a < b ? -1 : 1));
  const sentences = new Map<string, number>();
  const chosen = new Map(scarceFirst.map((phenomenon) => [
    phenomenon,
    choose(phenomenon, pool(phenomenon), sentences, options).toSorted(inTextOrder),
  ]));
  const report = phenomena.map((phenomenon) => [
    phenomenon,
    reportOf(chosen.get(phenomenon)!, quota[phenomenon], pool(phenomenon).length, penalty),
  ]);
  return {
    chosen: phenomena.flatMap((phenomenon) => chosen.get(phenomenon)!),
    report: Object.fromEntries(report) as Record<Phenomenon, SelectionReport>,
  };
}

/** Selection of one phenomenon, and the constraints relaxed for it. */
export type SelectionReport = Readonly<ReturnType<typeof reportOf>>;

function reportOf<Phenomenon extends string>(
  own: readonly CertifiedPair<Phenomenon>[],
  wanted: number,
  candidates: number,
  penalty: (candidate: CertifiedPair<Phenomenon>) => number,
) {
  return {
    wanted,
    chosen: own.length,
    candidates,
    /** Most pairs of one lemma: above the cap only where the candidates ran out. */
    highestPerLemma: commonest(own),
    tiers: [1, 2, 3].map((tier) => own.filter((candidate) => candidate.tier === tier).length),
    penalised: own.filter((candidate) => penalty(candidate) > 0).length,
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

function commonest(candidates: readonly CertifiedPair[]): number {
  const groups = Map.groupBy(candidates, ({ certificate }) => certificate.lemma).values();
  return Math.max(0, ...groups.map(({ length }) => length));
}

/**
 * Rounds shares of n to whole numbers that sum to n, by largest remainder (Hamilton's method).
 *
 * Equal remainders go to the name that comes first. @throws {RangeError} for a negative share or
 * shares that do not sum to 1.
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
  const left = n - exact.reduce((sum, count) => sum + Math.floor(count), 0);
  const byRemainder = [...exact.keys()].sort((a, b) => exact[b]! % 1 - exact[a]! % 1 || a - b);
  const raised = new Set(byRemainder.slice(0, left));
  return entries.map(([name], i) => [name, Math.floor(exact[i]!) + (raised.has(i) ? 1 : 0)]);
}

/** Interleaves groups: the first of each, then the second of each, and so on. */
export function interleaved<Item>(groups: Iterable<readonly Item[]>): readonly Item[] {
  return [...groups].flatMap((own) => own.map((item, turn) => ({ item, turn })))
    .toSorted((a, b) => a.turn - b.turn).map(({ item }) => item);
}

/** The pairs of one phenomenon. @param sentences pairs chosen of each, shared by all phenomena. */
function choose<Phenomenon extends string>(
  phenomenon: Phenomenon,
  pool: readonly CertifiedPair<Phenomenon>[],
  sentences: Map<string, number>,
  options: SelectionOptions<Phenomenon>,
): readonly CertifiedPair<Phenomenon>[] {
  type Candidate = CertifiedPair<Phenomenon>;
  const caps = options.perLemma ?? 12;
  const perLemma = typeof caps === "number" ? caps : caps[phenomenon];
  const { perSentence = 2, perToken = 1, turn = () => 0, penalty = markedOnes } = options;
  const wanted = options.quota[phenomenon];
  const chosen: Candidate[] = [];
  const keys = new Map(pool.map((candidate) => [candidate, keysOf(candidate, options.seed)]));
  /** Uses of lemmas, chapters, constructions, tokens and texts so far. */
  const used = new Map<string, number>();
  const timesUsed = (key: string) => used.get(key) ?? 0;
  const rounds = [
    ...Map.groupBy(
      pool,
      (one) => JSON.stringify([Number(one.tier === 3), turn(one), penalty(one)]),
    ),
  ].map(([round, own]) => ({ ranks: JSON.parse(round) as readonly number[], own }))
    .sort((a, b) => firstDifference(a.ranks, b.ranks));

  /** Fills tiers 1 and 2 before tier 3, in each lower turns first, in these lower penalties. */
  function fillRounds(
    goal: number,
    cap: number,
    admits: (one: Candidate) => boolean,
    forms = 1,
  ): void {
    const opened: Candidate[] = [];
    for (const { own } of rounds) {
      opened.push(...own.filter(admits));
      fill(goal, cap, forms, opened);
    }
  }

  /** Takes the best candidate repeatedly, until the goal is reached or none is left. */
  function fill(goal: number, cap: number, forms: number, among: readonly Candidate[]): void {
    let eligible = among;
    while (chosen.length < goal) {
      eligible = eligible.filter((candidate) => {
        const { lemma, token, text, sentence } = keys.get(candidate)!;
        return timesUsed(lemma) < cap && timesUsed(token) < forms && timesUsed(text) === 0 &&
          (sentences.get(sentence) ?? 0) < perSentence;
      });
      const [first, ...others] = eligible;
      if (!first) return;
      const best = others.reduce((a, b) => comesBefore(b, a) ? b : a, first);
      chosen.push(best);
      const { sentence, lemma, chapter, construction, token, text } = keys.get(best)!;
      sentences.set(sentence, (sentences.get(sentence) ?? 0) + 1);
      for (const key of [lemma, chapter, construction, token, text]) {
        used.set(key, timesUsed(key) + 1);
      }
    }
  }

  function comesBefore(a: Candidate, b: Candidate): boolean {
    const [left, right] = [a, b].map((candidate) => {
      const { lemma, chapter, construction, tieBreak } = keys.get(candidate)!;
      const often = [timesUsed(chapter), timesUsed(construction)];
      return [timesUsed(lemma), candidate.tier, ...often, tieBreak];
    });
    const difference = firstDifference(left!, right!);
    // Candidates of one key, say from two proposers, draw the same number.
    return difference === 0 ? JSON.stringify(a) < JSON.stringify(b) : difference < 0;
  }

  const stratum = options.strata?.[phenomenon];
  for (const [name, target] of stratum ? allotShares(stratum.shares, wanted) : []) {
    fillRounds(chosen.length + target, perLemma, (candidate) => stratum?.of(candidate) === name);
  }
  // The cap wanted, then one more at a time up to the commonest lemma.
  const mostOfLemma = Math.max(perLemma, commonest(pool));
  for (let cap = perLemma; cap <= mostOfLemma; cap++) {
    if (chosen.length < wanted) fillRounds(wanted, cap, () => true);
  }
  for (let forms = 2; forms <= perToken; forms++) {
    fillRounds(wanted, mostOfLemma, () => true, forms);
  }
  return chosen;
}

/** Difference of two lists at the first index where they differ; 0 if equal. */
function firstDifference(left: readonly number[], right: readonly number[]): number {
  return left.map((value, index) => value - right[index]!).find((difference) => difference) ?? 0;
}

/** Keys by which the uses of a candidate are counted, and its number among equals. */
function keysOf({ pair, certificate, tier, tokenIndex }: CertifiedPair, seed: number | string) {
  const { source, sha256, lemma, construction, marks } = certificate;
  const sentence = JSON.stringify([source.text, source.chapter, source.sentence]);
  const token = JSON.stringify([sentence, tokenIndex]);
  // Identity of a candidate; those that share it are equal for a selection. Each draws
  // from a source of its own: another candidate more does not change its number.
  const key = JSON.stringify([token, sha256, pair.errorType, lemma, construction, marks, tier]);
  return {
    sentence,
    token: `token ${token}`,
    lemma: `lemma ${lemma}`,
    construction: `construction ${construction}`,
    chapter: `chapter ${JSON.stringify([source.text, source.chapter])}`,
    text: `text ${JSON.stringify([pair.grammatical, pair.ungrammatical])}`,
    tieBreak: randomSource(`${seed} ${key}`).next(),
  };
}
