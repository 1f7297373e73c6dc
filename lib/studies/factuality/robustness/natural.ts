/**
 * Requirement 14: contradictions as writers make them, reported apart from changes made by rule. No
 * component was trained on them. Each is set against the same sentence put right.
 */
import { accepts } from "../../../factuality/own/compare_components.ts";
import { answerOfRow } from "../../../factuality/own/ask_components.ts";
import type { AnswerRow } from "../../../factuality/own/component_answers.ts";
import { balancedAccuracyInterval } from "../../../factuality/metrics/classification.ts";
import { differenceOf } from "../../../factuality/own/variants/detection.ts";
import type { ConsistencyStatistics } from "../../../factuality/own/variants/report.ts";
import type { LabelledCase } from "../../../factuality/labelled_case.ts";
import { VERDICT_LABELS } from "../../../factuality/types.ts";
import { share } from "../../../stats/measure.ts";
import { NATURAL_SET, naturalClaims } from "../claims/knowledge_claims.ts";
import { CONTRADICTION_KINDS, RIGHT } from "../claims/tables.ts";

/** A claim on an invented passage and its kind: supported, a kind of contradiction, or not stated. */
export type NaturalCase = LabelledCase & { readonly kind: string };

/** Returns the claims that are held out: on passages that nothing may be trained on. */
export const heldOutNaturalClaims = (): readonly NaturalCase[] =>
  naturalClaims().filter(({ split }) => split === "test");

/** One in this many held-out passages is shown to the judges, which take seconds per claim. */
const JUDGED_EVERY = 4;

/** Returns the held-out claims that the judges are asked about: those on every fourth passage. */
export function judgedNaturalClaims(): readonly NaturalCase[] {
  const byPassage = Map.groupBy(heldOutNaturalClaims(), ({ cluster }) => cluster);
  return [...byPassage.values()].filter((_, index) => index % JUDGED_EVERY === 0).flat();
}

/** Groups of the report that are no kind of contradiction. */
export const ALL_CONTRADICTIONS = "all contradictions";
export const SET_RIGHT = "contradictions set right";
export const REWORDED = "supported in other words";
export const NOT_STATED = "not stated";
export const ALL_CLAIMS = "all claims";

export const NOT_ACCEPTED = "not accepted";
/** Share of pairs whose contradiction has a lower P(supported) than the corrected sentence. */
export const DISCRIMINATED = "less supported than when set right";
/** Contradictions not accepted, less the same sentences set right that are not. */
export const DIFFERENCE = "detection minus false alarm";
export const BALANCED_ACCURACY = "balanced accuracy, supported or not";
export const THREE_LABELS = "accuracy of three labels";

/**
 * Shares of natural contradictions not accepted by each component, in total and by kind. Corrected
 * sentences and figures over all claims follow. Intervals are by passage. Claims without a score
 * are left out.
 */
export function naturalFigures(
  cases: readonly NaturalCase[],
  rows: readonly AnswerRow[],
): readonly ConsistencyStatistics[] {
  const known = new Map(cases.map((one) => [one.id, one]));
  const scored = rows.filter(({ set }) => set === NATURAL_SET).flatMap((row) => {
    const one = known.get(row.case_id);
    const answer = answerOfRow(row);
    const isAccepted = accepts(answer);
    if (one === undefined || isAccepted === undefined) return [];
    const group = one.kind === "supported"
      ? REWORDED
      : one.kind === "not stated"
      ? NOT_STATED
      : one.label === "supported"
      ? SET_RIGHT
      : ALL_CONTRADICTIONS;
    // A verifier's reason begins with its label.
    const verdict = VERDICT_LABELS.find((label) => row.reason.startsWith(`${label}: `));
    const { component } = row;
    return [{ ...one, component, group, verdict, answer, isAccepted, value: !isAccepted }];
  });
  return [...Map.groupBy(scored, ({ component }) => component)].flatMap(
    ([component, componentRows]) => {
      const figure = (
        group: string,
        measure: string,
        groupRows: readonly unknown[],
        value: ConsistencyStatistics["value"],
      ) =>
        groupRows.length === 0 ? [] : [{ component, group, measure, n: groupRows.length, value }];
      const rowsOf = (group: string, kind?: string) =>
        componentRows.filter((one) =>
          one.group === group && (kind === undefined || one.kind === kind)
        );
      const notAccepted = (group: string) => {
        const groupRows = rowsOf(group);
        return figure(group, NOT_ACCEPTED, groupRows, share(groupRows));
      };
      const [wrong, right] = [rowsOf(ALL_CONTRADICTIONS), rowsOf(SET_RIGHT)];
      const rightById = new Map(right.map((one) => [one.id, one.answer.supported!]));
      const pairs = wrong.flatMap(({ id, cluster, answer }) => {
        const other = rightById.get(`${id}${RIGHT}`);
        return other === undefined ? [] : [{ cluster, value: answer.supported! < other }];
      });
      const labelled = componentRows.flatMap(({ cluster, label, verdict }) =>
        verdict === undefined || label === "not supported"
          ? []
          : [{ cluster, value: verdict === label }]
      );
      const sides = componentRows.map((one) => ({
        ...one,
        isSupported: one.label === "supported",
      }));
      return [
        ...[ALL_CONTRADICTIONS, SET_RIGHT, REWORDED, NOT_STATED].flatMap(notAccepted),
        ...figure(ALL_CONTRADICTIONS, DIFFERENCE, wrong, differenceOf(wrong, right)),
        ...figure(ALL_CONTRADICTIONS, DISCRIMINATED, pairs, share(pairs)),
        ...figure(ALL_CLAIMS, BALANCED_ACCURACY, componentRows, balancedAccuracyInterval(sides)),
        ...figure(ALL_CLAIMS, THREE_LABELS, labelled, share(labelled)),
        ...CONTRADICTION_KINDS.flatMap((kind) => {
          const [wrong, right] = [rowsOf(ALL_CONTRADICTIONS, kind), rowsOf(SET_RIGHT, kind)];
          return [
            ...figure(kind, NOT_ACCEPTED, wrong, share(wrong)),
            ...figure(kind, `${NOT_ACCEPTED} when set right`, right, share(right)),
          ];
        }),
      ];
    },
  );
}
