/**
 * Requirement 14: how often a component no longer accepts a true claim once one thing in it is made
 * false, beside how often it no longer accepts it merely reworded; and contradictions within one text.
 */
import { z } from "zod";
import { type Measure, share, statistic } from "../../../stats/measure.ts";
import { unavailable } from "../../../stats/agreement.ts";
import { normalQuantile } from "../../../stats/distributions.ts";
import type { AnswerRow } from "../../../factuality/own/component_answers.ts";
import * as asking from "../../../factuality/own/ask_components.ts";
import { accepts, type ComponentAnswer } from "../../../factuality/own/compare_components.ts";
import { evaluate } from "../../../factuality/check/check.ts";
import type { EvaluationClock } from "../../../factuality/check/stage.ts";
import type { EvaluationComponents } from "../../../factuality/check/components.ts";
import { FACTUALITY_PATHS } from "../../../factuality/paths.ts";
import { factbookFields } from "../../../factuality/retrieval/factbook.ts";
import { type Evaluation, VERDICT_LABELS } from "../../../factuality/types.ts";
import { drawnOf, knowledgeVariants, labelledCases, ROBUSTNESS_SET } from "./cases.ts";
import { claimPrompts, type ExperimentRun, judgeName, MEASURE, openPanel } from "./panel.ts";
import { CASES, ROBUSTNESS_ANSWERS, type RobustnessCase } from "./tables.ts";
import * as variants from "./variant.ts";

/** Pairs a kind that are read against one another: each is many verdicts. */
const PAIRS_PER_KIND = 12;

/** Asks every component about what it has not answered yet. @returns whether all is answered. */
export async function askPerturbations(
  run: ExperimentRun,
  /** Groups of components that need no language model. */
  baselines: readonly asking.ComponentGroup[],
): Promise<boolean> {
  const { cases, passages } = knowledgeVariants(await factbookFields(FACTUALITY_PATHS.cache));
  CASES.at(run.place(CASES.path)).write(cases);
  const all = labelledCases(cases, passages);
  const drawn = drawnOf(all, cases);
  const pairs = pairCases(cases, PAIRS_PER_KIND);
  await using opened = await openPanel(run);
  const { verifier } = opened;
  const quick = new Set([verifier.name, ...baselines.flatMap(({ names }) => names)]);
  return await asking.askGroups({
    table: ROBUSTNESS_ANSWERS.at(run.place(ROBUSTNESS_ANSWERS.path)),
    known: [...all, ...pairs],
    casesOf: (component) => component === CONSISTENCY ? pairs : quick.has(component) ? all : drawn,
    groups: [
      groupOf([
        asking.comparedVerifier(verifier),
        consistencyComponent(opened, CLOCK),
      ]),
      ...baselines,
      // Judges last: seconds a claim.
      groupOf(
        opened.judges.map((judge) => {
          const name = judgeName(judge.name, judge.settings["readout"]);
          return asking.comparedJudge(judge, name, claimPrompts(opened.prompts, judge));
        }),
      ),
    ].map((group) => ({ ...group, names: group.names.filter(run.isOwn) })),
    only: "",
    threads: run.threads,
    signal: run.signal,
    tell: run.tell,
  });
}

const CLOCK = { now: () => new Date(), milliseconds: () => performance.now() };

/** Components that somebody else opened and disposes of, as a group. */
function groupOf(components: readonly asking.ComparedComponent[]): asking.ComponentGroup {
  const group = { components, [Symbol.asyncDispose]: () => Promise.resolve() };
  return { names: components.map(({ name }) => name), open: () => Promise.resolve(group) };
}

/** Name of the set in every answer about pairs. */
export const CONTRADICTIONS = "contradictions";
/** Name of the component in every answer about pairs. */
const CONSISTENCY = "internal consistency";
/** Between the two statements of a pair. */
const PARTED = "\n\n";

/** Outputs that say a claim and then its variant, without any source; of each kind so many. */
export function pairCases(cases: readonly RobustnessCase[], perKind: number) {
  const kept = [...Map.groupBy(cases, ({ kind }) => kind).values()]
    .flatMap((own) => own.slice(0, perKind));
  return kept.map(({ id, country: cluster, kind, original, changed }) => {
    const claim = `${original}${PARTED}${changed}`;
    const label = variants.labelOf(kind);
    return { id, set: CONTRADICTIONS, cluster, passages: [], label, claim };
  });
}

