import type { Figure } from "../../../figures/render.ts";
import { scatterChart, type ScatterPoint } from "../../../figures/scatter_chart.ts";
import type { ThresholdEffect } from "./thresholds.ts";

/**
 * Each threshold of the cosine as a point: how many claims about countries in the base are given
 * the passage they were made from, true ones and false ones, and how many about others are given any.
 */
export function thresholdFigure(
  effects: readonly ThresholdEffect[],
  minimumShare: number,
): Figure {
  const reranked = effects.filter((one) =>
    one.minimumShare === minimumShare && one.minimumCosine >= 0
  );
  const points = reranked.flatMap((one) => [
    point("true claims", one, one.presentOwn),
    point("another country's value", one, one.wrongOwn),
  ]);
  const lowest = Math.floor(10 * Math.min(...points.map(({ y }) => y))) / 10;
  const furthest = Math.ceil(10 * Math.max(...points.map(({ x }) => x))) / 10;
  return scatterChart({
    title: "What the threshold of the cosine lets through",
    subtitle: `${effects[0]?.claims} claims of each kind; beside each point, the threshold`,
    alt:
      "Share of claims that are given the passage they were made from (upwards), true ones and " +
      "ones with another country's value, against the share of claims about countries that are " +
      "not in the knowledge base and are given a passage all the same (to the right), a point a " +
      "threshold of the cosine. The lower the threshold, the more of both.",
    x: { label: "country not in the base: given a passage (%)", ...percent(0, furthest) },
    y: { label: "country in the base: given its own passage (%)", ...percent(lowest, 1) },
    points,
  });
}

function percent(low: number, high: number) {
  return { format: "percent", domain: [low, high] } as const;
}

function point(series: string, effect: ThresholdEffect, y: number): ScatterPoint {
  return { series, label: String(effect.minimumCosine), x: effect.absent, y };
}
