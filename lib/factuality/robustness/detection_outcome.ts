import { accepts } from "../evaluation/component_answer.ts";
import { answerOfRow, type AnswerRow } from "../study/evaluation/component_answers.ts";
import { VERDICT_LABELS, type VerdictLabel } from "../verdicts/verdict.ts";
import { CONTRADICTION_SET } from "./contradictions.ts";
import { ROBUSTNESS_SET } from "./robustness_case.ts";
import type { VariantKind } from "./variant.ts";

/** What of a case its outcomes rest on; `RobustnessCase` is one. */
export interface VariedCase {
  readonly id: string;
  readonly base: string;
  /** What the bootstrap resamples. */
  readonly country: string;
  readonly kind: VariantKind;
}

/** What one component made of one variant. */
export interface DetectionOutcome {
  readonly component: string;
  readonly kind: VariantKind;
  readonly cluster: string;
  /** Whether the original was accepted; undefined where it has no score. */
  readonly originalAccepted: boolean | undefined;
  /** Whether the variant was not accepted: P(supported) < 0.5; undefined where it has no score. */
  readonly flagged: boolean | undefined;
  /** The verdict's label; undefined for components that only give a score. */
  readonly verdict: VerdictLabel | undefined;
}

/** Each component's outcomes on the cases that it was asked about, from the table of answers. */
export function detectionOutcomes(
  cases: readonly VariedCase[],
  rows: readonly AnswerRow[],
): readonly DetectionOutcome[] {
  const own = rows.filter(({ set }) => set === ROBUSTNESS_SET);
  return [...Map.groupBy(own, ({ component }) => component)].flatMap(([component, answers]) => {
    const byId = new Map(answers.map((row) => [row.case_id, row]));
    return cases.flatMap(({ id, base, kind, country: cluster }) => {
      const [variant, original] = [byId.get(id), byId.get(base)];
      if (variant === undefined || original === undefined) return [];
      const originalAccepted = accepts(answerOfRow(original));
      return [{ component, kind, cluster, originalAccepted, ...flagOf(variant) }];
    });
  });
}

/** The same of pairs within one text: a pair is flagged where it is taken for a contradiction. */
export function contradictionOutcomes(
  cases: readonly VariedCase[],
  rows: readonly AnswerRow[],
): readonly DetectionOutcome[] {
  const byId = new Map(cases.map((one) => [one.id, one]));
  return rows.filter(({ set }) => set === CONTRADICTION_SET).flatMap((row) => {
    const one = byId.get(row.case_id);
    if (one === undefined) return [];
    const { flagged } = flagOf(row);
    const common = { component: row.component, kind: one.kind, cluster: one.country };
    return [{ ...common, originalAccepted: true, flagged, verdict: undefined }];
  });
}

function flagOf(row: AnswerRow): Pick<DetectionOutcome, "flagged" | "verdict"> {
  const accepted = accepts(answerOfRow(row));
  // A verifier's reason begins with its label; see `answerOfVerdict`.
  const verdict = VERDICT_LABELS.find((label) => row.reason.startsWith(`${label}: `));
  return { flagged: accepted === undefined ? undefined : !accepted, verdict };
}
