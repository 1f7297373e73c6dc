import { randomSource } from "../../stats/random.ts";
import type { Segment } from "./system_outputs.ts";

/** Which segments are rated. */
export interface SampleOptions {
  /** Public: it decides what is rated, never which system is which. */
  readonly seed: number | string;
  /** How many segments; undefined for all. */
  readonly items?: number | undefined;
  /** Draw windows of so many consecutive segments instead of whole documents. */
  readonly windowLength?: number | undefined;
}

/**
 * Draws documents, or windows of consecutive segments, in random order until there are as many
 * segments as wanted; the last one drawn is cut at its end to fit. Segments of a document stay
 * together and in order, so that a rater can read on; the order of documents is random.
 *
 * Throws RangeError unless `items` is a whole number from 1 to the number of segments, and
 * `windowLength` a whole number from 1.
 */
export function sampleSegments(
  segments: readonly Segment[],
  { seed, items = segments.length, windowLength = Infinity }: SampleOptions,
): Segment[] {
  if (!Number.isInteger(items) || items < 1 || items > segments.length) {
    throw new RangeError(`Cannot sample ${items} segments: there are ${segments.length}.`);
  }
  if (windowLength !== Infinity && (!Number.isInteger(windowLength) || windowLength < 1)) {
    throw new RangeError(`Cannot draw windows of ${windowLength} segments: whole numbers from 1.`);
  }
  const drawn = randomSource(seed).shuffle(unitsOf(segments, windowLength)).flat().slice(0, items);
  const order = new Map(segments.map((segment, index) => [segment, index]));
  return [...Map.groupBy(drawn, ({ document }) => document).values()]
    .flatMap((group) => group.toSorted((a, b) => order.get(a)! - order.get(b)!));
}

function unitsOf(segments: readonly Segment[], windowLength: number): Segment[][] {
  return [...Map.groupBy(segments, ({ document }) => document).values()].flatMap((document) => {
    const length = Math.min(windowLength, document.length);
    return Array.from(
      { length: Math.ceil(document.length / length) },
      (_, window) => document.slice(window * length, (window + 1) * length),
    );
  });
}