/**
 * Reads both statements against one another and nothing else. `supported` is 1 − the greatest
 * probability of a contradiction for which the list of unsupported claims names words of both
 * statements, and 1 where there is none.
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
      const found = await evaluate(request, alone, { clock, ...signal ? { signal } : {} });
      const milliseconds = clock.milliseconds() - begun;
      const [reason] = found.failed;
      // What could not be read may hold a contradiction.
      if (reason !== undefined) {
        return { supported: undefined, unscored: "failure", reason, milliseconds };
      }
      const across = acrossBoth(found, claim.indexOf(PARTED));
      return {
        supported: 1 - Math.max(0, ...across.map(({ probability }) => probability)),
        unscored: undefined,
        reason: across.map(({ words }) => words).join("; ") || "no contradiction found",
        milliseconds,
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

/**
 * What one component made of one variant: whether the original was accepted and the variant was not
 * (P(supported) < 0.5), undefined without a score; the verdict's label, undefined for components that only
 * give a score; and the cluster of its intervals.
 */
export type DetectionOutcome = ReturnType<typeof detectionOutcomes>[number];

/**
 * Each component's outcomes on the cases that it was asked about, from the table of answers; of
 * contradictions a text holds the original, too, and is flagged where it is taken for one.
 */
export function detectionOutcomes(
  cases: readonly Pick<RobustnessCase, "id" | "base" | "country" | "kind">[],
  rows: readonly AnswerRow[],
  of: typeof ROBUSTNESS_SET | typeof CONTRADICTIONS = ROBUSTNESS_SET,
) {
  const own = Map.groupBy(rows.filter(({ set }) => set === of), ({ component }) => component);
  return [...own].flatMap(([component, answers]) => {
    const byId = new Map(answers.map((row) => [row.case_id, row]));
    const isAccepted = (row: AnswerRow) => accepts(asking.answerOfRow(row));
    return cases.flatMap(({ id, base, kind, country: cluster }) => {
      const [variant, original] = [byId.get(id), byId.get(base)];
      if (variant === undefined || of === ROBUSTNESS_SET && original === undefined) return [];
      const accepted = isAccepted(variant);
      return [{
        component,
        kind,
        cluster,
        originalAccepted: original === undefined || isAccepted(original),
        flagged: accepted === undefined ? undefined : !accepted,
        // A verifier's reason begins with its label; see `answerOf`.
        verdict: VERDICT_LABELS.find((label) => variant.reason.startsWith(`${label}: `)),
      }];
    });
  });
}

const COUNT = z.int().min(0);

/** How often one component did not accept variants of one kind: a row of the report as it is kept. */
export const KIND_FIGURE = z.object({
  component: z.string(),
  /** A kind, or all of a role together. */
  kind: z.enum([...variants.VARIANT_KINDS, "all perturbations", "all controls"]),
  role: z.enum(["perturbation", "control"]),
  seenInTraining: z.enum(["yes", "no", "mixed"]),
  /** Variants with a score whose original has one, too; and without. */
  n: COUNT,
  unscored: COUNT,
  countries: COUNT,
  /** Of n, those whose original was accepted. */
  originalsAccepted: COUNT,
  /** Share of n not accepted: detection of a perturbation, false alarm of a control. */
  flagged: MEASURE,
  /** The same of those whose original was accepted. */
  flaggedGivenAccepted: MEASURE,
  /** How many of the flagged have a verdict's label, which a judge gives none of. */
  labelled: COUNT,
  /** Of these, the share called refuted rather than not enough info. */
  calledRefuted: MEASURE,
  /** What changes the same part of a text and keeps it true; the empty string for a control. */
  against: z.string(),
  /** Of that control, given that the original was accepted. */
  falseAlarm: MEASURE,
  /** Detection − false alarm, both given that the original was accepted. */
  difference: MEASURE,
  dPrime: MEASURE,
});
export type KindFigure = Readonly<z.infer<typeof KIND_FIGURE>>;

const ALL = { seenInTraining: "mixed", against: "all controls" } as const;
/** Kinds that are told of together, with their role and the control that each is set against. */
const GROUPS: readonly (
  & Pick<KindFigure, "kind" | "role" | "seenInTraining" | "against">
  & { readonly kinds: readonly variants.VariantKind[] }
)[] = [
  { ...ALL, kind: "all perturbations", role: "perturbation", kinds: variants.PERTURBATIONS },
  { ...ALL, kind: "all controls", role: "control", kinds: variants.CONTROLS, against: "" },
  ...variants.VARIANT_KINDS.map((kind) => ({
    kind,
    kinds: [kind],
    role: variants.roleOf(kind),
    seenInTraining: variants.seenInTraining(kind),
    against: variants.matchedControl(kind),
  })),
];

