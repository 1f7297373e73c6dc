import { overlaps } from "../text_span.ts";
import { type BiasFlag, higher } from "./flag.ts";

function concernSame(one: BiasFlag, other: BiasFlag): boolean {
  if (one.span === undefined || other.span === undefined) {
    return one.span === other.span && one.phrase === other.phrase;
  }
  return overlaps(one.span, other.span);
}

function united(text: string, one: BiasFlag, other: BiasFlag): BiasFlag {
  const span = one.span && other.span && {
    start: Math.min(one.span.start, other.span.start),
    end: Math.max(one.span.end, other.span.end),
  };
  return {
    phrase: span ? text.slice(span.start, span.end) : one.phrase,
    span,
    group: one.group || other.group,
    severity: higher(one.severity, other.severity),
    reasons: [...one.reasons, ...other.reasons],
  };
}

/**
 * Flags of all sources as one list in the order of the text, those that overlap made one with every
 * reason kept; what stands nowhere in the text comes last.
 */
export function mergeFlags(text: string, flags: readonly BiasFlag[]): readonly BiasFlag[] {
  const place = ({ span }: BiasFlag) => span?.start ?? Infinity;
  const ordered = flags.toSorted((one, other) => place(one) - place(other) || 0);
  const merged: BiasFlag[] = [];
  for (const flag of ordered) {
    const at = merged.findIndex((earlier) => concernSame(earlier, flag));
    if (at === -1) merged.push(flag);
    else merged[at] = united(text, merged[at]!, flag);
  }
  return merged;
}
