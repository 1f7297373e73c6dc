import { mean } from "simple-statistics";
import { markdownTable } from "../../../figures/markdown_table.ts";
import { writeNumber } from "../../../figures/measure.ts";
import type { Figure } from "../../../figures/render.ts";
import { stripPlot } from "../../../figures/strip_plot.ts";
import { PALETTE } from "../../../figures/theme.ts";
import type { BootstrapInterval } from "../../../stats/intervals.ts";
import type { Unavailable } from "../../../stats/unavailable.ts";
import { HIGH_UNCERTAINTY } from "../../../stats/uncertainty_decomposition.ts";
import type { MetricAgreementRow } from "./metric_agreement.ts";
import type { QuestionUncertainty } from "./question_uncertainty.ts";
import type { UncertaintySummary } from "./uncertainty_summary.ts";

function interval(value: BootstrapInterval | Unavailable): string {
  if (value.kind === "unavailable") return `– (${value.reason})`;
  const [estimate, low, high] = [value.estimate, value.low, value.high]
    .map((share) => writeNumber(share, "decimal"));
  return `${estimate} [${low}, ${high}]`;
}

function figure(value: number | Unavailable): string {
  return typeof value === "number" ? value.toFixed(2) : `– (${value.reason})`;
}

/** How good the answers are, model by model. */
export function answersTable(summaries: readonly UncertaintySummary[]): string {
  return markdownTable(
    ["model", "questions", "countries", "thoughts each", "accuracy", "Brier", "calibration error"],
    summaries.map((one) => [
      ...[one.model, one.questions, one.clusters, one.samples],
      ...[interval(one.accuracy), interval(one.brier), figure(one.calibrationError)],
    ]),
  );
}

/** Whether each measure tells a model's wrong answers from its right ones. */
export function separationTable(summaries: readonly UncertaintySummary[]): string {
  return markdownTable(
    [
      ...["model", "uncertainty", "mean, right", "mean, wrong"],
      ...["area under the curve", `share above ${HIGH_UNCERTAINTY}`],
    ],
    summaries.flatMap(({ model, measures }) =>
      measures.map(({ name, meanRight, meanWrong, area, high }) => [
        ...[model, name, figure(meanRight), figure(meanWrong)],
        ...[interval(area), high.kind === "unavailable" ? undefined : interval(high)],
      ])
    ),
  );
}

/** The calibration curve of the mean probabilities, model by model; empty bins are left out. */
export function calibrationTable(summaries: readonly UncertaintySummary[]): string {
  return markdownTable(
    ["model", "confidence", "answers", "mean confidence", "share right"],
    summaries.flatMap(({ model, calibration }) =>
      calibration.filter(({ n }) => n > 0).map(({ low, high, n, meanConfidence, share }) => [
        ...[model, `${low.toFixed(1)} to ${high.toFixed(1)}`, n],
        ...[meanConfidence!.toFixed(2), share!.toFixed(2)],
      ])
    ),
  );
}

/** Right answers and mean total uncertainty by kind of question: where a model is wrong for certain. */
export function kindsTable(questions: readonly QuestionUncertainty[]): string {
  const groups = Map.groupBy(questions, ({ model, kind }) => JSON.stringify([kind, model]));
  return markdownTable(
    ["questions about", "model", "answers", "right", "mean total uncertainty"],
    [...groups].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, own]) => {
      const totals = own.map(({ byEntropy }) =>
        byEntropy.kind === "uncertainty" ? byEntropy.normalised.total : undefined
      ).filter((total) => total !== undefined);
      const rights = own.filter(({ right }) => right).length;
      return [
        ...[own[0]!.kind, own[0]!.model, own.length, rights],
        totals.length === 0 ? undefined : writeNumber(mean(totals), "decimal"),
      ];
    }),
  );
}

/** Every answer's total uncertainty by entropy, right and wrong ones apart. */
export function uncertaintyFigure(questions: readonly QuestionUncertainty[]): Figure {
  const rows = [...Map.groupBy(questions, ({ model }) => model)].flatMap(([group, own]) =>
    [true, false].map((right) => ({
      group,
      label: right ? "right" : "wrong",
      values: own.filter((question) => question.right === right).flatMap(({ byEntropy }) =>
        byEntropy.kind === "uncertainty" ? [byEntropy.normalised.total] : []
      ),
      color: right ? PALETTE.blue : PALETTE.orange,
    }))
  );
  return stripPlot({
    title: "Uncertainty of right and wrong answers",
    subtitle: "a stroke an answer, a dot the median",
    alt:
      "Total uncertainty of each answer as a share of the greatest, for right and wrong answers " +
      `of each model, with a line at ${HIGH_UNCERTAINTY}.`,
    axis: {
      ...{ label: "H(mean p) / ln 4", format: "decimal", domain: [0, 1] },
      reference: { value: HIGH_UNCERTAINTY, label: "high" },
    },
    rows,
  });
}

/** Our statistics against Python's: how far apart, and the ratio of times. */
export function metricAgreementTable(rows: readonly MetricAgreementRow[]): string {
  return markdownTable(
    ["metric", "reference", "numbers", "largest difference", "undefined", "ours / theirs, time"],
    rows.map((row) => [
      ...[row.metric, `${row.reference} ${row.version}`, row.compared],
      row.largest_difference === 0 ? "0" : row.largest_difference.toExponential(1),
      ...[row.degenerate, row.ratio.toPrecision(2)],
    ]),
  );
}
