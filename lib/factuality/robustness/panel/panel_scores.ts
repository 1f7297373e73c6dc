import type { EvaluationComponents } from "../../evaluation/components.ts";
import { FACTUAL_ACCURACY } from "../../evaluation/components.ts";
import { criterionTask } from "../../evaluation/judge_tasks.ts";
import { aggregate } from "../../judges/aggregate.ts";
import type { Judge, Judgement } from "../../judges/judgement.ts";
import type { Passage } from "../../retrieval/passage.ts";
import { UNSCORED_REASONS, type Verdict } from "../../verdicts/verdict.ts";

/** What everyone scores: a text, the claims that it makes, and what to check them against. */
export interface ScoredText {
  readonly text: string;
  /** In order; at least one. */
  readonly claims: readonly string[];
  readonly passages: readonly Passage[];
}

/** `scored`, or why there is no score. */
export const SCORE_STATUSES = ["scored", ...UNSCORED_REASONS] as const;
export type ScoreStatus = typeof SCORE_STATUSES[number];

/** What one component says of a text. */
export interface ComponentScore {
  readonly component: string;
  readonly status: ScoreStatus;
  /** 0–100; undefined where there is none. */
  readonly score: number | undefined;
}

/** Who scores: the configured verifier, and judges that see a text as a whole. */
export type ScoringPanel = Pick<
  EvaluationComponents,
  "verifier" | "judges" | "aggregation" | "lowConfidenceVariance"
>;

/** Names of the components that are made of others. */
export const SUPPORT_SHARE = "trained verifier (share supported)";
export const MEAN_PROBABILITY = "trained verifier (mean probability)";
export const JUDGE_ENSEMBLE = "ensemble of judges";

/** A judge's name in tables: one model can be read in two ways. */
export function judgeName({ name, settings }: Pick<Judge, "name" | "settings">): string {
  return `${name} (${settings["readout"] === "generation" ? "written score" : "next word"})`;
}

/**
 * What the verifier, each judge and the judges together say of a text, each 0–100: the share of its
 * claims that the verifier calls supported, their mean probability of being so, and the judges' scores
 * of the text as a whole. The verifier is named as the trained one, which the study's configuration has.
 *
 * @throws the signal's reason when it aborts.
 */
export async function panelScores(
  { verifier, judges, aggregation, lowConfidenceVariance }: ScoringPanel,
  scored: ScoredText,
  signal: AbortSignal,
): Promise<readonly ComponentScore[]> {
  const verdicts = await verifier.verify(scored.claims, scored.passages, { signal });
  const judgements: Judgement[] = [];
  for (const judge of judges) judgements.push(await judgedWhole(judge, scored, signal));
  const weights = judges.map(({ weight }) => weight);
  return [
    shareSupported(verdicts),
    meanProbability(verdicts),
    ...judgements.map((judgement, at) => scoreOf(judgeName(judges[at]!), judgement)),
    ...judges.length === 0 ? [] : [
      scoreOf(JUDGE_ENSEMBLE, aggregate(judgements, aggregation, weights, lowConfidenceVariance)),
    ],
  ];
}

/** One judge's score of a text as a whole; it is shown no verdicts. */
export async function judgedWhole(
  judge: Judge,
  { text, passages }: ScoredText,
  signal: AbortSignal,
): Promise<Judgement> {
  const source = passages.map((passage) => passage.text).join("\n");
  const request = { id: "", source, candidate: text, question: "" };
  return await judge.judge(criterionTask(FACTUAL_ACCURACY, request, []), { signal });
}

/** A judgement or an ensemble's score by its component's name. */
export function scoreOf(
  component: string,
  answer:
    | { readonly kind: "scored"; readonly score: number }
    | { readonly kind: "unscored"; readonly reason: Exclude<ScoreStatus, "scored"> },
): ComponentScore {
  return answer.kind === "scored"
    ? { component, status: "scored", score: answer.score }
    : { component, status: answer.reason, score: undefined };
}

function shareSupported(verdicts: readonly Verdict[]): ComponentScore {
  return ofVerdicts(SUPPORT_SHARE, verdicts, ({ label }) => label === "supported" ? 1 : 0);
}

function meanProbability(verdicts: readonly Verdict[]): ComponentScore {
  return ofVerdicts(MEAN_PROBABILITY, verdicts, ({ probabilities }) => probabilities.supported);
}

/** Unscored as soon as one claim is: a mean of the others would be of another text. */
function ofVerdicts(
  component: string,
  verdicts: readonly Verdict[],
  figure: (verdict: Extract<Verdict, { readonly kind: "scored" }>) => number,
): ComponentScore {
  const missing = verdicts.find((verdict) => verdict.kind === "unscored");
  if (missing?.kind === "unscored") return scoreOf(component, missing);
  const values = verdicts.flatMap((verdict) => verdict.kind === "scored" ? [figure(verdict)] : []);
  const sum = values.reduce((total, value) => total + value, 0);
  return scoreOf(component, { kind: "scored", score: 100 * sum / values.length });
}
