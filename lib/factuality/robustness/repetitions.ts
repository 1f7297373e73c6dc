/** Requirement 14: the same texts evaluated several times, and how far the scores lie apart. */
import { sampleVariance } from "simple-statistics";
import { wilsonInterval } from "../../stats/intervals.ts";
import { randomSource } from "../../stats/random.ts";
import { generatingJudge } from "../judges/generating_judge.ts";
import { FACTUALITY_PATHS } from "../paths.ts";
import type { Judge } from "../types.ts";
import { type LadderText, studyLadders, type TextLadder } from "./orders.ts";
import * as panel from "./panel.ts";
import { type RepetitionRow, REPETITIONS } from "./tables.ts";

const TEXTS = 6;
const SEEDS = [1, 2, 3];
/** Of the writing judge: at 0 it would write the same each time. */
const TEMPERATURE = 0.7;

/** Asks what of this experiment is not answered yet. @returns whether all is answered by now. */
export async function askRepetitions(run: panel.ExperimentRun): Promise<boolean> {
  const texts = repeatedTexts(await studyLadders()).slice(0, TEXTS);
  await using opened = await panel.openPanel(run);
  // The study's table tells what a number that is written is worth; one's own judges are asked as they are.
  const isStudy = run.configuration === FACTUALITY_PATHS.configuration;
  const scoring = isStudy ? "written" : "expected";
  const more = { temperature: TEMPERATURE, ...!isStudy && { scoring } };
  const settings = { ...panel.panelSettings(opened), ...more };
  const keeping = panel.keepingOf(run, REPETITIONS, settings);
  for (const seed of SEEDS) {
    await using model = await panel.openWriter(run, { seed, temperature: TEMPERATURE });
    const writer = model && generatingJudge(model, opened.prompts, {
      weight: 1,
      measured: undefined,
      modelSha256: undefined,
      timeoutSeconds: panel.WRITING_TIMEOUT,
      scoring,
    });
    if (!await repeatScores(texts, opened, writer, seed, keeping)) return false;
  }
  return true;
}

/** One text of each ladder, with 0, 1, 2, 3, 0, … errors. */
export const repeatedTexts = (ladders: readonly TextLadder[]) =>
  ladders.map(({ country, texts }, at) => ({ country, text: texts[at % texts.length]! }));

/**
 * Evaluates the texts once more, in another order each time, so that what a component keeps of the
 * text before cannot pass for steadiness.
 * @param writer A judge whose words are drawn, with this repetition's seed, if there is one.
 * @returns whether all are answered.
 */
export async function repeatScores(
  texts: readonly { readonly country: string; readonly text: LadderText }[],
  scorers: panel.ScoringPanel,
  writer: Judge | undefined,
  repetition: number,
  keeping: panel.Keeping<RepetitionRow>,
): Promise<boolean> {
  return await panel.askPanel(keeping, {
    items: randomSource(`repetitions/${repetition}`).shuffle(texts),
    components: panel.panelNames(scorers, writer),
    known: ({ country, text: { errors } }) => ({ country, errors, repetition }),
    ask: async ({ text }, signal) =>
      panel.shownScores(await panel.panelScores(scorers, text, signal, writer)),
    label: `repetition ${repetition}`,
  });
}

/** Points²: "ensemble scores with variance below 5 points", read as a variance. */
export const VARIANCE_BAR = 5;

/**
 * How far each component's scores of the same text lie apart, components in the order of the rows.
 * Texts are those scored at least twice; failures evaluations without a score; variance is the mean
 * over texts of the sample variance, in points²; `deviationUnderBar` is the share of texts whose
 * standard deviation is under 5 points: the other reading of the bar.
 */
export function repetitionSummaries(rows: readonly RepetitionRow[]) {
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
      variance: panel.estimated(`repetition/${component}`, items),
      largestVariance: largest(variances),
      largestRange: largest(ranges),
      underBar: under(VARIANCE_BAR),
      deviationUnderBar: under(VARIANCE_BAR ** 2),
    };
  });
}

/** The report's rows on repetition: variance by component, and how often it is under the bar. */
export function repetitionFigures(rows: readonly RepetitionRow[]) {
  const share = `texts with a variance under ${VARIANCE_BAR} points² (share)`;
  return repetitionSummaries(rows).flatMap(({ component, texts: n, variance, underBar }) => [
    { component, group: "all texts", n, measure: "variance of scores (points²)", value: variance },
    { component, group: "all texts", n, measure: share, value: underBar },
  ]);
}
