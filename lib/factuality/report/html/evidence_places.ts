import type { ClaimResult, Evaluation } from "../../evaluation/evaluation.ts";
import { type Passage, sourcePassage } from "../../retrieval/passage.ts";
import type { Evidence } from "../../verdicts/verdict.ts";

/** A passage of the page, and the evidence that stands in it. */
export interface ShownPassage {
  readonly passage: Passage;
  readonly evidence: readonly PlacedEvidence[];
}

/** Evidence of the claim with this number, counted from 1, and its anchor on the page. */
export interface PlacedEvidence {
  readonly claim: number;
  readonly anchor: string;
  readonly evidence: Evidence;
}

/** The source text, where there is one, and every passage that was looked up, each once. */
export function shownPassages({ request, claims }: Evaluation): readonly ShownPassage[] {
  const looked = claims.flatMap(({ passages }) => passages.map(({ passage }) => passage));
  const all = request.source.trim() === "" ? looked : [sourcePassage(request.source), ...looked];
  const distinct = new Map(all.map((passage) => [keyOf(passage.collection, passage.id), passage]));
  const placed = Map.groupBy(
    claims.flatMap(placedEvidence),
    ({ evidence }) => keyOf(evidence.collection, evidence.passageId),
  );
  return [...distinct].map(([key, passage]) => ({ passage, evidence: placed.get(key) ?? [] }));
}

/** The evidence of one claim, the best first. */
export function placedEvidence(
  { verdict }: ClaimResult,
  index: number,
): readonly PlacedEvidence[] {
  if (verdict.kind === "unscored") return [];
  return verdict.evidence.map((evidence, rank) => ({
    claim: index + 1,
    anchor: `evidence-${index + 1}-${rank + 1}`,
    evidence,
  }));
}

/** Names a passage: ids are unique in their collection only. */
export const keyOf = (collection: string, id: string) => JSON.stringify([collection, id]);
