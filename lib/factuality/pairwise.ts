import { kendallTauB, spearman } from "../stats/correlation.ts";
import { sha256Hex } from "../files/atomic.ts";
import type { NextWordModel, NextWords, StructuredModel } from "../models/model.ts";
import { unorderedPairs } from "../stats/agreement.ts";
import { type Bounds, proportion, statistic } from "../stats/measure.ts";
import { isAccepted } from "./decision.ts";
import { askNextWord } from "./judges/ensemble.ts";
import { askInJson } from "./judges/generating_judge.ts";
import { fillTemplate, type PromptTemplates } from "./judges/prompts.ts";
import { meanOrUndefined } from "./metrics/classification.ts";
import { type EndReason, malformed, readJsonAnswer, valueUnder } from "./judges/read_answer.ts";
import type { EvaluationRequest, Named, ParseStatus, Provenance } from "./types.ts";
import type { AbortOptions, Unscored } from "./types.ts";

/** A text to compare. */
interface Candidate {
  /** Id, unique among the candidates, usually the model's name. */
  readonly id: string;
  readonly text: string;
}

/** Subject of a comparison; the question may be empty. */
type About = Pick<EvaluationRequest, "source" | "question">;

/** Two anonymous texts in one order, as shown to a judge. */
type OrderedTask = About & Readonly<Record<"first" | "second", string>>;

/** Position of the better text in the order shown. */
export type OrderedChoice = "first" | "second" | "tie";

/** A judge's answer for one order. */
export interface OrderedAnswer {
  readonly kind: "answer";
  readonly winner: OrderedChoice;
  /** P(the first is better), 0–1, from a judge read by probabilities. */
  readonly first?: number;
  /** Justification, also of a tie. */
  readonly reasoning: string;
  readonly parse: ParseStatus;
  readonly provenance: Provenance;
}

/** Compares two texts in the given order. */
export interface PairwiseJudge extends Named {
  /**
   * Compares once. Never throws for the model's answer. @throws the signal's reason when it aborts.
   */
  compare(task: OrderedTask, options?: AbortOptions): Promise<OrderedAnswer | Unscored>;
}

/** One judge's answers for both orders: `a` first, and `b` first. */
type BothOrders = Readonly<Record<"aFirst" | "bFirst", OrderedAnswer | Unscored>>;

/** Result of both orders. */
export type PairOutcome =
  /** Id of the text preferred in both orders. */
  | { readonly kind: "winner"; readonly winner: string }
  /** A tie declared in both orders. */
  | { readonly kind: "declared tie" }
  /** An answer that changed with the order: position bias of the judge, not a tie of the texts. */
  | { readonly kind: "order-inconsistent tie" }
  | Pick<Unscored, "kind" | "reason" | "message">;

/** Outcome of several judges; `no majority` where no outcome has more than half of the votes. */
type PanelOutcome = PairOutcome | { readonly kind: "no majority" };

/** One judge's comparison of two texts. */
interface JudgeComparison {
  readonly judge: string;
  readonly answers: BothOrders;
  readonly outcome: PairOutcome;
  /** P(`a` is better), 0–1, as the mean of both orders. A written answer counts 1, ½ (tie) or 0. */
  readonly aBetter: number | undefined;
}

/** All judges' comparison of two texts. */
export interface TextComparison {
  /** Ids of `a` and `b`. */
  readonly candidates: readonly [string, string];
  readonly judges: readonly JudgeComparison[];
  readonly outcome: PanelOutcome;
}

/** A pairwise judge that generates its answer. Without a winner it is unscored, never a tie. */
export function pairwiseJudge(
  model: StructuredModel,
  prompts: PromptTemplates,
  { timeoutSeconds }: { readonly timeoutSeconds: number },
): PairwiseJudge {
  const template = prompts.template("pairwise");
  return {
    name: model.name,
    settings: { ...model.settings, promptSha256: template.sha256, timeoutSeconds },
    async compare({ source, question, first, second }, { signal } = {}) {
      const values = { source, question, first, second };
      const asked = { template, values, timeoutSeconds, signal };
      const answer = await askInJson(model, asked, readChoice);
      return answer.kind === "unscored" ? answer : { ...answer, kind: "answer" };
    },
  };
}

