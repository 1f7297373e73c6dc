import type { CaseLabel } from "../cases/labelled_case.ts";
import {
  VERDICT_LABELS,
  type VerdictLabel,
  type VerdictProbabilities,
} from "../verdicts/verdict.ts";

/** Whether a head tells refuted from not enough info, or supported from the rest. */
export type LabelScheme = "binary" | "three-way";

export const LABEL_SCHEMES: readonly LabelScheme[] = ["binary", "three-way"];

/** The classes of a head, in the order of its numbers. */
export const SCHEME_LABELS = {
  binary: ["supported", "not supported"],
  "three-way": VERDICT_LABELS,
} as const satisfies Record<LabelScheme, readonly CaseLabel[]>;

/** What a binary head calls the rest: a verdict has three labels. */
export type RestLabel = Exclude<VerdictLabel, "supported">;

/** A label's class; undefined for `not supported` in a scheme of three. */
export function classOf(label: CaseLabel, scheme: LabelScheme): number | undefined {
  if (scheme === "binary") return label === "supported" ? 0 : 1;
  const index = VERDICT_LABELS.findIndex((one) => one === label);
  return index < 0 ? undefined : index;
}

/**
 * What a binary head trained on these labels calls what it does not find supported: `refuted` where
 * most of the rest it learnt from was, else `not enough info`, which claims less. All of the rest goes
 * to the one: shared out, a claim could be called supported at a probability under one half.
 */
export function restLabel(labels: readonly CaseLabel[]): RestLabel {
  const count = (wanted: CaseLabel) => labels.filter((label) => label === wanted).length;
  return count("refuted") > count("not enough info") + count("not supported")
    ? "refuted"
    : "not enough info";
}

/** The verdict's three probabilities out of a head's. */
export function verdictShares(
  shares: readonly number[],
  scheme: LabelScheme,
  rest: RestLabel,
): VerdictProbabilities {
  const [supported, second, third] = shares as [number, number, number];
  if (scheme === "three-way") {
    return { supported, refuted: second, "not enough info": third };
  }
  return { supported, refuted: 0, "not enough info": 0, [rest]: second };
}
