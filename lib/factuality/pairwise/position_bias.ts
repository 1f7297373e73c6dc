import { type Unavailable, unavailable } from "../../stats/unavailable.ts";
import type { BothOrders, OrderedChoice } from "./comparison.ts";

/** How far a judge's choices depend on the order in which it is shown two texts. */
export interface PositionBias {
  readonly kind: "position bias";
  /** Pairs answered in both orders. */
  readonly pairs: number;
  /** Pairs of which an answer is missing; they count nowhere. */
  readonly unscored: number;
  /** Share of pairs with the same outcome in both orders, 0–1. */
  readonly consistency: number;
  /** Pairs whose answers lean to the text that stands first, and to the one that stands second. */
  readonly primacy: number;
  readonly recency: number;
  /** (recency − primacy) / pairs: −1 always the first, 0 fair, 1 always the second. */
  readonly preferenceFairness: number;
}

/** −1 for the first place, 1 for the second. */
const LEANING: Readonly<Record<OrderedChoice, number>> = { first: -1, tie: 0, second: 1 };

/**
 * Position consistency and preference fairness after Shi et al. 2024 (arXiv 2406.07791). A pair is
 * inconsistent where its two answers name different texts, or a text and a tie; it leans to that
 * place which was named more often, and cannot lean to neither. Their fairness is stretched to the
 * range that a task's pairs allow; this one is not, so that it can be read as a share of pairs.
 * Unavailable without a pair that was answered twice.
 */
export function positionBias(answers: readonly BothOrders[]): PositionBias | Unavailable {
  const leanings = answers.flatMap(({ aFirst, bFirst }) =>
    aFirst.kind === "answer" && bFirst.kind === "answer"
      ? [LEANING[aFirst.winner] + LEANING[bFirst.winner]]
      : []
  );
  const pairs = leanings.length;
  if (pairs === 0) return unavailable("no pair was answered in both orders");
  const primacy = leanings.filter((leaning) => leaning < 0).length;
  const recency = leanings.filter((leaning) => leaning > 0).length;
  return {
    kind: "position bias",
    pairs,
    unscored: answers.length - pairs,
    consistency: (pairs - primacy - recency) / pairs,
    primacy,
    recency,
    preferenceFairness: (recency - primacy) / pairs,
  };
}
