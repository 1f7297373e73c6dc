import type { ParseStatus, Provenance, Unscored, UnscoredReason } from "../verdicts/verdict.ts";

/** One of the texts that are compared. */
export interface Candidate {
  /** Unique among those compared: the model's name, as a rule. */
  readonly id: string;
  readonly text: string;
}

/** What two texts are compared about. */
export interface ComparisonTask {
  readonly source: string;
  /** The question that both answer; empty where there was none. */
  readonly question: string;
  readonly a: Candidate;
  readonly b: Candidate;
}

/** What a judge is shown: two texts in one order, without their names. */
export interface OrderedTask {
  readonly source: string;
  readonly question: string;
  readonly first: string;
  readonly second: string;
}

/** The place of the better text, as a judge saw them. */
export type OrderedChoice = "first" | "second" | "tie";

/** What a judge made of the two in one order. */
export interface OrderedAnswer {
  readonly kind: "answer";
  readonly winner: OrderedChoice;
  /** Why: the justification of a tie, too. */
  readonly reasoning: string;
  readonly parse: ParseStatus;
  readonly provenance: Provenance;
}

/** Compares two texts in the order given. */
export interface PairwiseJudge {
  readonly name: string;
  readonly settings: Readonly<Record<string, string | number | boolean>>;
  /** Calls in flight at once that it bears. */
  readonly concurrency: number;
  /** Never throws for what a model answered; throws the signal's reason when it aborts. */
  compare(
    task: OrderedTask,
    options?: { readonly signal?: AbortSignal },
  ): Promise<OrderedAnswer | Unscored>;
}

/** Both answers of one judge, as they were given. */
export interface BothOrders {
  /** `a` stood first. */
  readonly aFirst: OrderedAnswer | Unscored;
  /** `b` stood first. */
  readonly bFirst: OrderedAnswer | Unscored;
}

/** What follows from both orders. */
export type Outcome =
  /** The same text was better in both orders; its id. */
  | { readonly kind: "winner"; readonly winner: string }
  /** The judge said in both orders that neither is better. */
  | { readonly kind: "declared tie" }
  /** The answer changed with the order: a tie that says something of the judge, not of the texts. */
  | { readonly kind: "order-inconsistent tie" }
  | { readonly kind: "unscored"; readonly reason: UnscoredReason; readonly message: string };

/** One judge's comparison of two texts. */
export interface JudgeComparison {
  readonly judge: string;
  readonly answers: BothOrders;
  readonly outcome: Outcome;
}

/** How many judges came to which outcome. */
export interface Votes {
  readonly a: number;
  readonly b: number;
  readonly declaredTie: number;
  readonly orderInconsistentTie: number;
  readonly unscored: number;
}

/** What several judges say together. */
export type PanelOutcome =
  | Outcome
  /** No outcome has more than half of the votes. */
  | { readonly kind: "no majority" };

/** A comparison of two texts by all judges. */
export interface Comparison {
  /** Ids of `a` and `b`. */
  readonly candidates: readonly [string, string];
  readonly judges: readonly JudgeComparison[];
  readonly votes: Votes;
  readonly outcome: PanelOutcome;
}
