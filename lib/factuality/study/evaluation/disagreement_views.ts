import { formatCsv } from "../../../files/csv.ts";
import { inertText } from "../../../files/inert_text.ts";
import { markdownTable } from "../../../figures/markdown_table.ts";
import type { ComponentDisagreement } from "../../evaluation/component_disagreements.ts";

/** Disagreements of one component with the others; all of them go into the CSV. */
export function disagreementsCsv(disagreements: readonly ComponentDisagreement[]): string {
  const columns = [
    ...["case_id", "claim", "claim_kind", "label", "first", "second", "right"] as const,
    ...["first_reason", "second_reason"] as const,
  ];
  return formatCsv(
    columns,
    disagreements.map(({ caseId, kind, firstReason, secondReason, claim, ...one }) => ({
      ...{ case_id: caseId, claim_kind: kind, claim: inertText(claim) },
      ...{ label: one.label, first: one.first, second: one.second, right: one.right },
      ...{ first_reason: inertText(firstReason), second_reason: inertText(secondReason) },
    })),
  );
}

/** Some disagreements with both reasons. */
export function disagreementsTable(disagreements: readonly ComponentDisagreement[]): string {
  return markdownTable(
    ["claim", "it is", "right", "one says", "the other says"],
    disagreements.map((one) => [
      ...[one.claim, one.label, one.right],
      ...[`${one.first}: ${one.firstReason}`, `${one.second}: ${one.secondReason}`],
    ]),
  );
}

/** How often one component is right where it and another disagree. */
export function disagreementsSentence(
  disagreements: readonly ComponentDisagreement[],
  component: string,
): string {
  const right = disagreements.filter((one) => one.right === component).length;
  return `${disagreements.length} disagreements; in ${right} the ${component} is right.`;
}
