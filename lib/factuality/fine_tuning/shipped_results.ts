import type { HumanLabelledRow } from "../study/evaluation/human_labelled.ts";
import type { TrainingResult } from "../study/evaluation/training_results.ts";
import type { FineTuningResult } from "./results_table.ts";

const MODEL = "trained head";
const VERIFIER = "trained verifier";

/** The verifier that ships on the same held-out claims, as `deno task verifier` measured it. */
export function shippedTestResults(
  results: readonly TrainingResult[],
): readonly FineTuningResult[] {
  return results.filter(({ verifier }) => verifier === VERIFIER).flatMap((row) => {
    const { set, reading: labels, n, clusters } = row;
    const common = { ...{ model: MODEL, set, labels, n, clusters }, note: "verifier_training.csv" };
    return [
      { ...common, metric: "accuracy", estimate: row.accuracy, low: "", high: "" },
      {
        ...{ ...common, metric: "balanced accuracy" },
        ...{ estimate: row.balanced_accuracy, low: row.low, high: row.high },
      },
      { ...common, metric: "calibration error", ...point(row.calibration_error) },
      { ...common, metric: "Brier score", ...point(row.brier) },
    ] as const;
  });
}

function point(estimate: number) {
  return { estimate, low: "", high: "" } as const;
}

/** The verifier that ships on the human-labelled claims, as `deno task compare --human` measured it. */
export function shippedHumanResults(
  results: readonly HumanLabelledRow[],
  sets: readonly string[],
): readonly FineTuningResult[] {
  const own = results.filter(({ set, cases, component }) =>
    component === VERIFIER && cases === "all" && sets.includes(set)
  );
  return own.flatMap((row): readonly FineTuningResult[] => {
    const { set, n, clusters } = row;
    const common = { model: MODEL, set, labels: "binary", n, clusters } as const;
    const note = "human_labelled.csv";
    const bounds = (name: "accuracy" | "balanced_accuracy" | "precision" | "recall") => ({
      ...common,
      ...{ metric: name.replace("_", " "), estimate: row[name], note },
      ...{ low: row[`${name}_low`], high: row[`${name}_high`] },
    });
    return [
      ...(["accuracy", "balanced_accuracy", "precision", "recall"] as const).map(bounds),
      {
        ...{ ...common, metric: "calibration error", note },
        ...{ estimate: row.calibration_error, low: "", high: "" },
      },
    ];
  });
}
