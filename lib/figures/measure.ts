/** What a row or cell shows: a number with or without an interval, or that there is none. */
export type Measure =
  | {
    readonly kind: "interval";
    readonly estimate: number;
    readonly low: number;
    readonly high: number;
  }
  | { readonly kind: "value"; readonly estimate: number }
  | { readonly kind: "unavailable"; readonly reason: string };

/** A measure that can be drawn. */
export type Drawable = Exclude<Measure, { readonly kind: "unavailable" }>;

/** Narrows to what can be drawn. */
export function isDrawable(measure: Measure): measure is Drawable {
  return measure.kind !== "unavailable";
}

/** How numbers are written. Percentages are given as shares, 0.612, and written 61.2. */
export type NumberFormat = "percent" | "count" | "decimal";

/** A number as written in a figure, without unit. */
export function writeNumber(value: number, format: NumberFormat): string {
  const written = {
    percent: () => (100 * value).toFixed(1),
    count: () => String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ","),
    decimal: () => value.toFixed(2),
  }[format]();
  // A hyphen is too short for a minus beside digits.
  return written.replace(/^-0(\.0+)?$/, "0$1").replace("-", "−");
}

/** An estimate with its interval, where it has one: 60.0 [55.0, 65.0]. */
export function writeEstimate(measure: Drawable, format: NumberFormat): string {
  const estimate = writeNumber(measure.estimate, format);
  if (measure.kind === "value") return estimate;
  return `${estimate} [${writeNumber(measure.low, format)}, ${writeNumber(measure.high, format)}]`;
}

/** A number at an axis tick: whole percentages, decimals as short as they are. */
export function writeTick(value: number, format: NumberFormat): string {
  if (format === "percent") return String(Math.round(100 * value));
  if (format === "count") return writeNumber(value, "count");
  return String(Number(value.toFixed(6))).replace("-", "−");
}
