import type { Measure } from "../../figures/measure.ts";
import type { RandomSource } from "../../stats/random.ts";
import { unavailable } from "../../stats/unavailable.ts";
import type { DetectionOutcome } from "./detection_outcome.ts";
import { clusteredShare, type Count, differenceOf, yesNoDPrime } from "./detection_rate.ts";
import { CONTROLS, isPerturbation, PERTURBATIONS, VARIANT_KINDS } from "./variant.ts";
import type { VariantKind } from "./variant.ts";
import { MATCHED_CONTROL, SEEN_IN_TRAINING, type SeenInTraining } from "./variant_kinds.ts";

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

type Rates = Pick<
  KindFigure,
  | "n"
  | "unscored"
  | "countries"
  | "originalsAccepted"
  | "flagged"
  | "flaggedGivenAccepted"
  | "labelled"
  | "calledRefuted"
>;

const OF_CONTROLS = unavailable("a control is itself the false alarm");

/** Every component's figures, all perturbations and all controls before the kinds. */
export function kindFigures(
  outcomes: readonly DetectionOutcome[],
  random: RandomSource,
): readonly KindFigure[] {
  return [...Map.groupBy(outcomes, ({ component }) => component)]
    .flatMap(([component, own]) => figuresOfComponent(component, own, random));
}

function figuresOfComponent(
  component: string,
  outcomes: readonly DetectionOutcome[],
  random: RandomSource,
): readonly KindFigure[] {
  const rates = new Map<string, { readonly rates: Rates; readonly given: Count }>();
  const groups: readonly (readonly [KindFigure["kind"], readonly VariantKind[]])[] = [
    ["all perturbations", PERTURBATIONS],
    ["all controls", CONTROLS],
    ...VARIANT_KINDS.map((kind) => [kind, [kind]] as const),
  ];
  for (const [name, kinds] of groups) {
    const own = outcomes.filter(({ kind }) => kinds.includes(kind));
    if (own.length > 0) rates.set(name, ratesOf(own, random));
  }
  return groups.flatMap(([kind]) => {
    const found = rates.get(kind);
    return found === undefined
      ? []
      : [{ component, kind, ...about(kind), ...found.rates, ...compared(kind, rates) }];
  });
}

function ratesOf(outcomes: readonly DetectionOutcome[], random: RandomSource) {
  const scored = outcomes.flatMap(({ flagged, originalAccepted, cluster, verdict }) =>
    flagged === undefined || originalAccepted === undefined
      ? []
      : [{ cluster, value: flagged, originalAccepted, verdict }]
  );
  const given = scored.filter(({ originalAccepted }) => originalAccepted);
  const named = scored.filter(({ value, verdict }) => value && verdict !== undefined);
  const refuted = named.map((one) => ({ ...one, value: one.verdict === "refuted" }));
  const rates: Rates = {
    n: scored.length,
    unscored: outcomes.length - scored.length,
    countries: new Set(scored.map(({ cluster }) => cluster)).size,
    originalsAccepted: given.length,
    flagged: clusteredShare(scored, random),
    flaggedGivenAccepted: clusteredShare(given, random),
    labelled: refuted.length,
    calledRefuted: refuted.length === 0
      ? unavailable("none flagged with a label")
      : clusteredShare(refuted, random),
  };
  return { rates, given: { hits: given.filter(({ value }) => value).length, n: given.length } };
}

function about(kind: KindFigure["kind"]): Pick<KindFigure, "role" | "seenInTraining"> {
  if (kind === "all perturbations") return { role: "perturbation", seenInTraining: "mixed" };
  if (kind === "all controls") return { role: "control", seenInTraining: "mixed" };
  return {
    role: isPerturbation(kind) ? "perturbation" : "control",
    seenInTraining: SEEN_IN_TRAINING[kind],
  };
}

function compared(
  kind: KindFigure["kind"],
  rates: ReadonlyMap<string, { readonly rates: Rates; readonly given: Count }>,
): Pick<KindFigure, "against" | "falseAlarm" | "difference" | "dPrime"> {
  const against = controlOf(kind);
  if (against === "") {
    return { against, falseAlarm: OF_CONTROLS, difference: OF_CONTROLS, dPrime: OF_CONTROLS };
  }
  const [own, control] = [rates.get(kind)!, rates.get(against)];
  if (control === undefined) {
    const missing = unavailable(`no answer about ${against}`);
    return { against, falseAlarm: missing, difference: missing, dPrime: missing };
  }
  const falseAlarm = control.rates.flaggedGivenAccepted;
  return {
    against,
    falseAlarm,
    difference: differenceOf(own.rates.flaggedGivenAccepted, falseAlarm),
    dPrime: yesNoDPrime(own.given, control.given),
  };
}

function controlOf(kind: KindFigure["kind"]): string {
  if (kind === "all perturbations") return "all controls";
  return kind !== "all controls" && isPerturbation(kind) ? MATCHED_CONTROL[kind] : "";
}
