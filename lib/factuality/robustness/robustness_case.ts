import type { LabelledCase } from "../cases/labelled_case.ts";
import type { Passage } from "../retrieval/passage.ts";
import type { VariantKind } from "./variant.ts";
import { labelOf } from "./variant_kinds.ts";

/** Name of the set in every answer. */
export const ROBUSTNESS_SET = "robustness";

/** A true claim and what one change made of it. A row of `robustness_cases.csv`. */
export interface RobustnessCase {
  /** `fr/p12/date`. */
  readonly id: string;
  /** The claim that was changed; several cases share one. */
  readonly base: string;
  readonly country: string;
  readonly kind: VariantKind;
  readonly original: string;
  readonly changed: string;
  readonly from: string;
  readonly to: string;
  /** Id of the passage in the knowledge base. */
  readonly source: string;
  /** Whether language models are asked about it, too. */
  readonly drawn: boolean;
}

/**
 * The changed claims and, each once, the originals, as cases that components are asked about.
 * @throws {RangeError} naming the case whose source is not among the passages.
 */
export function labelledCases(
  cases: readonly RobustnessCase[],
  passages: ReadonlyMap<string, Passage>,
): readonly LabelledCase[] {
  const originals = [...Map.groupBy(cases, ({ base }) => base).values()].map(([first]) => first!);
  const passageOf = ({ id, source }: RobustnessCase) => {
    const passage = passages.get(source);
    if (passage !== undefined) return passage;
    throw new RangeError(`Cannot ask about ${id}: the knowledge base has no passage ${source}.`);
  };
  const common = (one: RobustnessCase) => ({
    ...{ set: ROBUSTNESS_SET, cluster: one.country, passages: [passageOf(one)] },
  });
  return [
    ...originals.map((one) => ({
      ...common(one),
      ...{ id: one.base, claim: one.original, label: "supported" as const },
    })),
    ...cases.map((one) => ({
      ...common(one),
      ...{ id: one.id, claim: one.changed, label: labelOf(one.kind) },
    })),
  ];
}

/** Of labelled cases those that language models are asked about: drawn ones and their originals. */
export function drawnOf(
  labelled: readonly LabelledCase[],
  cases: readonly RobustnessCase[],
): readonly LabelledCase[] {
  const ids = new Set(cases.filter(({ drawn }) => drawn).flatMap(({ id, base }) => [id, base]));
  return labelled.filter(({ id }) => ids.has(id));
}
