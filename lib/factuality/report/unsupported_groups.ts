import type { Evaluation, UnsupportedClaim } from "../evaluation/evaluation.ts";

/** Entries of the unified list under one heading. */
export interface UnsupportedGroup {
  readonly title: string;
  readonly entries: readonly UnsupportedClaim[];
}

/** By kind, the judges' own charges last: how far these are to be trusted stands beside their scores. */
export function unsupportedGroups({ unsupported }: Evaluation): readonly UnsupportedGroup[] {
  const { true: alone = [], false: others = [] } = Object.groupBy(
    unsupported,
    (entry) => isJudgesOnly(entry) ? "true" : "false",
  );
  const kinds = [...Map.groupBy(others, ({ kind }) => kind)].map(([kind, entries]) => ({
    title: `${kind[0]!.toUpperCase()}${kind.slice(1)}`,
    entries,
  }));
  return alone.length === 0
    ? kinds
    : [...kinds, { title: "Doubted by judges only", entries: alone }];
}

/** Whether neither the verifier nor the text itself speaks against it. */
export function isJudgesOnly({ detectedBy, kind }: UnsupportedClaim): boolean {
  return kind !== "internal contradiction" && !detectedBy.includes("verifier");
}
