/** Selects diverse pairs from certified candidates. */
import { randomSource } from "../stats/random.ts";
import type { CertifiedPair } from "./certify.ts";

/** Target shares of the strata of a phenomenon, e.g. the two directions of a change. */
interface Stratum<Phenomenon extends string> {
  readonly of: (candidate: CertifiedPair<Phenomenon>) => string;
  /**
   * Shares by stratum, with sum 1. Strata without a share are used only when others are exhausted.
   */
  readonly shares: Readonly<Record<string, number>>;
}

interface SelectionOptions<Phenomenon extends string> {
  readonly quota: Readonly<Record<Phenomenon, number>>;
  readonly seed: number | string;
  /**
   * Maximum number of pairs per lemma within a phenomenon, 12 by default. It is raised if
   * candidates run out.
   */
  readonly perLemma?: number | Readonly<Record<Phenomenon, number>>;
  /** Maximum number of pairs per sentence over all phenomena, 2 by default. It is never raised. */
  readonly perSentence?: number;
  /**
   * Maximum number of pairs of one phenomenon per token, 1 by default. More than one is used only
   * if candidates run out.
   */
  readonly perToken?: number;
  /**
   * Priority class of a candidate; lower ones come first, whatever the penalty. All are equal by
   * default.
   */
  readonly turn?: (candidate: CertifiedPair<Phenomenon>) => number;
  /**
   * Penalty of a candidate, 0 for none. Higher ones are used only if lower ones run out. By default
   * marked candidates have 1.
   */
  readonly penalty?: (candidate: CertifiedPair<Phenomenon>) => number;
  readonly strata?: { readonly [P in Phenomenon]?: Stratum<Phenomenon> };
}

/**
 * Selects pairs for each phenomenon, as diverse as the candidates allow.
 *
 * The order of the candidates has no effect. Each step takes the candidate with the least used
 * lemma. Ties are broken by tier, least used chapter, least used construction, and at random by
 * seed.
 *
 * Candidates become eligible in rounds: (1) tiers 1 and 2 by turn, then by penalty; (2) tier 3 in
 * the same way. If these do not fill the quota, constraints are relaxed in this order: shares of
 * strata, the maximum per lemma (by one at a time), and the maximum per token. `perSentence` always
 * holds, and no two pairs have the same sentences. The phenomenon with the fewest spare candidates
 * is filled first.
 * @returns pairs by phenomenon in the order of the quota, then in text order, and a report
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
    /** Highest number of pairs of one lemma. It exceeds the maximum only if candidates ran out. */
    highestPerLemma: commonest(own),
    tiers: [1, 2, 3].map((tier) => own.filter((candidate) => candidate.tier === tier).length),
    penalised: own.filter((candidate) => penalty(candidate) > 0).length,
  };
}

/** Default penalty: 1 for marked pairs, which test another property too. */
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
 * Rounds shares of n to integers with sum n, by largest remainder (Hamilton's method).
 *
 * Equal remainders are resolved in alphabetical order. @throws {RangeError} for a negative share or
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

/**
 * Selects the pairs of one phenomenon. @param sentences Number of pairs per sentence, shared by all
 * phenomena.
 */
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

  /** Fills the goal round by round: by tier (3 last), turn and penalty. */
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

  /** Takes the best eligible candidate until the goal is reached or none is left. */
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

/** Returns the difference of two lists at the first index where they differ; 0 if equal. */
function firstDifference(left: readonly number[], right: readonly number[]): number {
  return left.map((value, index) => value - right[index]!).find((difference) => difference) ?? 0;
}

/** Returns the keys by which a candidate's uses are counted, and its random tie-breaker. */
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
