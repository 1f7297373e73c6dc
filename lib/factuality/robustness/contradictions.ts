import type { LabelledCase } from "../cases/labelled_case.ts";
import type { ComponentAnswer } from "../evaluation/component_answer.ts";
import { evaluate, type EvaluationComponents } from "../evaluation/evaluate.ts";
import type { Evaluation } from "../evaluation/evaluation.ts";
import type { EvaluationClock } from "../evaluation/run.ts";
import type {
  ComparedComponent,
  ComponentSettings,
} from "../study/evaluation/compared_component.ts";
import type { RobustnessCase } from "./robustness_case.ts";
import { labelOf } from "./variant_kinds.ts";

/** Name of the set in every answer about pairs. */
export const CONTRADICTION_SET = "contradictions";

/** Name of the component in every answer about pairs. */
export const CONSISTENCY = "internal consistency";

/** Between the two statements of a pair. */
const PARTED = "\n\n";

/**
 * Outputs that say a claim and then its variant, without any source: perturbed, the two exclude one
 * another; reworded, they say the same. Of each kind the first so many.
 */
export function pairCases(
  cases: readonly RobustnessCase[],
  perKind: number,
): readonly LabelledCase[] {
  const kept = [...Map.groupBy(cases, ({ kind }) => kind).values()]
    .flatMap((own) => own.slice(0, perKind));
  return kept.map(({ id, country, kind, original, changed }) => ({
    ...{ id, set: CONTRADICTION_SET, cluster: country, passages: [], label: labelOf(kind) },
    claim: `${original}${PARTED}${changed}`,
  }));
}

/**
 * Reads both statements against one another and nothing else. `supported` is 1 − the greatest
 * probability of a contradiction for which the list of unsupported claims names words of both
 * statements, and 1 where there is none.
 */
export function consistencyComponent(
  components: EvaluationComponents,
  { clock, settings }: { readonly clock: EvaluationClock; readonly settings: ComponentSettings },
): ComparedComponent {
  const alone = { ...components, judges: [], retriever: undefined, retrieverProblem: undefined };
  return {
    name: CONSISTENCY,
    settings: { ...components.verifier.settings, ...settings },
    async answer({ id, claim }, signal): Promise<ComponentAnswer> {
      const begun = clock.milliseconds();
      const request = { id, source: "", candidate: claim, question: "" };
      const found = await evaluate(request, alone, { clock, ...signal ? { signal } : {} });
      const across = acrossBoth(found, claim.indexOf(PARTED));
      return {
        supported: 1 - Math.max(0, ...across.map(({ probability }) => probability)),
        unscored: undefined,
        reason: across.map(({ words }) => words).join("; ") || "no contradiction found",
        milliseconds: clock.milliseconds() - begun,
      };
    },
  };
}

/** Contradictions of a claim before the boundary with one behind it, both of them flagged. */
function acrossBoth({ consistency, unsupported }: Evaluation, boundary: number) {
  const flagged = unsupported.filter(({ kind }) => kind === "internal contradiction");
  const isBefore = (claimId: string) =>
    flagged.find((entry) => entry.claimId === claimId)?.spans.every(({ end }) => end <= boundary);
  return (consistency?.contradictions ?? []).filter(({ claimIds: [one, other] }) => {
    const sides = [isBefore(one), isBefore(other)];
    return sides.includes(true) && sides.includes(false);
  });
}
