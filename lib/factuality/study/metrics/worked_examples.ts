import type { RatedItem } from "../../../stats/rated_items.ts";
import type { ClassifiedResponse } from "../../metrics/classified_response.ts";
import type { VerdictLabel } from "../../verdicts/verdict.ts";

const response = (
  query: string,
  labels: readonly VerdictLabel[],
): ClassifiedResponse => ({
  ...{ model: "example", query, cluster: query, abstained: false },
  claims: labels.map((label, i) => ({ id: `c${i + 1}`, text: `Claim ${i + 1}.`, label })),
});

/** Four claims of which two are supported; one supported claim; none. */
export function threeResponses(): readonly ClassifiedResponse[] {
  return [
    response("first", ["supported", "supported", "refuted", "not enough info"]),
    response("second", ["supported"]),
    response("third", []),
  ];
}

/** Classes 1 to 5 of the published table. */
export const FLEISS_LABELS = ["1", "2", "3", "4", "5"] as const;

/** Ten subjects, fourteen raters: how many put each into which class. */
const FLEISS_COUNTS = [
  [0, 0, 0, 0, 14],
  [0, 2, 6, 4, 2],
  [0, 0, 3, 5, 6],
  [0, 3, 9, 2, 0],
  [2, 2, 8, 1, 1],
  [7, 7, 0, 0, 0],
  [3, 2, 6, 3, 0],
  [2, 5, 3, 2, 2],
  [6, 5, 2, 1, 0],
  [0, 2, 2, 3, 7],
] as const;

/** The table as ratings; κ = 0.210. */
export function fleissTable(): readonly RatedItem<typeof FLEISS_LABELS[number]>[] {
  return FLEISS_COUNTS.map((counts, subject) => ({
    id: `subject ${subject + 1}`,
    labels: counts.flatMap((count, label) => Array(count).fill(FLEISS_LABELS[label])),
  }));
}