/** Prompt ending for a judge read by probabilities of "first" and "second". */
const READ = "Of the two texts the more accurate is, first or second? Answer:";
const POSITIONS: NextWords = { yes: ["first"], no: ["second"] };

/**
 * Width of the tie band: P(first) closer to ½, averaged over both orders, is a tie. Fixed in
 * advance.
 */
export const TIE_BAND = 0.1;

/** Choice by P(first), 0–1. */
export const choiceOf = (first: number): OrderedChoice =>
  Math.abs(first - 0.5) < TIE_BAND ? "tie" : first > 0.5 ? "first" : "second";

/** A pairwise judge read by probabilities: P("first") against P("second") as the next word. */
export function readingPairwiseJudge(
  model: NextWordModel,
  prompts: PromptTemplates,
  { timeoutSeconds }: { readonly timeoutSeconds: number },
): PairwiseJudge {
  // Without the words that ask for JSON.
  const template = { ...prompts.template("pairwise"), answer: "next word" } as const;
  const promptSha256 = sha256Hex(template.sha256 + READ);
  return {
    name: model.name,
    settings: { ...model.settings, promptSha256, timeoutSeconds },
    async compare({ source, question, first, second }, { signal } = {}) {
      const prompt = `${fillTemplate(template, { source, question, first, second })}\n${READ}`;
      const { fileSha256 } = model.settings;
      const modelSha256 = typeof fileSha256 === "string" ? fileSha256 : undefined;
      const provenance = { producedBy: model.name, modelSha256, promptSha256 };
      const read = await askNextWord(model, prompt, POSITIONS, { seconds: timeoutSeconds, signal });
      if (read.kind === "unscored") return { ...read, provenance };
      const answer = { winner: choiceOf(read.yes), first: read.yes, reasoning: read.words };
      return { kind: "answer", parse: "not parsed", ...answer, provenance };
    },
  };
}

/** Parses a choice that names one position: "First", "the second text". */
function readChoice(text: string, ended: EndReason, prompt: string) {
  const answer = readJsonAnswer(text, ["winner"], ended, prompt);
  if (answer.kind === "malformed") return answer;
  const { value, before, parse } = answer;
  const [named, reasoning] = [valueUnder(value, ["winner"]), valueUnder(value, ["reasoning"])];
  const [winner, ...others] = (["first", "second", "tie"] as const).filter((choice) =>
    typeof named === "string" && new RegExp(`\\b${choice}\\b`, "i").test(named)
  );
  if (winner === undefined || others.length > 0) {
    return malformed("its winner is none of first, second and tie");
  }
  const why = typeof reasoning === "string" ? reasoning : before;
  return { kind: "read", winner, reasoning: why, parse } as const;
}

/** Asks each judge for the more accurate of two texts, in both orders. The ids must differ. */
export async function compareTexts(
  judges: readonly PairwiseJudge[],
  { source, question, a, b }: About & Readonly<Record<"a" | "b", Candidate>>,
  options: AbortOptions = {},
): Promise<TextComparison> {
  const comparisons = await Array.fromAsync(judges, async (judge) => {
    const ask = (first: string, second: string) => {
      options.signal?.throwIfAborted();
      return judge.compare({ source, question, first, second }, options);
    };
    const answers = { aFirst: await ask(a.text, b.text), bFirst: await ask(b.text, a.text) };
    const aBetter = preferenceOf(answers);
    const outcome = pairOutcome(answers, a.id, b.id, aBetter);
    return { judge: judge.name, answers, outcome, aBetter };
  });
  const outcome = majorityOf(comparisons.map(({ outcome }) => outcome));
  return { candidates: [a.id, b.id], judges: comparisons, outcome };
}

/** P(`a` is better) over both orders; undefined where either is unscored. */
function preferenceOf({ aFirst, bFirst }: BothOrders): number | undefined {
  if (aFirst.kind === "unscored" || bFirst.kind === "unscored") return undefined;
  const preference = ({ first, winner }: OrderedAnswer) =>
    first ?? { first: 1, tie: 0.5, second: 0 }[winner];
  return (preference(aFirst) + 1 - preference(bFirst)) / 2;
}

/**
 * Outcome of both orders. Written answers need the same winner twice; otherwise they tie, by
 * declaration or by order. Probabilities are averaged and compared with the tie band. Unscored
 * where either order is.
 */
