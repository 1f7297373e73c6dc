import * as Plot from "@observablehq/plot";
import type { ValueAxis } from "./axis.ts";
import { INK } from "./theme.ts";

/** The line on which x equals y, as far as both axes reach. */
export function identityLine(x: ValueAxis, y: ValueAxis): Plot.Markish {
  const ends = [Math.max(x.domain[0], y.domain[0]), Math.min(x.domain[1], y.domain[1])];
  return Plot.line(ends, { x: (v) => v, y: (v) => v, stroke: INK.muted, strokeWidth: 0.9 });
}
