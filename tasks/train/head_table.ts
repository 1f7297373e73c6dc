import type { HeadMeasures, HeadWeights } from "../../lib/factuality/verifiers/head_weights.ts";
import { markdownTable } from "../../lib/figures/markdown_table.ts";

const FIGURES = [
  ["accuracy", "accuracy"],
  ["balanced accuracy", "balancedAccuracy"],
  ["precision of supported", "precision"],
  ["recall of supported", "recall"],
  ["F1 of supported", "f1"],
  ["Brier score", "brier"],
  ["calibration error", "calibrationError"],
] as const;

/** What was measured of a head on held-out claims, for the terminal. */
export function headTable({ heldOut, training }: HeadWeights): string {
  const { n, unscored, clusters } = heldOut;
  return [
    `Best at iteration ${training.bestIteration} of ${training.iterations}.`,
    `Held out: ${n} claims of ${clusters} clusters, ${unscored} unscored.`,
    "",
    markdownTable(
      ["", "held out [95 % by cluster]"],
      FIGURES.map(([name, key]) => [name, shown(heldOut[key])]),
    ),
  ].join("\n");
}

function shown(figure: HeadMeasures["accuracy"]): string {
  if ("unavailable" in figure) return `– (${figure.unavailable})`;
  const estimate = figure.estimate.toFixed(3);
  if ("noInterval" in figure) return `${estimate} (no interval: ${figure.noInterval})`;
  return `${estimate} [${figure.low.toFixed(3)}, ${figure.high.toFixed(3)}]`;
}
