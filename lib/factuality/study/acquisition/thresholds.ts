import { z } from "zod";
import { readCsv } from "../../../files/csv.ts";
import { markdownTable } from "../../../figures/markdown_table.ts";
import type { Figure } from "../../../figures/render.ts";
import { scatterChart, type ScatterPoint } from "../../../figures/scatter_chart.ts";

/** Columns of `retrieval_thresholds.csv`, which `deno task bench thresholds` writes. */
export const THRESHOLD_COLUMNS = [
  "claims",
  "own_among_five",
  "minimum_share",
  "minimum_cosine",
  "present",
  "absent",
] as const;

/** What a pair of thresholds does. */
export interface ThresholdEffect {
  /** Claims of each kind. */
  readonly claims: number;
  /** Share of present claims whose own passage is among the five best, without thresholds. */
  readonly ownAmongFive: number;
  /** Least share of the claim's weight that a passage's words hold, 0–1. */
  readonly minimumShare: number;
  /** Least cosine of claim and passage, −1 to 1. */
  readonly minimumCosine: number;
  /** Share of claims about countries in the base that are given a passage. */
  readonly present: number;
  /** Share of claims about countries taken out of it that are given one all the same. */
  readonly absent: number;
}

const NUMBER = z.string().regex(/^-?\d+(\.\d+)?$/u).transform(Number);
const ROW = z.object({
  claims: NUMBER,
  own_among_five: NUMBER,
  minimum_share: NUMBER,
  minimum_cosine: NUMBER,
  present: NUMBER,
  absent: NUMBER,
});

/**
 * The thresholds as the bench measured them, in its order.
 * @throws {SyntaxError} for a damaged file, naming its line.
 */
export function readThresholds(path: string): readonly ThresholdEffect[] {
  const { rows, damaged } = readCsv(path, THRESHOLD_COLUMNS, (record): ThresholdEffect => {
    const row = ROW.parse(record);
    return {
      claims: row.claims,
      ownAmongFive: row.own_among_five,
      minimumShare: row.minimum_share,
      minimumCosine: row.minimum_cosine,
      present: row.present,
      absent: row.absent,
    };
  });
  const [first] = damaged;
  if (first === undefined) return rows;
  throw new SyntaxError(
    `Cannot read ${path}: line ${first.line} is none of it (${first.reason}). ` +
      "Make it anew: deno task bench thresholds",
  );
}

/** The retriever's own thresholds and their neighbours. */
export function thresholdTable(
  effects: readonly ThresholdEffect[],
  minimumShare: number,
): string {
  return markdownTable(
    ["cosine at least", "present: given a passage (%)", "absent: given one all the same (%)"],
    effects.filter((one) => one.minimumShare === minimumShare).map((one) => [
      one.minimumCosine < 0 ? "(any)" : one.minimumCosine,
      (100 * one.present).toFixed(1),
      (100 * one.absent).toFixed(1),
    ]),
  );
}

/** Each pair of thresholds as a point: how many claims find what is there, and what is not. */
export function thresholdFigure(
  effects: readonly ThresholdEffect[],
  minimumShare: number,
): Figure {
  const reranked = effects.filter((one) =>
    one.minimumShare === minimumShare && one.minimumCosine >= 0
  );
  const byWords = effects.filter((one) => one.minimumCosine < 0 && one.minimumShare > 0);
  const n = effects[0]?.claims ?? 0;
  const points = [
    ...reranked.map((one) => point("re-ranked: cosine at least", one.minimumCosine, one)),
    ...byWords.map((one) => point("words alone: share at least", one.minimumShare, one)),
  ];
  const lowest = Math.floor(10 * Math.min(...points.map(({ y }) => y))) / 10;
  const furthest = Math.ceil(10 * Math.max(...points.map(({ x }) => x))) / 10;
  return scatterChart({
    title: "What the thresholds of retrieval let through",
    subtitle: `${n} claims about countries in the knowledge base, ${n} about countries taken out`,
    alt: "Share of claims given a passage, about countries in the base (upwards) and countries " +
      "taken out of it (to the right), for thresholds of cosine and of words alone. At the same " +
      "share of claims rightly served, re-ranking by cosine serves fewer wrongly.",
    x: {
      label: "countries not in the base: given a passage (%)",
      format: "percent",
      domain: [0, furthest],
    },
    y: {
      label: "countries in the base: given a passage (%)",
      format: "percent",
      domain: [lowest, 1],
    },
    points,
  });
}

function point(series: string, threshold: number, effect: ThresholdEffect): ScatterPoint {
  return { series, label: String(threshold), x: effect.absent, y: effect.present };
}
