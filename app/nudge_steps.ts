import type { RunConfig } from "../lib/translation/run_config.ts";

/** How far keys move a score. */
export interface NudgeSteps {
  /** By an arrow key: a point, or a hundredth of a scale that knows fractions. */
  readonly small: number;
  /** With Shift: a tenth of the scale, and never less than the small step. */
  readonly big: number;
}

/** The steps that suit a scale: 1 and 10 on 0 … 100, only 1 on 0 … 10. */
export function nudgeSteps({ daMin, daMax, integerOnly }: RunConfig): NudgeSteps {
  const range = daMax - daMin;
  if (!integerOnly) return { small: range / 100, big: range / 10 };
  return { small: 1, big: Math.max(1, Math.round(range / 10)) };
}
