import { type Standardisation, standardise } from "../standardisation.ts";

/** One claim as a head is taught it. */
export interface HeadRow {
  readonly input: readonly number[];
  /** Index of its class. */
  readonly label: number;
  /** How much it counts, > 0. */
  readonly weight: number;
}

/** The rows in standard units, in typed arrays. */
export interface TrainingTable {
  /** Row after row. */
  readonly inputs: Float64Array;
  readonly width: number;
  readonly labels: Uint8Array;
  readonly weights: Float64Array;
  readonly n: number;
}

/** @throws {RangeError} for a row of another width, or with a value that is not finite. */
export function trainingTable(
  rows: readonly HeadRow[],
  standardisation: Standardisation,
): TrainingTable {
  const width = standardisation.means.length;
  const inputs = new Float64Array(rows.length * width);
  rows.forEach(({ input, weight }, i) => {
    if (input.length !== width || !input.every(Number.isFinite) || !(weight > 0)) {
      throw new RangeError(
        `Cannot train a head: row ${i} has not ${width} finite numbers and a weight over 0.`,
      );
    }
    inputs.set(standardise(input, standardisation), i * width);
  });
  return {
    ...{ inputs, width },
    labels: Uint8Array.from(rows, ({ label }) => label),
    weights: Float64Array.from(rows, ({ weight }) => weight),
    n: rows.length,
  };
}
