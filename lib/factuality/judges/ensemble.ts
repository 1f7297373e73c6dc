/**
 * Aggregation of several judges, their calibration, and judges read by next-token probabilities.
 */
import { mean, median, sampleVariance } from "simple-statistics";
import { z } from "zod";
import { parseJson } from "../../files/json.ts";
import { TimeLimitError, withTimeLimit } from "../../models/in_flight.ts";
import type { NextWordModel, NextWordReply, NextWords } from "../../models/model.ts";
import { logistic } from "../../stats/uncertainty.ts";
import { failureReason, isAccepted, type UnreadAnswer, unreadAnswer } from "../decision.ts";
import { FACTUAL_ACCURACY, MEASURED, SCORINGS, SHA256, SHARE } from "../types.ts";
import type { AggregationStrategy, EnsembleScore, Judge, Judgement } from "../types.ts";
import type { AbortOptions, MeasuredAccuracy } from "../types.ts";
import type { JudgeOptions } from "./generating_judge.ts";
import { fillTemplate, type PromptTemplates } from "./prompts.ts";

/**
 * Variance threshold in points². The specification says "variance > 20 points"; two scores 6.4
 * points apart exceed it.
 */
export const VARIANCE_THRESHOLD = 20;

/** Tests whether a score (0–100) is a vote for "accurate": from 50 on, by `isAccepted()`. */
export const isVoteFor = (score: number): boolean => isAccepted(score / 100);

type Weighted = Readonly<Record<"score" | "weight", number>>;

const votesFor = (scores: readonly Weighted[]) =>
  scores.filter(({ score }) => isVoteFor(score)).length;

const STRATEGIES: Readonly<Record<AggregationStrategy, (scores: readonly Weighted[]) => number>> = {
  "mean": (scores) => mean(scores.map(({ score }) => score)),
  "median": (scores) => median(scores.map(({ score }) => score)),
  "weighted average": (scores) => {
    // Weights relative to the greatest, so that no sum of weights is infinite.
    const most = Math.max(...scores.map(({ weight }) => weight));
    const shares = scores.map(({ weight }) => weight / most);
    const total = shares.reduce((sum, share) => sum + share, 0);
    return scores.reduce((sum, { score }, index) => sum + score * (shares[index]! / total), 0);
  },
  "majority vote": (scores) => (100 * votesFor(scores)) / scores.length,
};

/**
 * Combines the judges' scores into one. A judge of weight 0 never counts. Judges without a score
 * are excluded and counted. Without any score left the result is unscored, since a mean would state
 * unearned trust.
 */
export function ensembleOf(
  judged: readonly { readonly weight: number; readonly judgement: Judgement }[],
  { aggregation: strategy, lowConfidenceVariance }: {
    readonly aggregation: AggregationStrategy;
    readonly lowConfidenceVariance: number;
  },
): EnsembleScore {
  const counted = judged.filter(({ weight }) => weight > 0);
  if (counted.length === 0) {
    const message = "No judge was measured to be better than chance, and none has a weight of " +
      "its own in the configuration.";
    return { kind: "unscored", reason: "not measured", message };
  }
  const scored = counted.flatMap(({ weight, judgement }) =>
    judgement.kind === "scored" ? [{ score: judgement.score, weight }] : []
  );
  if (scored.length === 0) return withoutScores(counted.map(({ judgement }) => judgement));
  const scores = scored.map(({ score }) => score);
  const [least, most] = [Math.min(...scores), Math.max(...scores)];
  const variance = scores.length < 2 ? undefined : sampleVariance(scores);
  const score = STRATEGIES[strategy](scored);
  const reasons: string[] = [];
  if (variance === undefined) reasons.push("only one judge gave a score");
  else if (variance > lowConfidenceVariance) {
    const points = `${variance.toFixed(1)} points², over ${lowConfidenceVariance}`;
    reasons.push(`the judges' scores have a variance of ${points}`);
  }
  const votes = votesFor(scored);
  if (strategy === "majority vote" && 2 * votes === scores.length) {
    reasons.push(`the vote is tied, ${votes} to ${votes}`);
  }
  return {
    kind: "scored",
    // Rounding must not move an average beyond the range of its scores.
    score: strategy === "majority vote" ? score : Math.min(most, Math.max(least, score)),
    strategy,
    scored: scored.length,
    asked: judged.length,
    variance,
    range: most - least,
    lowConfidence: reasons.length > 0,
    reasons,
  };
}

