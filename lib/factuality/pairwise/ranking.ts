import { everyTwo } from "../every_two.ts";
import type { Comparison } from "./comparison.ts";

/** How a candidate fared against the others. */
export interface Standing {
  readonly candidate: string;
  readonly wins: number;
  readonly losses: number;
  readonly declaredTies: number;
  /** Ties of the order and of judges who differ: they count as ties, and say less. */
  readonly otherTies: number;
  readonly unscored: number;
  /** (wins + half of all ties) / comparisons scored, 0–1; undefined where none was. */
  readonly score: number | undefined;
  /** From 1; equal scores share the mean of their ranks. Undefined with the score. */
  readonly rank: number | undefined;
}

export interface Ranking {
  /** The best first; those without a score last. */
  readonly standings: readonly Standing[];
  /** Threes of candidates of which each beats the next in a circle: a ranking hides them. */
  readonly circles: number;
  /** Whether every pair has the same number of scored comparisons: only then are scores of one kind. */
  readonly balanced: boolean;
}

function unrankedStanding(candidate: string, comparisons: readonly Comparison[]): Standing {
  const own = comparisons.filter(({ candidates }) => candidates.includes(candidate));
  const count = (matches: (comparison: Comparison) => boolean) => own.filter(matches).length;
  const wins = count(({ outcome }) => outcome.kind === "winner" && outcome.winner === candidate);
  const losses = count(({ outcome }) => outcome.kind === "winner") - wins;
  const declaredTies = count(({ outcome }) => outcome.kind === "declared tie");
  const unscored = count(({ outcome }) => outcome.kind === "unscored");
  const scored = own.length - unscored;
  const ties = scored - wins - losses;
  return {
    ...{ candidate, wins, losses, declaredTies, otherTies: ties - declaredTies, unscored },
    score: scored === 0 ? undefined : (wins + ties / 2) / scored,
    rank: undefined,
  };
}

function withRank(standing: Standing, all: readonly Standing[]): Standing {
  const { score } = standing;
  if (score === undefined) return standing;
  const scores = all.flatMap((other) => other.score ?? []);
  const better = scores.filter((other) => other > score).length;
  const equal = scores.filter((other) => other === score).length;
  return { ...standing, rank: better + (equal + 1) / 2 };
}

/** Wins less losses of each over each; more than one comparison of a pair adds up. */
function winsOver(comparisons: readonly Comparison[]): (one: string, other: string) => number {
  const net = new Map<string, number>();
  const add = (key: string, by: number) => net.set(key, (net.get(key) ?? 0) + by);
  for (const { candidates: [a, b], outcome } of comparisons) {
    if (outcome.kind !== "winner") continue;
    const loser = outcome.winner === a ? b : a;
    add(JSON.stringify([outcome.winner, loser]), 1);
    add(JSON.stringify([loser, outcome.winner]), -1);
  }
  return (one, other) => net.get(JSON.stringify([one, other])) ?? 0;
}

function countCircles(ids: readonly string[], comparisons: readonly Comparison[]): number {
  const over = winsOver(comparisons);
  const beats = (...circle: readonly string[]) =>
    circle.every((id, at) => over(id, circle[(at + 1) % circle.length]!) > 0);
  let circles = 0;
  for (let i = 0; i < ids.length; i++) {
    for (let j = i + 1; j < ids.length; j++) {
      for (let k = j + 1; k < ids.length; k++) {
        const [a, b, c] = [ids[i]!, ids[j]!, ids[k]!];
        if (beats(a, b, c) || beats(a, c, b)) circles++;
      }
    }
  }
  return circles;
}

function isBalanced(ids: readonly string[], comparisons: readonly Comparison[]): boolean {
  const scored = comparisons.filter(({ outcome }) => outcome.kind !== "unscored");
  const times = everyTwo(ids).map(([one, other]) =>
    scored.filter(({ candidates }) => candidates.includes(one) && candidates.includes(other)).length
  );
  return new Set(times).size <= 1;
}

/**
 * Candidates by their Copeland score: wins and half the ties, as a share of the comparisons scored
 * (Copeland 1951; Saari & Merlin 1996, Econ. Theory 8, 51–76). Where all pairs are compared equally
 * often, strengths after Bradley and Terry put them in the same order (Ford 1957, Amer. Math. Monthly
 * 64, 28–33), but are infinite for one that never loses; with few comparisons that is the rule. Every
 * kind of tie counts one half; an unscored comparison counts nothing.
 */
export function rankCandidates(comparisons: readonly Comparison[]): Ranking {
  const ids = [...new Set(comparisons.flatMap(({ candidates }) => candidates))];
  const standings = ids.map((id) => unrankedStanding(id, comparisons));
  const ranked = standings.map((standing) => withRank(standing, standings));
  return {
    standings: ranked.toSorted((one, other) =>
      (one.rank ?? Infinity) - (other.rank ?? Infinity) || 0
    ),
    circles: countCircles(ids, comparisons),
    balanced: isBalanced(ids, comparisons),
  };
}
