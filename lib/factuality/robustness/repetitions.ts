/** Requirement 14: the same texts evaluated several times, and how far the scores lie apart. */
import { sampleVariance } from "simple-statistics";
import { wilsonInterval } from "../../stats/intervals.ts";
import { randomSource } from "../../stats/random.ts";
import { generatingJudge } from "../judges/generating_judge.ts";
import type { Judge } from "../types.ts";
import { type LadderText, studyLadders, type TextLadder } from "./orders.ts";
import {
  askPanel,
  type ConsistencyFigure,
  type Estimate,
  estimated,
  type ExperimentRun,
  type Keeping,
  openPanel,
  openWriter,
  panelNames,
  panelScores,
  panelSettings,
  type ScoringPanel,
  shortSha256,
  shownScores,
  WRITING_TIMEOUT,
} from "./panel.ts";
import { type RepetitionRow, REPETITIONS } from "./tables.ts";

const TEXTS = 6;
const SEEDS = [1, 2, 3];
/** Of the writing judge: at 0 it would write the same each time. */
const TEMPERATURE = 0.7;

/** Asks what of this experiment is not answered yet. @returns whether all is answered by now. */
export async function askRepetitions(run: ExperimentRun): Promise<boolean> {
  const { signal, threads } = run;
  const texts = repeatedTexts(await studyLadders()).slice(0, TEXTS);
  await using panel = await openPanel(run);
  const settings = shortSha256({ ...panelSettings(panel), temperature: TEMPERATURE });
  const keeping = { table: REPETITIONS.at(run.place(REPETITIONS.path)), settings, signal };
  for (const seed of SEEDS) {
    await using model = await openWriter({ seed, temperature: TEMPERATURE, threads });
    const writer = generatingJudge(model, panel.prompts, {
      weight: 1,
      measured: undefined,
      modelSha256: undefined,
      timeoutSeconds: WRITING_TIMEOUT,
    });
    if (!await repeatScores(texts, panel, writer, seed, keeping)) return false;
  }
  return true;
}

/** One text of each ladder, with 0, 1, 2, 3, 0, … errors. */
export const repeatedTexts = (ladders: readonly TextLadder[]) =>
  ladders.map(({ country, texts }, at) => ({ country, text: texts[at % texts.length]! }));

/**
 * Evaluates the texts once more, in another order each time, so that what a component keeps of the
 * text before cannot pass for steadiness.
 * @param writer A judge whose words are drawn, with this repetition's seed.
 * @returns whether all are answered.
 */
export async function repeatScores(
  texts: readonly { readonly country: string; readonly text: LadderText }[],
  panel: ScoringPanel,
  writer: Judge,
  repetition: number,
  keeping: Keeping<RepetitionRow>,
): Promise<boolean> {
  return await askPanel(keeping, {
    items: randomSource(`repetitions/${repetition}`).shuffle(texts),
    components: panelNames(panel, writer),
    known: ({ country, text: { errors } }) => ({ country, errors, repetition }),
    ask: async ({ text }, signal) => shownScores(await panelScores(panel, text, signal, writer)),
    label: `repetition ${repetition}`,
  });
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
  readonly variance: Estimate;
  /** Greatest variance of a text, and greatest range of its scores, in points² and points. */
  readonly largestVariance: number | undefined;
  readonly largestRange: number | undefined;
  /** Share of texts whose variance is under the bar of 5 points². */
  readonly underBar: ReturnType<typeof wilsonInterval>;
  /** Share of texts whose standard deviation is under 5 points: the other reading of the bar. */
  readonly deviationUnderBar: ReturnType<typeof wilsonInterval>;
}

/** Every component in the order of the rows. */
export function repetitionSummaries(rows: readonly RepetitionRow[]): readonly RepetitionSummary[] {
  return [...Map.groupBy(rows, ({ component }) => component)].map(([component, own]) => {
    const byText = Map.groupBy(own, ({ country, errors }) => `${country}, k = ${errors}`);
    const texts = [...byText].map(([cluster, same]) => ({
      cluster,
      scores: same.flatMap(({ score }) => score === "" ? [] : [score]),
    })).filter(({ scores }) => scores.length > 1);
    const items = texts.map(({ cluster, scores }) => ({ cluster, value: sampleVariance(scores) }));
    const variances = items.map(({ value }) => value);
    const ranges = texts.map(({ scores }) => Math.max(...scores) - Math.min(...scores));
    const largest = (values: readonly number[]) =>
      values.length === 0 ? undefined : Math.max(...values);
    const under = (bar: number) =>
      wilsonInterval(variances.filter((value) => value < bar).length, variances.length, 0.95);
    return {
      component,
      texts: texts.length,
      unscored: byText.size - texts.length,
      failures: own.filter(({ score }) => score === "").length,
      evaluations: own.length,
      variance: estimated(`repetition/${component}`, items),
      largestVariance: largest(variances),
      largestRange: largest(ranges),
      underBar: under(VARIANCE_BAR),
      deviationUnderBar: under(VARIANCE_BAR ** 2),
    };
  });
}

/** The report's rows on repetition: variance by component, and how often it is under the bar. */
export function repetitionFigures(rows: readonly RepetitionRow[]): readonly ConsistencyFigure[] {
  const share = `texts with a variance under ${VARIANCE_BAR} points² (share)`;
  return repetitionSummaries(rows).flatMap(({ component, texts: n, variance, underBar }) => [
    { component, group: "all texts", n, measure: "variance of scores (points²)", value: variance },
    { component, group: "all texts", n, measure: share, value: underBar },
  ]);
}
