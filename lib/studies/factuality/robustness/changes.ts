/**
 * Experiments on changed claims (requirement 14). Components are asked about true claims, perturbed
 * and reworded ones, and about texts that contain a claim and its variant.
 */
import * as asking from "../../../factuality/own/ask_components.ts";
import { accepts, type ComponentAnswer } from "../../../factuality/own/compare_components.ts";
import type { AnswerRow } from "../../../factuality/own/component_answers.ts";
import {
  BASELINE_GROUP,
  claimPrompts,
  judgeName,
} from "../../../factuality/own/component_groups.ts";
import { type DetectionOutcome, kindFigures } from "../../../factuality/own/variants/detection.ts";
import { labelOf } from "../../../factuality/own/variants/variant.ts";
import type { LabelledCase } from "../../../factuality/labelled_case.ts";
import { evaluate } from "../../../factuality/check/check.ts";
import type { EvaluationClock } from "../../../factuality/check/stage.ts";
import type { EvaluationComponents } from "../../../factuality/check/components.ts";
import { FACTUALITY_PATHS } from "../../../factuality/paths.ts";
import { factbookFields } from "../../../factuality/retrieval/factbook.ts";
import { type Evaluation, VERDICT_LABELS } from "../../../factuality/types.ts";
import { drawnOf, knowledgeVariants, labelledCases, ROBUSTNESS_SET } from "./cases.ts";
import { heldOutNaturalClaims, judgedNaturalClaims, naturalFigures } from "./natural.ts";
import type { Experiment } from "./panel.ts";
import { CASES, ROBUSTNESS_ANSWERS, type RobustnessCase } from "./tables.ts";

/** Number of pairs per kind in the contradiction experiment. Each needs many verdicts. */
const PAIRS_PER_KIND = 12;

/** Experiment on true claims with their variants, and with both in one text. */
export const PERTURBATIONS: Experiment<AnswerRow> = {
  name: "perturbations",
  table: ROBUSTNESS_ANSWERS,
  async *rounds(opened, run) {
    const { cases, passages } = knowledgeVariants(await factbookFields(FACTUALITY_PATHS.cache));
    CASES.at(run.place(CASES.path)).write(cases);
    const all = labelledCases(cases, passages);
    const pairs = pairCases(cases, PAIRS_PER_KIND);
    const natural = heldOutNaturalClaims();
    const roundOf = (component: asking.ComparedComponent, cases: readonly LabelledCase[]) =>
      asking.componentRound(component, cases, [...all, ...pairs, ...natural]);
    const { verifier, judges, prompts } = opened;
    if (run.isOfRun(verifier.name)) {
      yield roundOf(asking.comparedVerifier(verifier), [...all, ...natural]);
    }
    if (run.isOfRun(CONSISTENCY)) yield roundOf(consistencyComponent(opened, CLOCK), pairs);
    if (BASELINES.some(run.isOfRun)) {
      await using baselines = await BASELINE_GROUP.open(run);
      for (const component of baselines.components) {
        if (BASELINES.includes(component.name)) yield roundOf(component, [...all, ...natural]);
      }
    }
    // Judges last, since they take seconds per claim.
    for (const judge of judges) {
      const name = judgeName(judge.name, judge.settings["readout"]);
      if (!run.isOfRun(name)) continue;
      const component = asking.comparedJudge(judge, name, claimPrompts(prompts, judge));
      yield roundOf(component, [...drawnOf(all, cases), ...judgedNaturalClaims()]);
    }
  },
  figures(stored) {
    const [cases, answers] = [stored(CASES), stored(ROBUSTNESS_ANSWERS)];
    return {
      perturbations: kindFigures(detectionOutcomes(cases, answers)),
      contradictions: kindFigures(detectionOutcomes(cases, answers, CONTRADICTIONS)),
      natural: naturalFigures(heldOutNaturalClaims(), answers),
    };
  },
};

const BASELINES = ["word overlap", "sentence cosine"];
const CLOCK = { now: () => new Date(), milliseconds: () => performance.now() };

