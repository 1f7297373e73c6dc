/** Agreement of two raters beyond chance. */
export interface Kappa {
  readonly kind: "kappa";
  /** Cohen's κ: 1 = full, 0 = as by chance, below 0 = less than by chance. */
  readonly kappa: number;
  /** Share of items on which the two agree. */
  readonly observed: number;
  /** Share expected from their label frequencies alone. */
  readonly expected: number;
  readonly n: number;
}

/** Weights of disagreements between labels d steps apart: d or d². */
export type KappaWeights = "linear" | "quadratic";

/**
 * Computes Cohen's κ for two raters' labels of the same items.
 *
 * (observed − expected) / (1 − expected) (Cohen 1960, Educ. Psychol. Meas. 20, 37–46). Unavailable
 * without items, or where both raters give one and the same label throughout, for then κ is 0 / 0.
 * Throws RangeError if the lengths differ.
 */
export function cohenKappa<Label extends string | number | boolean>(
  first: readonly Label[],
  second: readonly Label[],
): Kappa | Unavailable {
  const n = first.length;
  if (n !== second.length) {
    throw new RangeError(`Cannot compare judges: they have ${n} and ${second.length} items.`);
  }
  if (n === 0) return unavailable("no items");
  if (new Set([...first, ...second]).size === 1) {
    return unavailable("both judges use one label only");
  }
  const agreed = first.filter((label, i) => label === second[i]).length;
  const [own, other] = [first, second].map((labels) => Map.groupBy(labels, (label) => label));
  // In whole numbers up to the division, so that equal tables give equal bits.
  const byChance = own!.entries().reduce(
    (sum, [label, given]) => sum + given.length * (other!.get(label)?.length ?? 0),
    0,
  );
  const kappa = (agreed * n - byChance) / (n * n - byChance);
  return { kind: "kappa", kappa, observed: agreed / n, expected: byChance / (n * n), n };
}

/**
 * Computes weighted κ for two raters' labels on an ordinal scale.
 *
 * κ = 1 − observed / expected weighted disagreement, where the latter is computed from the label
 * frequencies (Cohen 1968, Psychological Bulletin 70, 213–220). Labels are integers, one step
 * apart; near misses have less weight than far ones. `observed` and `expected` are unweighted
 * shares of agreement as in {@link cohenKappa}. With two labels it equals Cohen's κ.
 *
 * Unavailable as {@link cohenKappa} is. Throws RangeError for unequal lengths or a label that is no
 * integer.
 */
export function weightedKappa(
  first: readonly number[],
  second: readonly number[],
  weights: KappaWeights,
): Kappa | Unavailable {
  const wrong = [...first, ...second].find((label) => !Number.isInteger(label));
  if (wrong !== undefined) throw new RangeError(`Cannot compare judges: ${wrong} is no place.`);
  const plain = cohenKappa(first, second);
  if (plain.kind === "unavailable") return plain;
  const power = weights === "linear" ? 1 : 2;
  const weight = (one: number, other: number) => Math.abs(one - other) ** power;
  const { n } = plain;
  const observed = first.reduce((sum, label, i) => sum + weight(label, second[i]!), 0);
  const expected = first.reduce(
    (sum, label) => sum + second.reduce((inner, other) => inner + weight(label, other), 0),
    0,
  );
  // Whole numbers up to the division, as above.
  return { ...plain, kappa: (expected - observed * n) / expected };
}

/** Verbal band of a kappa. */
export type AgreementBand = "poor" | "fair" | "moderate" | "substantial" | "almost perfect";

/**
 * Names the band of a kappa: poor, fair, moderate, substantial or almost perfect.
 *
 * Poor below 0.2, fair from 0.2, moderate from 0.4, substantial from 0.6 to 0.8, almost perfect
 * above 0.8. A convention and no test (after Landis & Koch 1977, Biometrics 33, 159–174, whose two
 * lowest bands are one here).
 *
 * @throws {RangeError} for anything but a finite number up to 1.
 */
export function agreementBand(kappa: number): AgreementBand {
  if (!(Number.isFinite(kappa) && kappa <= 1)) {
    throw new RangeError(`Cannot name an agreement: ${kappa} is no kappa.`);
  }
  if (kappa < 0.2) return "poor";
  if (kappa < 0.4) return "fair";
  if (kappa < 0.6) return "moderate";
  return kappa <= 0.8 ? "substantial" : "almost perfect";
}

/** An item with its raters' labels. */
export interface RatedItem<Label extends string> {
  /** Unique id, named in errors. */
  readonly id: string;
  /** Labels, one per rater of the item, in any order. */
  readonly labels: readonly Label[];
}

/** Counts of one item's ratings in label order. */
export type RatingCounts = readonly number[];

/**
 * Counts the ratings of each item by label.
 *
 * @throws {RangeError} naming the item and rater for an unknown label. Also for fewer than two
 * labels, or duplicates.
 */
export function ratingCounts<Label extends string>(
  items: readonly RatedItem<Label>[],
  labels: readonly Label[],
): readonly RatingCounts[] {
  if (new Set(labels).size !== labels.length || labels.length < 2) {
    const given = labels.join(", ") || "no labels";
    throw new RangeError(`Cannot compare raters: ${given}: name two labels or more, each once.`);
  }
  return items.map(({ id, labels: given }) => {
    const counts = labels.map(() => 0);
    for (const [rater, label] of given.entries()) {
      const place = labels.indexOf(label);
      if (place < 0) {
        throw new RangeError(
          `Cannot compare raters: rating ${rater + 1} of item ${id} is "${label}", none of ` +
            `${labels.join(", ")}. Correct it, or leave it out.`,
        );
      }
      counts[place]!++;
    }
    return counts;
  });
}

/** Returns the number of ratings of an item. */
export const ratingCount = (counts: RatingCounts) => counts.reduce((sum, count) => sum + count, 0);

/** Counts ordered pairs of raters who agree: Σ n (n − 1) over the labels. */
export function agreeingPairs(counts: RatingCounts): number {
  return counts.reduce((sum, count) => sum + count * (count - 1), 0);
}

/** Reason for a value that the data cannot give. It replaces the number. */
export interface Unavailable {
  readonly kind: "unavailable";
  /** Reason in a few words, shown instead of the number. */
  readonly reason: string;
}

/** Builds an {@link Unavailable}. */
export function unavailable(reason: string): Unavailable {
  return { kind: "unavailable", reason };
}

/** Returns every unordered pair of items. */
export function unorderedPairs<T>(items: readonly T[]): readonly (readonly [T, T])[] {
  return items.flatMap((one, index) =>
    items.slice(index + 1).map((other) => [one, other] as const)
  );
}

/**
 * Returns the connected components of a graph with `count` nodes (union–find). Each node has the
 * first node of its component.
 */
export function connectedComponents(count: number, pairs: Iterable<readonly [number, number]>) {
  const parents = Array.from({ length: count }, (_, at) => at);
  const rootOf = (at: number): number => {
    while (parents[at] !== at) at = parents[at] = parents[parents[at]!]!;
    return at;
  };
  for (const [one, other] of pairs) {
    const [a, b] = [rootOf(one), rootOf(other)];
    // The lower becomes the root, so that groups keep the order of their first members.
    parents[Math.max(a, b)] = Math.min(a, b);
  }
  return parents.map((_, at) => rootOf(at));
}
