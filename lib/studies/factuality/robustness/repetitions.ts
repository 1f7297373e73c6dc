/** Requirement 14: the same texts evaluated several times, and how far the scores lie apart. */
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
/** Of the writing judge: at 0 it would write the same each time. */
const TEMPERATURE = 0.7;

/** The same texts scored several times, in one more order each time. */
export const REPEATED_SCORES: panel.Experiment<RepetitionRow> = {
  name: "repetitions",
  table: REPETITIONS,
  async *rounds(opened, run) {
    const texts = repeatedTexts(await studyLadders()).slice(0, TEXTS);
    // The study's table shows what a written number is worth; a user's judges are asked as they are.
    const isStudy = run.configuration === FACTUALITY_PATHS.configuration;
    const scoring = isStudy ? "written" : "expected";
    // What the model writes was never measured: it counts in the study's ensemble alone.
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
  figures: (kept) => ({ repetitions: repetitionFigures(kept(REPETITIONS)) }),
};

/** One text of each ladder, with 0, 1, 2, 3, 0, … errors. */
export const repeatedTexts = (ladders: readonly TextLadder[]) =>
  ladders.map(({ country, texts }, at) => ({ country, text: texts[at % texts.length]! }));

/**
 * The texts evaluated once more, in another order each time, so that what a component keeps of the
 * text before cannot pass for steadiness.
 * @param writer A judge whose words are drawn, with this repetition's seed, if there is one.
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

/** Points²: "ensemble scores with variance below 5 points", read as a variance. */
const VARIANCE_BAR = 5;

export const VARIANCE = "variance of scores (points²)";

/**
 * The report's rows on repetition, components in the order of the rows: of the texts that were scored at
 * least twice the mean of the sample variances, in points², and the share that is under the bar.
 */
export const repetitionFigures = (rows: readonly RepetitionRow[]) =>
  panel.byComponent(rows).flatMap(([component, own]) => {
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
