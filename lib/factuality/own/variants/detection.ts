/**
 * How often a component no longer accepts a true claim once one thing in it is made false, beside how often
 * it no longer accepts it merely reworded (requirement 14).
 */
import { z } from "zod";
import { unavailable } from "../../../stats/agreement.ts";
import { normalQuantile } from "../../../stats/distributions.ts";
import { type Measure, share, statistic } from "../../../stats/measure.ts";
import type { VerdictLabel } from "../../types.ts";
import * as variants from "./variant.ts";

/**
 * What one component made of one variant: whether the original was accepted and the variant was not
 * (P(supported) < 0.5), undefined without a score; the verdict's label, undefined for components that only
 * give a score; and the cluster of its intervals.
 */
export interface DetectionOutcome {
  readonly component: string;
  readonly kind: variants.VariantKind;
  readonly cluster: string;
  readonly originalAccepted: boolean | undefined;
  readonly flagged: boolean | undefined;
  readonly verdict: VerdictLabel | undefined;
}

/** With four decimals, and without what the figure rests on. */
const NUMBER = z.number().transform((value) => Number(value.toFixed(4)));
/** A figure with its interval, without one, or the reason that there is none. */
export const MEASURE = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("interval"), estimate: NUMBER, low: NUMBER, high: NUMBER }),
  z.object({ kind: z.literal("value"), estimate: NUMBER, reason: z.string().optional() }),
  z.object({ kind: z.literal("unavailable"), reason: z.string().min(1) }),
]);

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
export type KindStatistics = Readonly<z.infer<typeof KIND_FIGURE>>;

const ALL = { seenInTraining: "mixed", against: "all controls" } as const;
/** Kinds that are told of together, with their role and the control that each is set against. */
const GROUPS: readonly (
  & Pick<KindStatistics, "kind" | "role" | "seenInTraining" | "against">
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