function withoutScores(judgements: readonly Judgement[]): EnsembleScore {
  const failed = judgements.filter((judgement) => judgement.kind === "unscored");
  const reasons = new Set(failed.map(({ reason }) => reason));
  const [reason = "failure", ...others] = reasons;
  const words = failed.map(({ provenance, reason }) => `${provenance.producedBy} (${reason})`);
  return {
    kind: "unscored",
    reason: others.length === 0 ? reason : "failure",
    message: `No judge gave a score: ${words.join(", ")}.`,
  };
}

/**
 * Weight of a judge by its accuracy: 2 × balanced accuracy − 1 (Youden's J). It is 0 at chance, 1
 * without errors, and 0 while the interval includes chance.
 */
export function weightFromAccuracy({ balancedAccuracy, low }: MeasuredAccuracy): number {
  return low <= 0.5 ? 0 : 2 * balancedAccuracy - 1;
}

/** Tests whether a judge may support a finding: measured above chance, or given a weight. */
export const isTrusted = (
  { weight, vouched, measured }: Pick<Judge, "weight" | "vouched" | "measured">,
): boolean =>
  weight > 0 &&
  (vouched === true || measured !== undefined && weightFromAccuracy(measured) > 0);

/** Platt scaling: P = 1 / (1 + exp(−(slope × x + intercept))), x being the model's log-odds. */
export const PLATT_SCALING = z.strictObject({ slope: z.number(), intercept: z.number() });
export type PlattScaling = Readonly<z.infer<typeof PLATT_SCALING>>;

const ENTRY = z.strictObject({
  /** Id of the model. */
  id: z.string().min(1),
  readout: z.enum(["generation", "next-token"]),
  /** Name of the prompt used; `promptSha256` is its hash at that time. */
  prompt: z.string().min(1),
  promptSha256: SHA256,
  /** SHA-256 of the model's published file; null for a server's model. */
  modelSha256: SHA256.nullable(),
  /**
   * Precision of the weights, see {@link MeasuredModel}. By default F32 for next-token readout and
   * `shipped` for generation.
   */
  weights: z.string().min(1).optional(),
  /** Scoring of a written answer; `written` by default. */
  scoring: z.enum(SCORINGS).optional(),
  scaling: PLATT_SCALING.nullable(),
  measured: MEASURED,
  areaUnderCurve: SHARE,
  /** Number of claims without a score. */
  unscored: z.int().min(0),
});

const FILE = z.strictObject({ schemaVersion: z.literal(1), entries: z.array(ENTRY) });

/** Measured accuracy of one model with one prompt. */
export type JudgeCalibrationEntry = Readonly<z.infer<typeof ENTRY>>;

/** Identity of the measured weights; another precision gives other answers. */
export interface MeasuredModel {
  /** SHA-256 of the published file; undefined for a server. */
  readonly modelSha256: string | undefined;
  /** `F32`, `Q8_0` or `shipped`; for a server its model name, since its weights are unknown. */
  readonly weights: string;
  /** Scoring of a written answer. */
  readonly scoring?: typeof SCORINGS[number];
}

/**
 * Looks up a model's calibration by id, readout (`generation`, `next-token` or a prompt's name) and
 * weights. `scaling` is present where a probability of "yes" is read. Undefined without a
 * measurement, and where file, precision or prompt have changed since.
 */
export type CalibrationOf = (
  id: string,
  readout: string,
  model: MeasuredModel,
) => { readonly scaling?: PlattScaling; readonly measured: MeasuredAccuracy } | undefined;

/**
 * Parses the entries of a calibration file. @throws {SyntaxError} naming the file, for other
 * content.
 */
export function readJudgeEntries(text: string, file: string): readonly JudgeCalibrationEntry[] {
  return parseJson(text, FILE, (why) => `Cannot read judge calibration ${file}: ${why}`).entries;
}

/**
 * Parses a calibration file to a lookup function. @throws {SyntaxError} naming `file`, for other
 * content.
 */
export function readJudgeCalibration(
  text: string,
  file: string,
  prompts: PromptTemplates,
): CalibrationOf {
  const entries = readJudgeEntries(text, file);
  const promptNamed = (wanted: string | undefined) =>
    prompts.templates.find(({ name }) => name === wanted);
  const forms: Readonly<Record<string, string | undefined>> = {
    "next-token": promptNamed("claim")?.nextWordForm,
    generation: "claim",
  };
  return (id, readout, { modelSha256 = null, weights, scoring = "written" }) => {
    const prompt = promptNamed(readout in forms ? forms[readout] : readout);
    const calibration = entries.find((entry) =>
      entry.id === id && entry.prompt === prompt?.name && entry.modelSha256 === modelSha256 &&
      (entry.weights ?? (entry.readout === "generation" ? "shipped" : "F32")) === weights &&
      (entry.readout !== "generation" || (entry.scoring ?? "written") === scoring)
    );
    if (calibration === undefined || calibration.promptSha256 !== prompt?.sha256) return undefined;
    return {
      ...calibration.scaling && { scaling: calibration.scaling },
      measured: calibration.measured,
    };
  };
}

