import type { TextSpan } from "../text_span.ts";

export type Severity = "low" | "medium" | "high";

/** From the least: a careless word, a stereotype, contempt or a call to harm. */
export const SEVERITIES: readonly Severity[] = ["low", "medium", "high"];

/** How a phrase is used, where that takes weight from it. */
export type FlagContext = "quoted" | "condemned" | "negated";

/** What one source holds against a phrase. */
export interface FlagReason {
  /** `word list`, `stereotype pattern`, or the judge's name. */
  readonly by: string;
  readonly reason: string;
  readonly severity: Severity;
  /** Undefined where the phrase is used plainly, and for judges, who weigh that themselves. */
  readonly context: FlagContext | undefined;
}

/** Words that are stereotyped or harmful, and who says so. */
export interface BiasFlag {
  /** As it stands in the text; the judge's own words where they do not stand there. */
  readonly phrase: string;
  /** Undefined where a judge's words do not stand in the text. */
  readonly span: TextSpan | undefined;
  /** Whom it concerns, as the word list has it; the empty string where nobody says. */
  readonly group: string;
  /** The highest of the reasons. */
  readonly severity: Severity;
  readonly reasons: readonly FlagReason[];
}

/** The higher of two. */
export function higher(one: Severity, other: Severity): Severity {
  return SEVERITIES.indexOf(one) >= SEVERITIES.indexOf(other) ? one : other;
}

/** The highest of the flags; undefined where nothing is flagged. */
export function highestSeverity(
  flags: readonly { readonly severity: Severity }[],
): Severity | undefined {
  return flags.map(({ severity }) => severity)
    .reduce<Severity | undefined>(
      (top, next) => top === undefined ? next : higher(top, next),
      undefined,
    );
}
