/** Requirement 14: the same texts evaluated several times, and how far the scores lie apart. */
import { mean, sampleVariance } from "simple-statistics";
import { clusterBootstrap, wilsonInterval } from "../../stats/intervals.ts";
import { randomSource } from "../../stats/random.ts";
import { aggregate } from "../judges/ensemble.ts";
import { generatingJudge } from "../judges/generating_judge.ts";
import type { Judge, Judgement } from "../types.ts";
import { type LadderText, studyLadders, type TextLadder } from "./orders.ts";
import {
  askPanel,
  type ComponentScore,
  type ConsistencyFigure,
  type ExperimentRun,
  judgedWhole,
  judgeName,
  openPanel,
  openWriter,
  panelNames,
  panelScores,
  panelSettings,
  scoreOf,
  type ScoringPanel,
  shortSha256,
  shownScore,
  WRITING_TIMEOUT,
} from "./panel.ts";
import { type RepetitionRow, REPETITIONS } from "./tables.ts";

const TEXTS = 6;
const SEEDS = [1, 2, 3];
/** Of the writing judge: at 0 it would write the same each time. */
const TEMPERATURE = 0.7;

/** Asks what of this experiment is not answered yet. @returns whether all is answered by now. */
export async function askRepetitions(run: ExperimentRun): Promise<boolean> {
  const texts = repeatedTexts(await studyLadders()).slice(0, TEXTS);
  await using panel = await openPanel(run);
  const settings = shortSha256({ ...panelSettings(panel), temperature: TEMPERATURE });
  const table = REPETITIONS.at(run.place(REPETITIONS.path));
  for (const repetition of SEEDS) {
    await using model = await openWriter({
      seed: repetition,
      temperature: TEMPERATURE,
      threads: run.threads,
    });
    const writer = generatingJudge(model, panel.prompts, {
      weight: 1,
      measured: undefined,
      modelSha256: undefined,
      timeoutSeconds: WRITING_TIMEOUT,
    });
    const repeating = { panel, writer, repetition, table, settings, signal: run.signal };
    if (!await repeatScores(texts, repeating)) return false;
  }
  return true;
}

/** A text that is evaluated over and over. */
interface RepeatedText {
  readonly country: string;
  readonly text: LadderText;
}

/** One text of each ladder, with 0, 1, 2, 3, 0, … errors. */
export function repeatedTexts(ladders: readonly TextLadder[]): readonly RepeatedText[] {
  return ladders.map(({ country, texts }, at) => ({ country, text: texts[at % texts.length]! }));
}

/** All judges with one that writes among them. */
export const ENSEMBLE_WITH_WRITER = "ensemble with a writing judge";

/** What evaluates, and how it is kept. */
interface Repeating {
  readonly panel: ScoringPanel;
  /** A judge whose words are drawn, with this repetition's seed. */
  readonly writer: Judge;
  readonly repetition: number;
  readonly table: typeof REPETITIONS;
  readonly settings: string;
  readonly signal: AbortSignal;
}

/**
 * Evaluates the texts once more, in another order each time, so that what a component keeps of the
 * text before cannot pass for steadiness.
 * @returns whether all are answered.
 */
export async function repeatScores(
  texts: readonly RepeatedText[],
  { panel, writer, repetition, table, settings, signal }: Repeating,
): Promise<boolean> {
  const names = [...panelNames(panel), judgeName(writer), ENSEMBLE_WITH_WRITER];
  return await askPanel({
    items: randomSource(`repetitions/${repetition}`).shuffle(texts),
    componentsOf: () => names,
    keyOf: ({ country, text }, component) =>
      JSON.stringify([country, text.errors, repetition, component]),
    async ask({ country, text }, signal) {
      const scores = await panelScores(panel, text, signal);
      const written = await judgedWhole(writer, text, signal);
      const together = withWriter(panel, scores, writer, written);
      return [...scores, scoreOf(judgeName(writer), written), together].map((one) => ({
        country,
        errors: text.errors,
        repetition,
        component: one.component,
        status: one.status,
        score: shownScore(one.score),
        settings_sha256: settings,
      }));
    },
    table,
    settings,
    label: `repetition ${repetition}`,
    signal,
  });
}