/** Log-odds log(p / (1 − p)) in nats, with p clipped to 0.001–0.999 (±6.9). */
export function logOdds(probability: number): number {
  const p = Math.min(0.999, Math.max(0.001, probability));
  return Math.log(p / (1 - p));
}

/** Calibrated probability for a model's raw probability. */
export function calibratedProbability(
  probability: number,
  scaling: PlattScaling | undefined,
): number {
  if (scaling === undefined) return probability;
  return logistic(scaling.slope * logOdds(probability) + scaling.intercept);
}

/**
 * Fits Platt scaling by maximum likelihood with softened targets (Platt 1999). It uses Newton's
 * method (Lin, Lin and Weng 2007, Machine Learning 68). @throws {RangeError} unless both labels
 * occur, every score has a label, and all scores are finite.
 */
export function fitPlatt(xs: readonly number[], labels: readonly boolean[]): PlattScaling {
  if (xs.length !== labels.length || !labels.includes(true) || !labels.includes(false)) {
    const counts = `${xs.length} scores and ${labels.length} labels`;
    throw new RangeError(`Cannot fit Platt's scaling: there are ${counts}; both labels must occur`);
  }
  const wrong = xs.find((x) => !Number.isFinite(x));
  if (wrong !== undefined) throw new RangeError(`Cannot fit Platt's scaling: a score is ${wrong}`);
  const positive = labels.filter(Boolean).length;
  const negative = labels.length - positive;
  const ts = labels.map((label) => label ? (positive + 1) / (positive + 2) : 1 / (negative + 2));
  let at: PlattScaling | undefined;
  let next: typeof at = { slope: 0, intercept: Math.log((positive + 1) / (negative + 1)) };
  // About ten steps usually suffice.
  for (let count = 0; next !== undefined && count <= 100; count++) {
    at = next;
    next = newtonStep(xs, ts, at);
  }
  return at!;
}

/** Performs one Newton step, halved until the loss does not grow. Undefined where no step helps. */
function newtonStep(xs: readonly number[], ts: readonly number[], at: PlattScaling) {
  // Gradient and Hessian of the convex loss.
  const d = { slope: 0, intercept: 0, slope2: 1e-12, intercept2: 1e-12, mixed: 0 };
  xs.forEach((x, i) => {
    const p = logistic(at.slope * x + at.intercept);
    const weight = p * (1 - p);
    d.slope += (p - ts[i]!) * x;
    d.intercept += p - ts[i]!;
    d.slope2 += weight * x * x;
    d.intercept2 += weight;
    d.mixed += weight * x;
  });
  const determinant = d.slope2 * d.intercept2 - d.mixed ** 2;
  const slopeStep = -(d.intercept2 * d.slope - d.mixed * d.intercept) / determinant;
  const interceptStep = -(d.slope2 * d.intercept - d.mixed * d.slope) / determinant;
  const before = loss(xs, ts, at);
  for (let share = 1; share > 1e-10; share /= 2) {
    const slope = at.slope + share * slopeStep;
    const next = { slope, intercept: at.intercept + share * interceptStep };
    if (loss(xs, ts, next) < before - 1e-12) return next;
  }
  return undefined;
}

function loss(xs: readonly number[], ts: readonly number[], { slope, intercept }: PlattScaling) {
  return xs.reduce((sum, x, i) => {
    const z = slope * x + intercept;
    // −t·log σ(z) − (1 − t)·log σ(−z), without overflow.
    return sum + (1 - ts[i]!) * z + Math.log1p(Math.exp(-Math.abs(z))) + Math.max(-z, 0);
  }, 0);
}

export interface NextTokenJudgeOptions extends JudgeOptions {
  /**
   * Calibration of P(yes) / (P(yes) + P(no)). Without it that ratio is the score. It is fitted to
   * verdicts on claims and also applied to whole texts. For other criteria the ratio is the score.
   */
  readonly calibration: PlattScaling | undefined;
  /**
   * Name of a `next word` prompt, overriding the file's choice. It is used for claims and the truth
   * of whole texts.
   */
  readonly prompt?: string | undefined;
  /** Time limit of a request in seconds; probabilities have no partial result. */
  readonly timeoutSeconds?: number;
}

