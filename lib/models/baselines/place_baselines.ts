import type { PlaceBaseline } from "./baseline.ts";

/**
 * Tosses a coin.
 *
 * @param next A source of numbers in [0, 1); seeded, for the same bytes in every run.
 */
export function randomBaseline(next: () => number): PlaceBaseline {
  return { name: "random", prefer: () => next() < 0.5 ? "first" : "second" };
}

/** Prefers whatever stands first: half right when both orders are asked. */
export const ALWAYS_FIRST: PlaceBaseline = { name: "always_a", prefer: () => "first" };

function characters(text: string): number {
  return [...text.normalize("NFC")].length;
}

/** Prefers the text with fewer characters (Unicode code points, composed where that is possible). */
export const ALWAYS_SHORTER: PlaceBaseline = {
  name: "always_shorter",
  prefer(first, second) {
    const difference = characters(first) - characters(second);
    if (difference === 0) return "tie";
    return difference < 0 ? "first" : "second";
  },
};
