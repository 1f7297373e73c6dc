import type { Evaluation } from "../item.ts";
import type { RunConfig } from "../run_config.ts";
import { describeOrdering } from "./describe_ordering.ts";
import { nextScore } from "./score.ts";
import type { Violation } from "./violation.ts";
import { bucketLabel, listed, rowName } from "./wording.ts";

/**
 * A violation of this evaluation in words of what the rater sees, rows by their position from 1 and
 * buckets by label, with the smallest way to put it right.
 */
export function describeViolation(
  violation: Violation,
  evaluation: Evaluation,
  config: RunConfig,
): string {
  const sentence = violation.kind === "ordering"
    ? describeOrdering(violation, evaluation, config)
    : violation.kind === "empty-bucket"
    ? `Nothing is sorted into ${bucketLabel(violation.bucket, config)} yet: ` +
      "move at least one row there."
    : `${rowName(violation.translation, evaluation)} ${describeFault(violation, config)}.`;
  return sentence[0]!.toUpperCase() + sentence.slice(1);
}

type RowFault = Exclude<Violation, { readonly kind: "ordering" | "empty-bucket" }>;

function describeFault(fault: RowFault, config: RunConfig): string {
  const labels = listed(config.buckets.map(({ label }) => label), "or");
  const scale = `${config.integerOnly ? "a whole number" : "a number"} ` +
    `from ${config.daMin} to ${config.daMax}`;
  switch (fault.kind) {
    case "missing-bucket":
      return `is not sorted yet: choose ${labels}`;
    case "missing-score":
      return `has no score yet: give ${scale}`;
    case "unknown-bucket":
      return `is sorted into “${fault.bucket}”, which there is not here: choose ${labels}`;
    case "not-a-number":
      return `has “${fault.text}” for a score, which is no number: give ${scale}`;
    case "not-an-integer":
      return `scores ${fault.da}, which is no whole number: ` +
        `give ${nextScore(fault.da, -1, config)} or ${nextScore(fault.da, 1, config)}`;
    case "out-of-range":
      return `scores ${fault.da}, which is off the scale: give ${scale}`;
  }
}
