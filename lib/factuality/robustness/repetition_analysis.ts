import { mean, sampleVariance } from "simple-statistics";
import { clusterBootstrap, wilsonInterval } from "../../stats/intervals.ts";
import { randomSource } from "../../stats/random.ts";
import type { RepetitionRow } from "./repetition_rows.ts";

/** Points²: "ensemble scores with variance below 5 points", read as a variance. */
export const VARIANCE_BAR = 5;

/** How far one component's scores of the same text lie apart. */
export interface RepetitionSummary {
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

/** The scores of each text that has two or more. */
function scoresByText(rows: readonly RepetitionRow[]): readonly (readonly [string, number[]])[] {
  const groups = Map.groupBy(rows, ({ country, errors }) => `${country}, k = ${errors}`);
  return [...groups].map(([text, own]) =>
    [text, own.flatMap(({ score }) => score === "" ? [] : [score])] as const
  );
}

function summaryOf(component: string, rows: readonly RepetitionRow[]): RepetitionSummary {
  const all = scoresByText(rows);
  const texts = all.filter(([, scores]) => scores.length > 1);
  const items = texts.map(([cluster, scores]) => ({ cluster, value: sampleVariance(scores) }));
  const variances = items.map(({ value }) => value);
  const ranges = texts.map(([, scores]) => Math.max(...scores) - Math.min(...scores));
  const under = (bar: number) =>
    wilsonInterval(variances.filter((value) => value < bar).length, variances.length, 0.95);
  return {
    ...{ component, texts: texts.length, unscored: all.length - texts.length },
    ...{ failures: rows.filter(({ score }) => score === "").length, evaluations: rows.length },
    variance: clusterBootstrap({
      ...{ items, statistic: (values: readonly number[]) => mean([...values]) },
      ...{ resamples: 2_000, confidence: 0.95, random: randomSource(`repetition/${component}`) },
    }),
    largestVariance: variances.length === 0 ? undefined : Math.max(...variances),
    largestRange: ranges.length === 0 ? undefined : Math.max(...ranges),
    ...{ underBar: under(VARIANCE_BAR), deviationUnderBar: under(VARIANCE_BAR ** 2) },
  };
}
