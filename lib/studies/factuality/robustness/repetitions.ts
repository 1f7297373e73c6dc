/** Requirement 14: the same texts evaluated several times, and how far the scores lie apart. */
import { sampleVariance } from "simple-statistics";
import { mean, share } from "../../../stats/measure.ts";
import { randomSource } from "../../../stats/random.ts";
import { generatingJudge } from "../../../factuality/judges/generating_judge.ts";
import { FACTUALITY_PATHS } from "../../../factuality/paths.ts";
import type { Judge } from "../../../factuality/types.ts";
import { type LadderText, studyLadders, type TextLadder } from "./orders.ts";
import { openPanel } from "../../../factuality/own/component_groups.ts";
import * as panel from "./panel.ts";
import { type RepetitionRow, REPETITIONS } from "./tables.ts";

const TEXTS = 6;
const SEEDS = [1, 2, 3];
/** Of the writing judge: at 0 it would write the same each time. */
const TEMPERATURE = 0.7;

/** Asks what of this experiment is not answered yet. @returns whether all is answered by now. */
export async function askRepetitions(run: panel.ExperimentRun): Promise<boolean> {
  const texts = repeatedTexts(await studyLadders()).slice(0, TEXTS);
  await using opened = await openPanel(run);
  // The study's table tells what a number that is written is worth; one's own judges are asked as they are.
  const isStudy = run.configuration === FACTUALITY_PATHS.configuration;
  const scoring = isStudy ? "written" : "expected";
  // Nobody has measured what the model writes: it counts in the study's ensemble alone.
  const weight = isStudy ? 1 : 0;
  const drawing = { temperature: TEMPERATURE, ...!isStudy && { scoring } };
  const told = { ...panel.panelSettings(opened, run), ...drawing };
  for (const seed of SEEDS) {
    await using model = await panel.openWriter(run, { seed, temperature: TEMPERATURE });
    const settings = { ...told, ...model && !isStudy && { writerWeight: weight } };
    const keeping = panel.keepingOf(run, REPETITIONS, settings);
    const unmeasured = { weight, measured: undefined, modelSha256: undefined };
    const options = { ...unmeasured, timeoutSeconds: panel.WRITING_TIMEOUT, scoring } as const;
    const writer = model && generatingJudge(model, opened.prompts, options);
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
export const repeatScores = (
  texts: readonly { readonly country: string; readonly text: LadderText }[],
  scorers: panel.ScoringPanel,
  writer: Judge | undefined,
  repetition: number,
  keeping: panel.Keeping<RepetitionRow>,
): Promise<boolean> =>
  panel.askPanel(keeping, {
    items: randomSource(`repetitions/${repetition}`).shuffle(texts),
    components: panel.panelNames(scorers, writer),
    known: ({ country, text: { errors } }) => ({ country, errors, repetition }),
    ask: async ({ text }, signal) =>
      panel.shownScores(await panel.panelScores(scorers, text, signal, writer)),
    label: `repetition ${repetition}`,
  });

/** Points²: "ensemble scores with variance below 5 points", read as a variance. */
const VARIANCE_BAR = 5;

export const VARIANCE = "variance of scores (points²)";

/**
 * The report's rows on repetition, components in the order of the rows: of the texts that were scored at
 * least twice the mean of the sample variances, in points², and the share that is under the bar.
 */
export const repetitionFigures = (rows: readonly RepetitionRow[]) =>
  [...Map.groupBy(rows, ({ component }) => component)].flatMap(([component, own]) => {
    const byText = Map.groupBy(own, ({ country, errors }) => `${country}, k = ${errors}`);
    const items = [...byText].flatMap(([cluster, same]) => {
      const scores = same.flatMap(({ score }) => score === "" ? [] : [score]);
      return scores.length > 1 ? [{ cluster, value: sampleVariance(scores) }] : [];
    });
    const common = { component, group: "all texts", n: items.length };
    const under = items.map((one) => ({ ...one, value: one.value < VARIANCE_BAR }));
    const ofTexts = `texts with a variance under ${VARIANCE_BAR} points² (share)`;
    return [
      { ...common, measure: VARIANCE, value: mean(items, [0, Infinity]) },
      { ...common, measure: ofTexts, value: share(under) },
    ];
  });
