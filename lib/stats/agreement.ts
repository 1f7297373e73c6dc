import { type Unavailable, unavailable } from "./unavailable.ts";

/** Two judges' right and wrong answers to the same items. */
export interface AgreementMatrix {
  readonly bothRight: number;
  readonly onlyFirst: number;
  readonly onlySecond: number;
  readonly bothWrong: number;
  readonly n: number;
}

/** Agreement beyond chance. */
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

/** How much a disagreement counts by the number of places between two labels: d, or d². */
export type KappaWeights = "linear" | "quadratic";

/**
 * The 2 × 2 table of two judges, item by item in the same order; its discordant cells are what
 * `exactMcNemar` takes. Throws RangeError if the lengths differ.
 */
export function agreementMatrix(
  first: readonly boolean[],
  second: readonly boolean[],
): AgreementMatrix {
  requireSameLength(first, second);
  const count = (a: boolean, b: boolean) =>
    first.filter((right, i) => right === a && second[i] === b).length;
  return {
    bothRight: count(true, true),
    onlyFirst: count(true, false),
    onlySecond: count(false, true),
    bothWrong: count(false, false),
    n: first.length,
  };
}

/**
 * Cohen's κ for two judges' labels of the same items (Cohen 1960, Educ. Psychol. Meas. 20, 37–46):
 * (observed − expected) / (1 − expected). Unavailable without items, or where both judges give one
 * and the same label throughout, for then κ is 0 / 0. Throws RangeError if the lengths differ.
 */
export function cohenKappa<Label extends string | number | boolean>(
  first: readonly Label[],
  second: readonly Label[],
): Kappa | Unavailable {
  requireSameLength(first, second);
  const n = first.length;
  if (n === 0) return unavailable("no items");
  if (new Set([...first, ...second]).size === 1) {
    return unavailable("both judges use one label only");
  }
  const agreed = first.filter((label, i) => label === second[i]).length;
  const tally = (labels: readonly Label[], label: Label) =>
    labels.filter((other) => other === label).length;
  // In whole numbers up to the division, so that equal tables give equal bits.
  const byChance = [...new Set(first)].reduce(
    (sum, label) => sum + tally(first, label) * tally(second, label),
    0,
  );
  const kappa = (agreed * n - byChance) / (n * n - byChance);
  return { kind: "kappa", kappa, observed: agreed / n, expected: byChance / (n * n), n };
}

/**
 * Weighted κ for two judges' labels on an ordered scale (Cohen 1968, Psychological Bulletin 70,
 * 213–220): 1 − the weighted disagreement that was observed over the one expected from the label
 * frequencies alone. Labels are places on the scale, whole numbers a step apart; a miss by one step
 * counts less than a miss by three. `observed` and `expected` are shares of agreement as in
 * {@link cohenKappa}, unweighted. With two labels it is Cohen's κ.
 *
 * Unavailable as {@link cohenKappa} is. Throws RangeError if the lengths differ or a label is no whole
 * number.
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

function requireSameLength(first: readonly unknown[], second: readonly unknown[]): void {
  if (first.length !== second.length) {
    throw new RangeError(
      `Cannot compare judges: they have ${first.length} and ${second.length} items.`,
    );
  }
}
