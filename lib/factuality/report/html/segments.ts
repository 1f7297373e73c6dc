import type { TextSpan } from "../../text_span.ts";

/** A stretch that belongs to something, by its number. */
export interface Mark extends TextSpan {
  readonly of: number;
}

/** A stretch of text that no mark begins or ends within. */
export interface Segment extends TextSpan {
  readonly text: string;
  /** Numbers of the marks' owners that cover it, ascending, each once; empty outside all marks. */
  readonly of: readonly number[];
}

/**
 * Cuts a text where marks begin and end, so that marks that overlap can be shown: the segments
 * together are the text, and none is empty. Marks are cut to the text; empty ones cover nothing.
 */
export function segmentsOf(text: string, marks: readonly Mark[]): readonly Segment[] {
  const inside = marks
    .map(({ start, end, of }) => ({
      of,
      start: Math.max(0, start),
      end: Math.min(text.length, end),
    }))
    .filter(({ start, end }) => start < end);
  const cuts = new Set([0, text.length, ...inside.flatMap(({ start, end }) => [start, end])]);
  const places = [...cuts].sort((a, b) => a - b);
  return places.slice(1).map((end, index) => {
    const start = places[index]!;
    const covering = inside.filter((mark) => mark.start <= start && mark.end >= end);
    const of = [...new Set(covering.map((mark) => mark.of))].sort((a, b) => a - b);
    return { start, end, text: text.slice(start, end), of };
  });
}
