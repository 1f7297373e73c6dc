import type { LabelledCase } from "../cases/labelled_case.ts";
import type { ClaimKind } from "../claims/claim.ts";
import { claimKind } from "../claims/claim_kind.ts";
import { everyTwo } from "../every_two.ts";
import { accepts, type ComponentRun } from "./component_answer.ts";

/** Two components of different opinion about a claim, with both reasons. */
export interface ComponentDisagreement {
  readonly caseId: string;
  readonly claim: string;
  readonly kind: ClaimKind;
  readonly label: LabelledCase["label"];
  readonly first: string;
  readonly second: string;
  /** The component that is right. */
  readonly right: string;
  readonly firstReason: string;
  readonly secondReason: string;
}

/** Every claim that two components are of different opinion about, with both reasons. */
export function componentDisagreements(
  cases: readonly LabelledCase[],
  runs: readonly ComponentRun[],
): readonly ComponentDisagreement[] {
  return cases.flatMap(({ id, claim, label }) =>
    everyTwo(runs).flatMap(([first, second]) => {
      const [one, other] = [first.answers.get(id), second.answers.get(id)];
      if (one === undefined || other === undefined) return [];
      const [accepted, alsoAccepted] = [accepts(one), accepts(other)];
      if (accepted === undefined || alsoAccepted === undefined) return [];
      if (accepted === alsoAccepted) return [];
      return [{
        caseId: id,
        ...{ claim, label, kind: claimKind(claim) },
        first: first.component,
        second: second.component,
        right: accepted === (label === "supported") ? first.component : second.component,
        firstReason: one.reason,
        secondReason: other.reason,
      }];
    })
  );
}