function pairOutcome(
  { aFirst, bFirst }: BothOrders,
  a: string,
  b: string,
  aBetter: number | undefined,
): PairOutcome {
  const unscored = (first: string, { reason, message }: Unscored) => {
    return { kind: "unscored", reason, message: `${first} first: ${message}` } as const;
  };
  if (aFirst.kind === "unscored") return unscored(a, aFirst);
  if (bFirst.kind === "unscored") return unscored(b, bFirst);
  const ids = { first: a, second: b, tie: undefined };
  const one = ids[aFirst.winner];
  const other = { first: b, second: a, tie: undefined }[bFirst.winner];
  const isRead = aFirst.first !== undefined && bFirst.first !== undefined;
  const winner = isRead ? ids[choiceOf(aBetter!)] : one === other ? one : undefined;
  if (winner !== undefined) return { kind: "winner", winner };
  return { kind: one === other ? "declared tie" : "order-inconsistent tie" };
}

/** Outcome of more than half of the judges with an outcome. Else `no majority`. */
export function majorityOf(outcomes: readonly PairOutcome[]): PanelOutcome {
  const scored = outcomes.filter(({ kind }) => kind !== "unscored");
  if (scored.length === 0) {
    return outcomes[0] ?? { kind: "unscored", reason: "failure", message: "No judge was asked." };
  }
  const alike = Map.groupBy(scored, (outcome) => JSON.stringify(outcome));
  const most = alike.values().find(({ length }) => 2 * length > scored.length);
  return most?.[0] ?? { kind: "no majority" };
}

/** Position as a number: −1 for the first, 1 for the second. */
const POSITION_VALUES: Readonly<Record<OrderedChoice, number>> = { first: -1, tie: 0, second: 1 };

/**
 * Position bias of one pair: 0 where both orders agree, −1 towards the first position, 1 towards
 * the second. Its mean over pairs is preference fairness, its share of 0 position consistency,
 * after Shi et al. 2024 (arXiv 2406.07791). Their fairness is rescaled to what a task's pairs
 * allow; this one is a share of pairs.
 */
export const positionBias = (aFirst: OrderedChoice, bFirst: OrderedChoice) =>
  Math.sign(POSITION_VALUES[aFirst] + POSITION_VALUES[bFirst]);

/**
 * Compares every two candidates in both orders. @throws {RangeError} for fewer than two candidates
 * or repeated ids.
 */
export async function rankTexts(
  judges: readonly PairwiseJudge[],
  candidates: readonly Candidate[],
  about: About,
  options: AbortOptions = {},
) {
  const ids = candidates.map(({ id }) => id);
  const twice = ids.find((id, at) => ids.indexOf(id) !== at);
  if (twice !== undefined) throw new RangeError(`Cannot rank texts: the id ${twice} occurs twice`);
  if (ids.length < 2) throw new RangeError(`Cannot rank texts: ${ids.length} is fewer than 2`);
  const comparisons = await Array.fromAsync(
    unorderedPairs(candidates),
    ([a, b]) => compareTexts(judges, { ...about, a, b }, options),
  );
  return { comparisons, standings: rankCandidates(comparisons) };
}

/**
 * Ranks candidates by Copeland score, best first, unscored ones last. The score is wins plus half
 * of all ties as a share of scored comparisons, 0–1 (Saari & Merlin 1996, Econ. Theory 8, 51–76),
 * with its Wilson interval. Equal scores share their mean rank.
 */
export function rankCandidates(comparisons: readonly TextComparison[]) {
  const ids = [...new Set(comparisons.flatMap(({ candidates }) => candidates))];
  const fared = ids.map((candidate) => {
    const scored = comparisons.filter(({ candidates }) => candidates.includes(candidate))
      .map(({ outcome }) => outcome).filter(({ kind }) => kind !== "unscored");
    const points = scored.map((one) => {
      if (one.kind !== "winner") return 1 / 2;
      return one.winner === candidate ? 1 : 0;
    });
    const sum = points.reduce((all, one) => all + one, 0);
    return { candidate, score: meanOrUndefined(points), interval: proportion(sum, points.length) };
  });
  const scores = fared.flatMap(({ score }) => score ?? []);
  const standings = fared.map((one) => {
    const { score } = one;
    if (score === undefined) return { ...one, rank: undefined };
    const better = scores.filter((other) => other > score).length;
    const equal = scores.filter((other) => other === score).length;
    return { ...one, rank: better + (equal + 1) / 2 };
  });
  return standings.toSorted((one, other) => (one.rank ?? Infinity) - (other.rank ?? Infinity) || 0);
}

