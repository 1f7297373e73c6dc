/**
 * Experiment on repeated evaluation of the same texts, and the spread of scores (requirement 14).
 */
import { sampleVariance } from "simple-statistics";
import { mean, share } from "../../../stats/measure.ts";
import { randomSource } from "../../../stats/random.ts";
import { generatingJudge } from "../../../factuality/judges/generating_judge.ts";
import { FACTUALITY_PATHS } from "../../../factuality/paths.ts";
import type { Judge } from "../../../factuality/types.ts";
import { studyLadders, type TextLadder } from "./orders.ts";
import type { Round } from "../../../factuality/own/ask_round.ts";
import type { ComponentSettings } from "../../../factuality/own/component_answers.ts";
import * as panel from "./panel.ts";
import { type RepetitionRow, REPETITIONS } from "./tables.ts";

const TEXTS = 6;
const SEEDS = [1, 2, 3];
/** Temperature of the generating judge; at 0 it would repeat itself. */
const TEMPERATURE = 0.7;

/** Experiment that scores the same texts several times, each time in another order. */
export const REPEATED_SCORES: panel.Experiment<RepetitionRow> = {
  name: "repetitions",
  table: REPETITIONS,
  async *rounds(opened, run) {
    const texts = repeatedTexts(await studyLadders()).slice(0, TEXTS);
    // The study's table shows the written number; a user's judges keep their scoring.
    const isStudy = run.configuration === FACTUALITY_PATHS.configuration;
    const scoring = isStudy ? "written" : "expected";
    // The generating model was not calibrated: it counts only in the study's ensemble.
    const weight = isStudy ? 1 : 0;
    const drawing = { temperature: TEMPERATURE, ...!isStudy && { scoring } };
    const common = { ...panel.panelSettings(opened, run), ...drawing };
    for (const seed of SEEDS) {
      await using model = await panel.openWriter(run, { seed, temperature: TEMPERATURE });
      const unmeasured = { weight, measured: undefined, modelSha256: undefined };
      const options = { ...unmeasured, timeoutSeconds: panel.WRITING_TIMEOUT, scoring } as const;
      const writer = model && generatingJudge(model, opened.prompts, options);
      const settings = { ...common, ...model && !isStudy && { writerWeight: weight } };
      yield repetitionRound(texts, opened, writer, seed, settings);
    }
  },
  figures: (stored) => ({ repetitions: repetitionFigures(stored(REPETITIONS)) }),
};

/** One text of each ladder, with 0, 1, 2, 3, 0, … errors. */
export const repeatedTexts = (ladders: readonly TextLadder[]) =>
  ladders.map(({ country, texts }, at) => ({ country, text: texts[at % texts.length]! }));

/**
 * Makes the round of one repetition. The order changes each time, so that effects of the preceding
 * text are not mistaken for stability. @param writer A judge that samples with this repetition's
 * seed, if any.
 */
export const repetitionRound = (
  texts: ReturnType<typeof repeatedTexts>,
  scorers: panel.ScoringPanel,
  writer: Judge | undefined,
  repetition: number,
  settings: ComponentSettings,
): Round<RepetitionRow> => ({
  label: `repetition ${repetition}`,
  items: randomSource(`repetitions/${repetition}`).shuffle(texts).map((asked) => {
    const { country, text } = asked;
    const known = { country, errors: text.errors, repetition };
    return panel.scoredItem(known, asked, text, scorers, writer);
  }),
  components: panel.panelNames(scorers, writer),
  settings,
});

/**
 * Maximum variance in points²: "ensemble scores with variance below 5 points", read as a variance.
 */
const VARIANCE_BAR = 5;

export const VARIANCE = "variance of scores (points²)";

/**
 * Report rows on repetition, components in row order: the mean sample variance in points² of texts
 * scored at least twice, and the share below the bar.
 */
export const repetitionFigures = (rows: readonly RepetitionRow[]) =>
  panel.byComponent(rows).flatMap(([component, ofComponent]) => {
    const byText = Map.groupBy(ofComponent, ({ country, errors }) => `${country}, k = ${errors}`);
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