/** Name of the set in every answer about pairs. */
export const CONTRADICTIONS = "contradictions";
/** Name of the component in every answer about pairs. */
const CONSISTENCY = "internal consistency";
/** Separator of the two statements of a pair. */
const PARTED = "\n\n";

/** Texts that state a claim and then its variant, without a source; `perKind` of each kind. */
export function pairCases(cases: readonly RobustnessCase[], perKind: number) {
  const chosen = [...Map.groupBy(cases, ({ kind }) => kind).values()]
    .flatMap((kindCases) => kindCases.slice(0, perKind));
  return chosen.map(({ id, country: cluster, kind, original, changed }) => {
    const claim = `${original}${PARTED}${changed}`;
    const label = labelOf(kind);
    return { id, set: CONTRADICTIONS, cluster, passages: [], label, claim };
  });
}

/**
 * Returns a component that checks two statements against each other only. P(supported) is 1 − the
 * maximum probability of a contradiction between words of both statements; 1 without a
 * contradiction.
 */
export function consistencyComponent(
  components: EvaluationComponents,
  clock: EvaluationClock,
): asking.ComparedComponent {
  const alone = { ...components, judges: [], retriever: undefined, retrieverProblem: undefined };
  return {
    name: CONSISTENCY,
    settings: { ...components.verifier.settings, pairs: "that say much the same" },
    async answer({ id, claim }, signal): Promise<ComponentAnswer> {
      const begun = clock.milliseconds();
      const request = { id, source: "", candidate: claim, question: "" };
      const evaluation = await evaluate(request, alone, { clock, ...signal ? { signal } : {} });
      const milliseconds = clock.milliseconds() - begun;
      const [reason] = evaluation.failed;
      // Unread pairs may hold a contradiction.
      if (reason !== undefined) {
        return { supported: undefined, unscored: "failure", reason, milliseconds };
      }
      const across = acrossBoth(evaluation, claim.indexOf(PARTED));
      return {
        supported: 1 - Math.max(0, ...across.map(({ probability }) => probability)),
        unscored: undefined,
        reason: across.map(({ words }) => words).join("; ") || "no contradiction found",
        milliseconds,
      };
    },
  };
}

/** Returns contradictions between the two statements of a pair whose claims are both flagged. */
function acrossBoth({ consistency, unsupported }: Evaluation, boundary: number) {
  const flagged = unsupported.filter(({ kind }) => kind === "internal contradiction");
  const isBefore = (claimId: string) =>
    flagged.find((entry) => entry.claimId === claimId)?.spans.every(({ end }) => end <= boundary);
  return (consistency?.contradictions ?? []).filter(({ claimIds: [one, other] }) => {
    const sides = [isBefore(one), isBefore(other)];
    return sides.includes(true) && sides.includes(false);
  });
}

/**
 * Outcomes of each component on its cases, from the table of answers. A contradiction case contains
 * its original; it is flagged where components find a contradiction.
 */
export function detectionOutcomes(
  cases: readonly Pick<RobustnessCase, "id" | "base" | "country" | "kind">[],
  rows: readonly AnswerRow[],
  experimentSet: typeof ROBUSTNESS_SET | typeof CONTRADICTIONS = ROBUSTNESS_SET,
): readonly DetectionOutcome[] {
  const byComponent = Map.groupBy(
    rows.filter(({ set }) => set === experimentSet),
    ({ component }) => component,
  );
  return [...byComponent].flatMap(([component, answers]) => {
    const byId = new Map(answers.map((row) => [row.case_id, row]));
    const isAccepted = (row: AnswerRow) => accepts(asking.answerOfRow(row));
    return cases.flatMap(({ id, base, kind, country: cluster }) => {
      const [variant, original] = [byId.get(id), byId.get(base)];
      if (variant === undefined || experimentSet === ROBUSTNESS_SET && original === undefined) {
        return [];
      }
      const accepted = isAccepted(variant);
      return [{
        component,
        kind,
        cluster,
        originalAccepted: original === undefined || isAccepted(original),
        flagged: accepted === undefined ? undefined : !accepted,
        // A verifier's reason begins with its label; see `systemAndQuery`.
        verdict: VERDICT_LABELS.find((label) => variant.reason.startsWith(`${label}: `)),
      }];
    });
  });
}
