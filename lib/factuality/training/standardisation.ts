/** What brings each feature to mean 0 and standard deviation 1. */
export interface Standardisation {
  readonly means: readonly number[];
  /** Standard deviations (n in the divisor); 1 for a feature that never varies. */
  readonly scales: readonly number[];
}

/**
 * Means and scales of the columns.
 * @throws {RangeError} without a row, or for rows of different lengths.
 */
export function standardisationOf(rows: readonly (readonly number[])[]): Standardisation {
  const width = rows[0]?.length;
  if (width === undefined) throw new RangeError("Cannot standardise: there is no row.");
  const uneven = rows.findIndex((row) => row.length !== width);
  if (uneven >= 0) {
    throw new RangeError(
      `Cannot standardise: row ${uneven} has ${rows[uneven]!.length} values, row 0 has ${width}.`,
    );
  }
  const columns = Array.from({ length: width }, (_, i) => i);
  const means = columns.map((i) => rows.reduce((sum, row) => sum + row[i]!, 0) / rows.length);
  const scales = columns.map((i) => {
    const squares = rows.reduce((sum, row) => sum + (row[i]! - means[i]!) ** 2, 0);
    const deviation = Math.sqrt(squares / rows.length);
    // Rounding alone leaves a hair of variation in a column of equal numbers.
    return deviation > 1e-9 ? deviation : 1;
  });
  return { means, scales };
}

/** A row in standard units. */
export function standardise(row: readonly number[], { means, scales }: Standardisation): number[] {
  return row.map((value, i) => (value - means[i]!) / scales[i]!);
}
