import type { CaseLabel } from "./labelled_case.ts";

/** What files call a label, in lower case. Those with two values tell no refuted from unknown. */
const LABELS: Readonly<Record<CaseLabel, readonly string[]>> = {
  supported: ["supported", "supports", "entailment", "true", "1", "yes"],
  refuted: ["refuted", "refutes", "contradiction"],
  "not enough info": ["not enough info", "neutral"],
  "not supported": ["not supported", "false", "0", "no"],
};

const READ: ReadonlyMap<string, CaseLabel> = new Map(
  (Object.keys(LABELS) as CaseLabel[])
    .flatMap((label) => LABELS[label].map((name) => [name, label] as const)),
);

/** The words that {@link statedLabel} understands, for messages. */
export const LABELS_UNDERSTOOD = Object.entries(LABELS)
  .map(([label, names]) => names.filter((name) => name !== label).join(", ") + ` (${label})`)
  .join("; ");

/** What a file's word for a label means, in capitals or not; undefined for any other word. */
export function statedLabel(text: string): CaseLabel | undefined {
  return READ.get(text.trim().toLowerCase().replaceAll(/[\s_-]+/gu, " "));
}
