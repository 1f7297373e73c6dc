/**
 * Requirement 14: how often a component no longer accepts a true claim once one thing in it is made
 * false, beside how often it no longer accepts it merely reworded; and contradictions within one text.
 */
import type { Measure } from "../../figures/theme.ts";
import { type Unavailable, unavailable } from "../../stats/agreement.ts";
import {
  clusterBootstrap,
  type ClusteredValue,
  type Interval,
  normalQuantile,
  wilsonInterval,
} from "../../stats/intervals.ts";
import type { RandomSource } from "../../stats/random.ts";
import type { LabelledCase } from "../datasets/labelled_case.ts";
import {
  answerOfRow,
  type AnswerRow,
  askGroups,
  type ComparedComponent,
  comparedJudge,
  comparedVerifier,
  type ComponentGroup,
} from "../evaluate/ask_components.ts";
import { accepts, type ComponentAnswer } from "../evaluate/compare_components.ts";
import { evaluate } from "../evaluate/evaluate.ts";
import type { EvaluationClock, EvaluationComponents } from "../evaluate/run.ts";
import type { PromptTemplates } from "../judges/prompts.ts";
import { FACTUALITY_PATHS } from "../paths.ts";
import { factbookFields } from "../retrieval/factbook.ts";
import { type Evaluation, VERDICT_LABELS, type VerdictLabel } from "../types.ts";
import { drawnOf, knowledgeVariants, labelledCases, ROBUSTNESS_SET } from "./cases.ts";
import { type ExperimentRun, openPanel } from "./panel.ts";
import { CASES, ROBUSTNESS_ANSWERS, type RobustnessCase } from "./tables.ts";
import {
  CONTROLS,
  isPerturbation,
  labelOf,
  matchedControl,
  PERTURBATIONS,
  roleOf,
  type SeenInTraining,
  seenInTraining,
  VARIANT_KINDS,
  type VariantKind,
} from "./variant.ts";

/** Pairs a kind that are read against one another: each is many verdicts. */
const PAIRS_PER_KIND = 12;

/** Whom the perturbations are put to beside what the configuration names. */
interface OtherComponents {
  /** Groups of components that need no language model, asked about every case. */
  readonly baselines: readonly ComponentGroup[];
  /** What judges are told apart by beside their own settings: their prompts. */
  readonly judgeSettings: (prompts: PromptTemplates) => ComparedComponent["settings"];
}

/**
 * Makes the cases, and asks every component what it has not answered yet: verifier and baselines all
 * cases, language models the drawn ones, the verifier without a source about pairs.
 * @returns whether all is answered by now.
 */
export async function askPerturbations(
  run: ExperimentRun,
  { baselines, judgeSettings }: OtherComponents,
): Promise<boolean> {
  const { cases, passages } = knowledgeVariants(await factbookFields(FACTUALITY_PATHS.cache));
  CASES.at(run.place(CASES.path)).write(cases);
  const all = labelledCases(cases, passages);
  const drawn = drawnOf(all, cases);
  const pairs = pairCases(cases, PAIRS_PER_KIND);
  await using opened = await openPanel(run);
  const now = () => performance.now();
  const { verifier } = opened;
  const verifying = [
    comparedVerifier(verifier, { name: verifier.name, now }),
    consistencyComponent(opened, { now: () => new Date(), milliseconds: now }),
  ];
  const judges = opened.judges.map((judge) =>
    comparedJudge(judge, {
      name: `${judge.name} (next word)`,
      settings: judgeSettings(opened.prompts),
      now,
    })
  );
  const quick = new Set([verifier.name, ...baselines.flatMap(({ names }) => names)]);
  return await askGroups({
    table: ROBUSTNESS_ANSWERS.at(run.place(ROBUSTNESS_ANSWERS.path)),
    known: [...all, ...pairs],
    casesOf: (component) => {
      if (component === CONSISTENCY) return pairs;
      return quick.has(component) ? all : drawn;
    },
    // Judges last: seconds a claim.
    groups: [groupOf(verifying), ...baselines, groupOf(judges)],
    only: "",
    threads: run.threads,
    signal: run.signal,
    tell: run.tell,
  });
}

/** Components that somebody else opened and disposes of, as a group. */
function groupOf(components: readonly ComparedComponent[]): ComponentGroup {
  const group = { components, [Symbol.asyncDispose]: () => Promise.resolve() };
  return { names: components.map(({ name }) => name), open: () => Promise.resolve(group) };
}

