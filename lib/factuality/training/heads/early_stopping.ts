/** The best point so far, judged on rows that are not trained on. */
export interface EarlyStopping {
  /** Keeps the point if its loss is the least yet. @returns whether it is time to end. */
  observe(point: Float64Array, loss: number, iteration: number): boolean;
  /** @throws {RangeError} before the first observation. */
  best(): BestPoint;
}

export interface BestPoint {
  readonly point: Float64Array;
  readonly loss: number;
  readonly iteration: number;
}

/**
 * Ends once so many observations in a row brought nothing better than the best (patience; Goodfellow,
 * Bengio & Courville 2016, algorithm 7.1).
 * @param patience Observations without a better loss, ≥ 1.
 */
export function earlyStopping(patience: number): EarlyStopping {
  let best: BestPoint | undefined;
  let without = 0;
  return {
    observe(point, loss, iteration) {
      if (best === undefined || loss < best.loss) {
        best = { point: Float64Array.from(point), loss, iteration };
        without = 0;
      } else without++;
      return without >= patience;
    },
    best() {
      if (best === undefined) throw new RangeError("Cannot choose the best point: none was seen.");
      return best;
    },
  };
}