/**
 * Correlates a ranking with true quality (requirement 10.5): Kendall's τ-b and Spearman's ρ over
 * items with both scores, higher meaning better. Unavailable as these are.
 */
export function rankCorrelations(
  scores: ReadonlyMap<string, number | undefined>,
  truth: ReadonlyMap<string, number>,
) {
  const both = [...truth].flatMap(([id, value]) => {
    const score = scores.get(id);
    return score === undefined ? [] : [[score, value] as const];
  });
  const [scored, real] = [both.map(([score]) => score), both.map(([, value]) => value)];
  return { n: both.length, tau: kendallTauB(scored, real), rho: spearman(scored, real) };
}

/** A text with verdicts on its checkable claims. */
export interface VerifiedText {
  /** Id, unique among the candidates. */
  readonly id: string;
  /** P(supported) of each claim with a verdict, 0–1; 0 for a claim without retrieved evidence. */
  readonly claims: readonly { readonly text: string; readonly supported: number }[];
  /** Failures in sentences. Claims that could not be verified are missing from `claims`. */
  readonly failed: readonly string[];
}

/**
 * Ranks texts by their claims' mean P(supported), best first, texts without claims last. Each mean
 * has its 95 % interval by claim and the claims that count against the text. Every two texts are
 * compared by the difference of their means: a tie where its interval includes 0, unavailable where
 * a text has fewer than two claims, and undecided where part of a text failed.
 */
export function rankByVerifier<Text extends VerifiedText>(texts: readonly Text[]) {
  const itemsOf = ({ id, claims }: VerifiedText) =>
    claims.map(({ supported }, at) => (
      { cluster: `${id}/${at}`, sample: id, value: { textId: id, supported } }
    ));
  type Values = readonly ReturnType<typeof itemsOf>[number]["value"][];
  const meanOf = (drawn: Values, id: string) =>
    meanOrUndefined(
      drawn.filter(({ textId }) => textId === id).map(({ supported }) => supported),
    );
  const measureOf = (
    texts: readonly VerifiedText[],
    statisticOf: (drawn: Values) => number | undefined,
    bounds: Bounds,
  ) => statistic(texts.flatMap(itemsOf), statisticOf, { bounds });
  const claimSets = texts.map(({ claims }) => new Set(claims.map(({ text }) => text)));
  const isShared = (claim: string) => claimSets.every((claims) => claims.has(claim));
  const standings = texts.map((text) => {
    const { id } = text;
    const interval = measureOf([text], (drawn) => meanOf(drawn, id), [0, 1]);
    return {
      ...text,
      mean: meanOrUndefined(text.claims.map(({ supported }) => supported)),
      interval,
    };
  }).toSorted((a, b) => (b.mean ?? -1) - (a.mean ?? -1)).map((text, _, [best]) => {
    // What all of them say tells none from another.
    const distinguishing = text.claims.filter((claim) => !isShared(claim.text))
      .toSorted((a, b) => a.supported - b.supported);
    const doubted = distinguishing.filter(({ supported }) => !isAccepted(supported));
    // A text may be behind with nothing but supported claims: then the weakest of them.
    const isBehind = (text.mean ?? 0) < (best?.mean ?? 0);
    return {
      ...text,
      against: doubted.length > 0 || !isBehind ? doubted : distinguishing.slice(0, 1),
    };
  });
  const differences = unorderedPairs(standings).map(([a, b]) => {
    const difference = measureOf([a, b], (drawn) => {
      const [one, other] = [meanOf(drawn, a.id), meanOf(drawn, b.id)];
      return one === undefined || other === undefined ? undefined : one - other;
    }, [-1, 1]);
    const isWhole = a.failed.length + b.failed.length === 0;
    const isAhead = difference.kind === "interval" && difference.low > 0;
    const winner = isWhole && isAhead ? a.id : undefined;
    return { candidates: [a.id, b.id] as const, difference, isWhole, winner };
  });
  return { standings, differences };
}
