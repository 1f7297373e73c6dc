/** One item (a claim, a patient) and what its raters called it. */
export interface RatedItem<Label extends string> {
  /** Unique; errors name it. */
  readonly id: string;
  /** One a rater who rated it, in any order. */
  readonly labels: readonly Label[];
  /** What the bootstrap resamples, e.g. the response of a claim; the item itself where left out. */
  readonly cluster?: string;
}

/** How often each label was given to one item, in the order of the labels. */
export type RatingCounts = readonly number[];

/**
 * Ratings of each item counted by label.
 *
 * @throws {RangeError} naming the item and rater, for a label that is none of `labels`: it is no
 * rating, it is a mistake in the data. Also for fewer than two labels, or the same one twice.
 */
export function ratingCounts<Label extends string>(
  items: readonly RatedItem<Label>[],
  labels: readonly Label[],
): readonly RatingCounts[] {
  if (new Set(labels).size !== labels.length || labels.length < 2) {
    throw new RangeError(
      `Cannot compare raters: ${
        labels.join(", ") || "no labels"
      }: name two labels or more, each once.`,
    );
  }
  return items.map((item) => countsOf(item, labels));
}

function countsOf<Label extends string>(
  { id, labels: given }: RatedItem<Label>,
  labels: readonly Label[],
): RatingCounts {
  const counts = labels.map(() => 0);
  given.forEach((label, rater) => {
    const place = labels.indexOf(label);
    if (place < 0) {
      throw new RangeError(
        `Cannot compare raters: rating ${rater + 1} of item ${id} is "${label}", none of ` +
          `${labels.join(", ")}. Correct it, or leave it out.`,
      );
    }
    counts[place]!++;
  });
  return counts;
}

/** How many ratings the item has. */
export function ratingsIn(counts: RatingCounts): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Ordered pairs of raters of the item who agree: Σ n (n − 1) over the labels. */
export function agreeingPairs(counts: RatingCounts): number {
  return counts.reduce((sum, count) => sum + count * (count - 1), 0);
}