/** Name of the set in every answer about pairs. */
const CONTRADICTION_SET = "contradictions";
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
    id,
    set: CONTRADICTION_SET,
    cluster: country,
    passages: [],
    label: labelOf(kind),
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
  clock: EvaluationClock,
): ComparedComponent {
  const alone = { ...components, judges: [], retriever: undefined, retrieverProblem: undefined };
  return {
    name: CONSISTENCY,
    settings: components.verifier.settings,
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

/** What one component made of one variant. */
export interface DetectionOutcome {
  readonly component: string;
  readonly kind: VariantKind;
  /** What the bootstrap resamples. */
  readonly cluster: string;
  /** Whether the original was accepted; undefined where it has no score. */
  readonly originalAccepted: boolean | undefined;
  /** Whether the variant was not accepted: P(supported) < 0.5; undefined where it has no score. */
  readonly flagged: boolean | undefined;
  /** The verdict's label; undefined for components that only give a score. */
  readonly verdict: VerdictLabel | undefined;
}

/** What of a case its outcomes rest on. */
type VariedCase = Pick<RobustnessCase, "id" | "base" | "country" | "kind">;

/** Each component's outcomes on the cases that it was asked about, from the table of answers. */
export function detectionOutcomes(
  cases: readonly VariedCase[],
  rows: readonly AnswerRow[],
): readonly DetectionOutcome[] {
  const own = rows.filter(({ set }) => set === ROBUSTNESS_SET);
  return [...Map.groupBy(own, ({ component }) => component)].flatMap(([component, answers]) => {
    const byId = new Map(answers.map((row) => [row.case_id, row]));
    return cases.flatMap(({ id, base, kind, country: cluster }) => {
      const [variant, original] = [byId.get(id), byId.get(base)];
      if (variant === undefined || original === undefined) return [];
      const originalAccepted = accepts(answerOfRow(original));
      // A verifier's reason begins with its label; see `answerOfVerdict`.
      const verdict = VERDICT_LABELS.find((label) => variant.reason.startsWith(`${label}: `));
      return [{ component, kind, cluster, originalAccepted, flagged: flagOf(variant), verdict }];
    });
  });
}

/** The same of pairs within one text: a pair is flagged where it is taken for a contradiction. */
export function contradictionOutcomes(
  cases: readonly VariedCase[],
  rows: readonly AnswerRow[],
): readonly DetectionOutcome[] {
  const byId = new Map(cases.map((one) => [one.id, one]));
  return rows.filter(({ set }) => set === CONTRADICTION_SET).flatMap((row) => {
    const { component, case_id } = row;
    const one = byId.get(case_id);
    if (one === undefined) return [];
    const { kind, country: cluster } = one;
    const [originalAccepted, verdict] = [true, undefined];
    return [{ component, kind, cluster, originalAccepted, flagged: flagOf(row), verdict }];
  });
}

function flagOf(row: AnswerRow): boolean | undefined {
  const accepted = accepts(answerOfRow(row));
  return accepted === undefined ? undefined : !accepted;
}

/** How often one component did not accept variants of one kind. A row of the report. */
export interface KindFigure {
  readonly component: string;
  /** A kind, or all of a role together. */
  readonly kind: VariantKind | "all perturbations" | "all controls";
  readonly role: "perturbation" | "control";
  readonly seenInTraining: SeenInTraining | "mixed";
  /** Variants with a score whose original has one, too; and without. */
  readonly n: number;
  readonly unscored: number;
  readonly countries: number;
  /** Of n, those whose original was accepted. */
  readonly originalsAccepted: number;
  /** Share of n not accepted: detection of a perturbation, false alarm of a control. */
  readonly flagged: Measure;
  /** The same of those whose original was accepted. */
  readonly flaggedGivenAccepted: Measure;
  /** How many of the flagged have a verdict's label, which a judge gives none of. */
  readonly labelled: number;
  /** Of these, the share called refuted rather than not enough info. */
  readonly calledRefuted: Measure;
  /** What changes the same part of a text and keeps it true; the empty string for a control. */
  readonly against: string;
  /** Of that control, given that the original was accepted. */
  readonly falseAlarm: Measure;
  /** Detection − false alarm, both given that the original was accepted. */
  readonly difference: Measure;
  readonly dPrime: Measure;
}

const GROUPS: readonly (readonly [KindFigure["kind"], readonly VariantKind[]])[] = [
  ["all perturbations", PERTURBATIONS],
  ["all controls", CONTROLS],
  ...VARIANT_KINDS.map((kind) => [kind, [kind]] as const),
];

/** Every component's figures, all perturbations and all controls before the kinds. */
export function kindFigures(
  outcomes: readonly DetectionOutcome[],
  random: RandomSource,
): readonly KindFigure[] {
  return [...Map.groupBy(outcomes, ({ component }) => component)].flatMap(([component, all]) => {
    const found = GROUPS.flatMap(([kind, kinds]) => {
      const own = all.filter((one) => kinds.includes(one.kind));
      return own.length === 0 ? [] : [[kind, ratesOf(own, random)] as const];
    });
    const rates: Rates = new Map(found);
    return found.map(([kind, { given: _given, ...own }]) => ({
      component,
      kind,
      ...about(kind),
      ...own,
      ...compared(kind, rates),
    }));
  });
}

type Rates = ReadonlyMap<string, ReturnType<typeof ratesOf>>;

function ratesOf(outcomes: readonly DetectionOutcome[], random: RandomSource) {
  const scored = outcomes.flatMap(({ flagged, originalAccepted, cluster, verdict }) =>
    flagged === undefined || originalAccepted === undefined
      ? []
      : [{ cluster, value: flagged, originalAccepted, verdict }]
  );
  const accepted = scored.filter(({ originalAccepted }) => originalAccepted);
  const refuted = scored.filter(({ value, verdict }) => value && verdict !== undefined)
    .map((one) => ({ ...one, value: one.verdict === "refuted" }));
  return {
    n: scored.length,
    unscored: outcomes.length - scored.length,
    countries: new Set(scored.map(({ cluster }) => cluster)).size,
    originalsAccepted: accepted.length,
    flagged: clusteredShare(scored, random),
    flaggedGivenAccepted: clusteredShare(accepted, random),
    labelled: refuted.length,
    calledRefuted: refuted.length === 0
      ? unavailable("none flagged with a label")
      : clusteredShare(refuted, random),
    given: { hits: accepted.filter(({ value }) => value).length, n: accepted.length },
  };
}

function about(kind: KindFigure["kind"]): Pick<KindFigure, "role" | "seenInTraining"> {
  if (kind === "all perturbations") return { role: "perturbation", seenInTraining: "mixed" };
  if (kind === "all controls") return { role: "control", seenInTraining: "mixed" };
  return { role: roleOf(kind), seenInTraining: seenInTraining(kind) };
}

function compared(
  kind: KindFigure["kind"],
  rates: Rates,
): Pick<KindFigure, "against" | "falseAlarm" | "difference" | "dPrime"> {
  const without = (against: string, reason: string) => {
    const none = unavailable(reason);
    return { against, falseAlarm: none, difference: none, dPrime: none };
  };
  const against = controlOf(kind);
  if (against === "") return without(against, "a control is itself the false alarm");
  const [own, control] = [rates.get(kind)!, rates.get(against)];
  if (control === undefined) return without(against, `no answer about ${against}`);
  const falseAlarm = control.flaggedGivenAccepted;
  return {
    against,
    falseAlarm,
    difference: differenceOf(own.flaggedGivenAccepted, falseAlarm),
    dPrime: yesNoDPrime(own.given, control.given),
  };
}

function controlOf(kind: KindFigure["kind"]): string {
  if (kind === "all perturbations") return "all controls";
  return kind !== "all controls" && isPerturbation(kind) ? matchedControl(kind) : "";
}

/** Of every interval here. */
export const CONFIDENCE = 0.95;
const RESAMPLES = 2_000;

/**
 * The share of true values, 0–1, by resampling clusters. Where all are alike resampling would give no
 * width at all: then Wilson's interval as if each cluster were one trial.
 */
export function clusteredShare(
  items: readonly ClusteredValue<boolean>[],
  random: RandomSource,
): Interval | Unavailable {
  const hits = items.filter(({ value }) => value).length;
  if (hits === 0 || hits === items.length) {
    const clusters = new Set(items.map(({ cluster }) => cluster)).size;
    return wilsonInterval(hits === 0 ? 0 : clusters, clusters, CONFIDENCE);
  }
  const statistic = (values: readonly boolean[]) => values.filter(Boolean).length / values.length;
  return clusterBootstrap({
    items,
    statistic,
    resamples: RESAMPLES,
    confidence: CONFIDENCE,
    random,
  });
}

/**
 * a − b, −1 to 1, with an interval from those of the two (MOVER: Zou & Donner 2008, Statistics in
 * Medicine 27, 1693–1702, without their covariance: too wide rather than too narrow where both rest
 * on the same texts).
 */
export function differenceOf(a: Measure, b: Measure): Measure {
  if (a.kind === "unavailable") return a;
  if (b.kind === "unavailable") return b;
  const estimate = a.estimate - b.estimate;
  if (a.kind === "value" || b.kind === "value") return { kind: "value", estimate };
  const below = Math.hypot(a.estimate - a.low, b.high - b.estimate);
  const above = Math.hypot(a.high - a.estimate, b.estimate - b.low);
  return { kind: "interval", estimate, low: estimate - below, high: estimate + above };
}

interface Count {
  readonly hits: number;
  readonly n: number;
}

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