/** The configured ensemble with the writing judge as one more. */
function withWriter(
  { judges, aggregation, lowConfidenceVariance }: ScoringPanel,
  scores: readonly ComponentScore[],
  writer: Judge,
  written: Judgement,
): ComponentScore {
  const others = judges.map((judge): Judgement => {
    const found = scores.find(({ component }) => component === judgeName(judge))!;
    return judgementOf(found, written.provenance);
  });
  const weights = [...judges, writer].map(({ weight }) => weight);
  const together = [...others, written];
  const score = aggregate(together, aggregation, weights, lowConfidenceVariance);
  return scoreOf(ENSEMBLE_WITH_WRITER, score);
}

function judgementOf(
  { component, status, score }: ComponentScore,
  like: Judgement["provenance"],
): Judgement {
  const provenance = { ...like, producedBy: component };
  if (score !== undefined) {
    const read = { reasoning: "", flagged: [], parse: "not parsed" } as const;
    return { kind: "scored", score, ...read, provenance };
  }
  const reason = status === "scored" ? "failure" : status;
  return { kind: "unscored", reason, message: reason, partialText: undefined, provenance };
}

/** Points²: "ensemble scores with variance below 5 points", read as a variance. */
export const VARIANCE_BAR = 5;

/** How far one component's scores of the same text lie apart. */
interface RepetitionSummary {
  readonly component: string;
  /** Texts scored at least twice, and texts that were not. */
  readonly texts: number;
  readonly unscored: number;
  /** Evaluations without a score among all. */
  readonly failures: number;
  readonly evaluations: number;
  /** Mean over texts of the sample variance of their scores, in points². */
  readonly variance: ReturnType<typeof clusterBootstrap>;
  /** Greatest variance of a text, and greatest range of its scores, in points² and points. */
  readonly largestVariance: number | undefined;
  readonly largestRange: number | undefined;
  /** Share of texts whose variance is under the bar of 5 points². */
  readonly underBar: ReturnType<typeof wilsonInterval>;
  /** Share of texts whose standard deviation is under 5 points: the other reading of the bar. */
  readonly deviationUnderBar: ReturnType<typeof wilsonInterval>;
}

/** Every component in the order of the rows. */
export function repetitionSummaries(
  rows: readonly RepetitionRow[],
): readonly RepetitionSummary[] {
  return [...Map.groupBy(rows, ({ component }) => component)]
    .map(([component, own]) => summaryOf(component, own));
}

function summaryOf(component: string, rows: readonly RepetitionRow[]): RepetitionSummary {
  const byText = Map.groupBy(rows, ({ country, errors }) => `${country}, k = ${errors}`);
  const all = [...byText].map(([text, own]) =>
    [text, own.flatMap(({ score }) => score === "" ? [] : [score])] as const
  );
  const texts = all.filter(([, scores]) => scores.length > 1);
  const items = texts.map(([cluster, scores]) => ({ cluster, value: sampleVariance(scores) }));
  const variances = items.map(({ value }) => value);
  const ranges = texts.map(([, scores]) => Math.max(...scores) - Math.min(...scores));
  const largest = (values: readonly number[]) =>
    values.length === 0 ? undefined : Math.max(...values);
  const under = (bar: number) =>
    wilsonInterval(variances.filter((value) => value < bar).length, variances.length, 0.95);
  return {
    component,
    texts: texts.length,
    unscored: all.length - texts.length,
    failures: rows.filter(({ score }) => score === "").length,
    evaluations: rows.length,
    variance: clusterBootstrap({
      items,
      statistic: (values: readonly number[]) => mean([...values]),
      resamples: 2_000,
      confidence: 0.95,
      random: randomSource(`repetition/${component}`),
    }),
    largestVariance: largest(variances),
    largestRange: largest(ranges),
    underBar: under(VARIANCE_BAR),
    deviationUnderBar: under(VARIANCE_BAR ** 2),
  };
}

/** The report's rows on repetition: variance by component, and how often it is under the bar. */
export function repetitionFigures(rows: readonly RepetitionRow[]): readonly ConsistencyFigure[] {
  return repetitionSummaries(rows).flatMap((one): readonly ConsistencyFigure[] => {
    const common = { component: one.component, group: "all texts", n: one.texts };
    const share = `texts with a variance under ${VARIANCE_BAR} points² (share)`;
    return [
      { ...common, measure: "variance of scores (points²)", value: one.variance },
      { ...common, measure: share, value: one.underBar },
    ];
  });
}
