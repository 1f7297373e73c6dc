import {
  isDrawable,
  type Measure,
  type NumberFormat,
  writeEstimate,
} from "../../../figures/measure.ts";

/** A measure as a table's cell: the estimate with its interval, or a dash with the reason. */
export function writtenMeasure(measure: Measure, format: NumberFormat): string {
  return isDrawable(measure) ? writeEstimate(measure, format) : `– (${measure.reason})`;
}

/** Points with one digit would hide what moves by hundredths: two, as the figures have. */
export function writtenPoints(value: number | undefined): string | undefined {
  return value === undefined ? undefined : value.toFixed(2);
}
