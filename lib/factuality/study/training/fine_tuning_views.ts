import type { Line } from "../../../figures/line_chart.ts";
import { markdownTable } from "../../../figures/markdown_table.ts";
import type { Measure } from "../../../figures/measure.ts";
import type { MeasuredRow } from "../../../figures/measured_rows.ts";
import type { ComponentComparison } from "../../evaluation/component_comparison.ts";
import type { LossRow } from "../../fine_tuning/loss_table.ts";
import type { FineTuningResult } from "../../fine_tuning/results_table.ts";
import { heldOutRows } from "../evaluation/comparison_views.ts";
import { writtenMeasure } from "../robustness/written_measure.ts";

/** The models of the table, as `deno task finetune` names them. */
export const NETWORK = {
  fineTuned: "fine-tuned cross-encoder",
  frozen: "frozen MiniLM with trained head",
  claimsAlone: "fine-tuned on claims alone",
  shipped: "trained head",
} as const;

/** Names that fit beside a figure. */
const SHORT: Readonly<Record<string, string>> = {
  [NETWORK.fineTuned]: "fine-tuned",
  [NETWORK.frozen]: "encoder frozen",
  [NETWORK.claimsAlone]: "claims alone",
  [NETWORK.shipped]: "shipped verifier",
};

type Rows = readonly FineTuningResult[];

/** A figure of the table as it is drawn and written. */
export function resultMeasure(
  { estimate, low, high, note }: Pick<FineTuningResult, "estimate" | "low" | "high" | "note">,
): Measure {
  if (estimate === "") return { kind: "unavailable", reason: note };
  if (low === "" || high === "") return { kind: "value", estimate };
  return { kind: "interval", estimate, low, high };
}

/** One metric: a row a set, a column a model. */
export function fineTuningTable(
  rows: Rows,
  { labels, metric }: Pick<FineTuningResult, "labels" | "metric">,
): string {
  const own = rows.filter((row) => row.labels === labels && row.metric === metric);
  const models = modelsOf(own);
  return markdownTable(
    ["claims", "n", ...models],
    [...Map.groupBy(own, ({ set }) => set)].map(([set, ofSet]) => [
      ...[set, Math.max(...ofSet.map(({ n }) => n))],
      ...models.map((model) => {
        const found = ofSet.find((row) => row.model === model);
        return found && writtenMeasure(resultMeasure(found), "decimal");
      }),
    ]),
  );
}

/** Rows of a forest plot: one metric of every model, under the set's name; the subset is left out. */
export function fineTuningRows(
  rows: Rows,
  { labels, metric }: Pick<FineTuningResult, "labels" | "metric">,
): readonly MeasuredRow[] {
  const own = rows.filter((row) =>
    row.labels === labels && row.metric === metric && !row.set.endsWith(SUBSET)
  );
  return [...Map.groupBy(own, ({ set }) => set)].flatMap(([group, ofSet]) =>
    ofSet.map((row) => ({
      ...{ group, label: SHORT[row.model] ?? row.model },
      measure: resultMeasure(row),
    }))
  );
}

/** Trained models on all held-out claims, then every component on a draw of them. */
export function everybodyRows(
  rows: Rows,
  [all]: readonly ComponentComparison[],
): readonly MeasuredRow[] {
  const own = fineTuningRows(rows, { labels: "binary", metric: "balanced accuracy" })
    .filter(({ group }) => group === HELD_OUT);
  const n = rows.find(({ set }) => set === HELD_OUT)?.n;
  const drawn = all === undefined ? [] : heldOutRows(all);
  return [
    ...own.map((row) => ({ ...row, group: `all ${n} claims` })),
    ...drawn.map((row) => ({ ...row, group: `${all!.claims} of them` })),
  ];
}

/** Held-out claims without those few that stand in the training in the same words. */
const SUBSET = "of words not learnt from";
const HELD_OUT = "factbook claims, test";

/** What a training took, and how near the file's answers are to PyTorch's. */
export function tuningWorkTable(rows: Rows): string {
  const own = rows.filter(({ set }) => set === "training");
  const models = modelsOf(own);
  return markdownTable(
    ["measured", ...models],
    [...Map.groupBy(own, ({ metric }) => metric)].map(([metric, ofMetric]) => [
      metric,
      ...models.map((model) => ofMetric.find((row) => row.model === model)?.estimate),
    ]),
  );
}

function modelsOf(rows: Rows): readonly string[] {
  return [...new Set(rows.map(({ model }) => model))];
}

/**
 * Loss by step, two lines a model: of the batches since the evaluation before, in the mean, and of the
 * development split.
 */
export function tuningLossLines(
  rows: readonly LossRow[],
  models: readonly string[],
): readonly Line[] {
  return models.flatMap((model) => {
    const own = rows.filter((row) => row.model === model);
    const development = own.filter(({ split }) => split === "development");
    const points = (values: readonly Pick<LossRow, "step" | "loss">[]) =>
      values.map(({ step, loss }) => ({
        x: step,
        measure: { kind: "value", estimate: loss } as const,
      }));
    if (own.length === 0) return [];
    return [
      { label: `${SHORT[model] ?? model}, training`, points: points(meanLosses(own, development)) },
      { label: `${SHORT[model] ?? model}, development`, points: points(development) },
    ];
  });
}

function meanLosses(rows: readonly LossRow[], evaluations: readonly LossRow[]) {
  const training = rows.filter(({ split }) => split === "train");
  return evaluations.flatMap(({ step }, i) => {
    const from = evaluations[i - 1]?.step ?? 0;
    const own = training.filter((row) => row.step > from && row.step <= step);
    if (own.length === 0) return [];
    return [{ step, loss: own.reduce((sum, { loss }) => sum + loss, 0) / own.length }];
  });
}
