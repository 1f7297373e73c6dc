import type { RunConfig } from "../run_config.ts";

/** Whether a score keeps every rule that concerns it alone: a number, whole if asked, in range. */
export function isSoundScore(da: number | string | undefined, config: RunConfig): da is number {
  return typeof da === "number" && da >= config.daMin && da <= config.daMax &&
    (!config.integerOnly || Number.isInteger(da));
}

/**
 * The next score strictly above (sign 1) or below (sign −1) a score: the next whole number, or, where
 * fractions are allowed, the next multiple of the power of ten that is about a thousandth of the
 * scale (0.1 on 0 … 100). It may lie outside the scale.
 */
export function nextScore(score: number, sign: 1 | -1, config: RunConfig): number {
  const perPoint = config.integerOnly
    ? 1
    : 10 ** (3 - Math.floor(Math.log10(config.daMax - config.daMin)));
  const steps = Math.floor(sign * score * perPoint);
  const next = (steps + 1) / perPoint;
  // 0.29 × 100 is 28.999…: its next multiple would be 0.29 itself.
  return sign * (next > sign * score ? next : (steps + 2) / perPoint);
}
