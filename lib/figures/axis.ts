import type { NumberFormat } from "./measure.ts";

/** A line that marks no effect. */
export interface Reference {
  readonly value: number;
  readonly label: string;
}

/** An axis of values. */
export interface ValueAxis {
  readonly label: string;
  readonly format: NumberFormat;
  /** Ends of the axis, in the data's own units. */
  readonly domain: readonly [number, number];
  readonly reference?: Reference;
}