/** Every component's figures, all perturbations and all controls before the kinds. */
export const kindFigures = (outcomes: readonly DetectionOutcome[]) =>
  [...Map.groupBy(outcomes, ({ component }) => component)].flatMap(([component, all]) => {
    const rates = new Map(GROUPS.flatMap(({ kind, kinds }) => {
      const own = all.filter((one) => kinds.includes(one.kind));
      return own.length === 0 ? [] : [[kind as string, ratesOf(own)] as const];
    }));
    return GROUPS.flatMap(({ kinds: _kinds, ...told }) => {
      const found = rates.get(told.kind);
      if (found === undefined) return [];
      const { hits, accepted, ...own } = found;
      const control = rates.get(told.against);
      const none = unavailable(
        told.against === ""
          ? "a control is itself the false alarm"
          : `no answer about ${told.against}`,
      );
      const compared = control === undefined
        ? { falseAlarm: none, difference: none, dPrime: none }
        : {
          falseAlarm: control.flaggedGivenAccepted,
          difference: differenceOf(accepted, control.accepted),
          dPrime: yesNoDPrime(
            { hits, n: own.originalsAccepted },
            { hits: control.hits, n: control.originalsAccepted },
          ),
        };
      return [{ component, ...told, ...own, ...compared }];
    });
  });

/** Whether a variant of a cluster's text was flagged. */
interface Flagged {
  readonly cluster: string;
  readonly value: boolean;
}

function ratesOf(outcomes: readonly DetectionOutcome[]) {
  const scored = outcomes.flatMap(({ flagged: value, originalAccepted, ...one }) =>
    value === undefined || originalAccepted === undefined
      ? []
      : [{ ...one, value, originalAccepted }]
  );
  const accepted = scored.filter(({ originalAccepted }) => originalAccepted);
  const refuted = scored.filter(({ value, verdict }) => value && verdict !== undefined)
    .map(({ cluster, verdict }) => ({ cluster, value: verdict === "refuted" }));
  return {
    n: scored.length,
    unscored: outcomes.length - scored.length,
    countries: new Set(scored.map(({ cluster }) => cluster)).size,
    originalsAccepted: accepted.length,
    flagged: share(scored),
    flaggedGivenAccepted: share(accepted),
    labelled: refuted.length,
    calledRefuted: refuted.length === 0 ? unavailable("none flagged with a label") : share(refuted),
    hits: accepted.filter(({ value }) => value).length,
    accepted,
  };
}

/**
 * Returns the share of one sample less that of another, −1 to 1, both by the clusters that they have in
 * common.
 */
function differenceOf(a: readonly Flagged[], b: readonly Flagged[]): Measure {
  const items = [a, b].flatMap((own, at) =>
    own.map(({ cluster, value }) => ({ cluster, value: { value, isFirst: at === 0 } }))
  );
  type Values = readonly typeof items[number]["value"][];
  const shareIn = (drawn: Values, isFirst: boolean) => {
    const own = drawn.filter((one) => one.isFirst === isFirst);
    return own.length === 0 ? undefined : own.filter(({ value }) => value).length / own.length;
  };
  return statistic(items, (drawn) => {
    const [one, other] = [shareIn(drawn, true), shareIn(drawn, false)];
    return one === undefined || other === undefined ? undefined : one - other;
  }, { bounds: [-1, 1] });
}

type Count = Readonly<Record<"hits" | "n", number>>;

/**
 * d′ = z(detections) − z(false alarms) of a yes-or-no task, in standard deviations; 0: the component
 * cannot tell perturbed from reworded. Log-linear correction, (hits + 0.5) / (n + 1), after Hautus
 * (1995). Unavailable where either has no trial.
 */
export function yesNoDPrime(detection: Count, falseAlarm: Count): Measure {
  if (detection.n === 0 || falseAlarm.n === 0) return unavailable("no trials of one of the two");
  const z = ({ hits, n }: Count) => normalQuantile((hits + 0.5) / (n + 1));
  return { kind: "value", estimate: z(detection) - z(falseAlarm) };
}
