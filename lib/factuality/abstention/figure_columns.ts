import { z } from "zod";
import type { Interval } from "../../stats/intervals.ts";
import type { Unavailable } from "../../stats/unavailable.ts";

/** Columns of a figure with its 95 % interval; where there is none, the reason is. */
export const FIGURE_COLUMNS = ["n", "value", "low", "high", "reason"] as const;

const NUMBER = z.union([z.literal(""), z.coerce.number()]);

export const FIGURE_FIELDS = {
  /** Answers behind the figure. */
  n: z.coerce.number(),
  /** 0–1. */
  value: NUMBER,
  low: NUMBER,
  high: NUMBER,
  /** Why there is no value; empty where there is one. */
  reason: z.string(),
};

/** A figure as the fields of a row. */
export function figureFields(figure: Interval | Unavailable, n: number) {
  if (figure.kind === "unavailable") {
    return { n, value: "", low: "", high: "", reason: figure.reason } as const;
  }
  const { estimate: value, low, high } = figure;
  return { n, value, low, high, reason: "" } as const;
}