/**
 * A judge read by the probabilities of the next token. Its score is 100 × the calibrated
 * probability of "true" (or "Yes") against "false" (or "No"); its reasoning states the
 * probabilities. It flags no phrases. Criteria whose template names no `next_word_form` stay
 * unscored.
 */
export function nextTokenJudge(
  model: NextWordModel,
  prompts: PromptTemplates,
  options: NextTokenJudgeOptions,
): Judge {
  const { name, concurrency } = model;
  const {
    weight,
    measured,
    modelSha256,
    calibration,
    prompt: promptName,
    timeoutSeconds: seconds,
  } = options;
  return {
    name,
    settings: {
      ...model.settings,
      ...calibrationSettings(calibration),
      ...promptName !== undefined && { prompt: promptName },
      ...seconds && { timeoutSeconds: seconds },
    },
    weight,
    measured,
    concurrency,
    async judge({ template: wanted, values }, { signal } = {}) {
      const asked = prompts.template(wanted);
      const usual = asked.answer === "next word" ? wanted : asked.nextWordForm;
      const form = wanted === "claim" || wanted === FACTUAL_ACCURACY ? promptName ?? usual : usual;
      const template = form === undefined ? undefined : prompts.template(form);
      const provenance = { producedBy: name, modelSha256, promptSha256: template?.sha256 };
      if (template?.nextWords === undefined) {
        const why = `The prompt ${wanted} has no next_word_form`;
        const message = `${why}, and ${name} answers by the next word only.`;
        return { ...unreadAnswer("not measured", message), provenance };
      }
      const prompt = fillTemplate(template, asClaim(values));
      const read = await askNextWord(model, prompt, template.nextWords, { seconds, signal });
      if (read.kind === "unscored") return { ...read, provenance };
      const isOfTruth = wanted === FACTUAL_ACCURACY || values["claim"] !== undefined;
      const score = 100 * calibratedProbability(read.yes, isOfTruth ? calibration : undefined);
      const rest = { flagged: [], parse: "not parsed", provenance } as const;
      return { kind: "scored", score, reasoning: read.words, ...rest };
    },
  };
}

/** Renames a text and its source to claim and passages. One prompt form serves both. */
function asClaim(values: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const { source, candidate } = values;
  if (source === undefined || candidate === undefined) return values;
  return { passages: source, claim: candidate, ...values };
}

/** Settings that record a calibration next to the results. */
export function calibrationSettings(calibration: PlattScaling | undefined): Judge["settings"] {
  if (calibration === undefined) return { calibrated: false };
  const { slope, intercept } = calibration;
  return { calibrated: true, slope, intercept };
}

/** Probabilities of the next word. */
export interface ReadNextWord {
  readonly kind: "read";
  /** Uncalibrated P(yes) / (P(yes) + P(no)), 0–1. */
  readonly yes: number;
  /** The probabilities in words: `P(true) 0.312, P(false) 0.214, other words 0.474`. */
  readonly words: string;
}

/** Record of a model's refusal to answer. */
export const refusal = (text: string): UnreadAnswer =>
  unreadAnswer("refusal", "The model refused to answer.", text);

/**
 * Returns the share of "yes" after a prompt, or the reason for none. A reason is, for example, a
 * time-out after `seconds`. @throws the signal's reason when it aborts.
 */
export async function askNextWord(
  model: NextWordModel,
  prompt: string,
  words: NextWords,
  { seconds, signal }: AbortOptions & { readonly seconds?: number | undefined },
): Promise<ReadNextWord | UnreadAnswer> {
  const ask = (signal?: AbortSignal) => model.nextWord(prompt, words, { signal });
  if (!seconds) return readNextWord(await ask(signal), words);
  try {
    return readNextWord(await withTimeLimit(ask, seconds, signal), words);
  } catch (error) {
    if (!(error instanceof TimeLimitError)) throw error;
    return unreadAnswer("time-out", `No whole answer within ${seconds} s.`);
  }
}

function readNextWord(reply: NextWordReply, asked: NextWords): ReadNextWord | UnreadAnswer {
  if (reply.kind === "failure") return unreadAnswer(failureReason(reply), reply.message);
  if (reply.kind === "refusal") return refusal(reply.text);
  const { yes, no, other } = reply;
  const words = `P(${asked.yes[0]}) ${yes.toFixed(3)}, P(${asked.no[0]}) ${no.toFixed(3)}, ` +
    `other words ${other.toFixed(3)}`;
  if (yes + no > 0) return { kind: "read", yes: yes / (yes + no), words };
  return unreadAnswer("malformed answer", `Neither answer has any probability: ${words}.`);
}
