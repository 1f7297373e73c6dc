/**
 * Detection rate on perturbed claims, against the false-alarm rate on reworded ones (requirement
 * 14).
 */
import { z } from "zod";
import { unavailable } from "../../../stats/agreement.ts";
import { normalQuantile } from "../../../stats/distributions.ts";
import { type Measure, share, statistic } from "../../../stats/measure.ts";
import type { VerdictLabel } from "../../types.ts";
import * as variants from "./variant.ts";

/**
 * A component's result on one variant: acceptance of the original and flagging of the variant
 * (P(supported) < 0.5), undefined without a score; the verdict's label, undefined for judges; and
 * the cluster.
 */
export interface DetectionOutcome {
  readonly component: string;
  readonly kind: variants.VariantKind;
  readonly cluster: string;
  readonly originalAccepted: boolean | undefined;
  readonly flagged: boolean | undefined;
  readonly verdict: VerdictLabel | undefined;
}

/** A number with four decimals. */
const NUMBER = z.number().transform((value) => Number(value.toFixed(4)));
/** Schema of a measure: with interval, without one, or the reason for none. */
export const MEASURE = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("interval"), estimate: NUMBER, low: NUMBER, high: NUMBER }),
  z.object({ kind: z.literal("value"), estimate: NUMBER, reason: z.string().optional() }),
  z.object({ kind: z.literal("unavailable"), reason: z.string().min(1) }),
]);

const COUNT = z.int().min(0);

/** Detection or false-alarm rate of a component by kind, a row of the report. */
export const KIND_FIGURE = z.object({
  component: z.string(),
  /** A kind of change, or all of a role together. */
  kind: z.enum([...variants.VARIANT_KINDS, "all perturbations", "all controls"]),
  role: z.enum(["perturbation", "control"]),
  seenInTraining: z.enum(["yes", "no", "mixed"]),
  /** Number of variants scored together with their originals; then of those unscored. */
  n: COUNT,
  unscored: COUNT,
  countries: COUNT,
  /** Number of these whose original was accepted. */
  originalsAccepted: COUNT,
  /** Share of n not accepted: detection rate of a perturbation, false-alarm rate of a control. */
  flagged: MEASURE,
  /** The same share among those whose original was accepted. */
  flaggedGivenAccepted: MEASURE,
  /** Number of flagged variants with a verdict's label; none for judges. */
  labelled: COUNT,
  /** Share of these labelled refuted, not "not enough info". */
  calledRefuted: MEASURE,
  /** Matched control, which changes the same part and keeps the text true; empty for a control. */
  against: z.string(),
  /** False-alarm rate of that control, given that the original was accepted. */
  falseAlarm: MEASURE,
  /** Detection minus false alarm, both given that the original was accepted. */
  difference: MEASURE,
  dPrime: MEASURE,
});
export type KindStatistics = Readonly<z.infer<typeof KIND_FIGURE>>;

const ALL_KINDS = { seenInTraining: "mixed", against: "all controls" } as const;
/** Groups of kinds with their role and matched control. */
const GROUPS: readonly (
  & Pick<KindStatistics, "kind" | "role" | "seenInTraining" | "against">
  & { readonly kinds: readonly variants.VariantKind[] }
)[] = [
  { ...ALL_KINDS, kind: "all perturbations", role: "perturbation", kinds: variants.PERTURBATIONS },
  { ...ALL_KINDS, kind: "all controls", role: "control", kinds: variants.CONTROLS, against: "" },
  ...variants.VARIANT_KINDS.map((kind) => ({
    kind,
    kinds: [kind],
    role: variants.roleOf(kind),
    seenInTraining: variants.seenInTraining(kind),
    against: variants.matchedControl(kind),
  })),
];

/** Figures of every component: all perturbations, all controls, then each kind. */
export const kindFigures = (outcomes: readonly DetectionOutcome[]) =>
  [...Map.groupBy(outcomes, ({ component }) => component)].flatMap(([component, all]) => {
    const rates = new Map(GROUPS.flatMap(({ kind, kinds }) => {
      const ofKinds = all.filter((one) => kinds.includes(one.kind));
      return ofKinds.length === 0 ? [] : [[kind as string, ratesOf(ofKinds)] as const];
    }));
    return GROUPS.flatMap(({ kinds: _kinds, ...group }) => {
      const kindRates = rates.get(group.kind);
      if (kindRates === undefined) return [];
      const { hits, accepted, ...figures } = kindRates;
      const control = rates.get(group.against);
      const none = unavailable(
        group.against === ""
          ? "a control is itself the false alarm"
          : `no answer about ${group.against}`,
      );
      const compared = control === undefined
        ? { falseAlarm: none, difference: none, dPrime: none }
        : {
          falseAlarm: control.flaggedGivenAccepted,
          difference: differenceOf(accepted, control.accepted),
          dPrime: yesNoDPrime(
            { hits, n: figures.originalsAccepted },
            { hits: control.hits, n: control.originalsAccepted },
          ),
        };
      return [{ component, ...group, ...figures, ...compared }];
    });
  });

/** A variant of a cluster's text, flagged or not. */
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

/** Difference between the shares of two samples, −1 to 1, by common clusters. */
export function differenceOf(a: readonly Flagged[], b: readonly Flagged[]): Measure {
  const items = [a, b].flatMap((flagged, at) =>
    flagged.map(({ cluster, value }) => ({ cluster, value: { value, isFirst: at === 0 } }))
  );
  type Values = readonly typeof items[number]["value"][];
  const shareIn = (drawn: Values, isFirst: boolean) => {
    const ofSample = drawn.filter((one) => one.isFirst === isFirst);
    return ofSample.length === 0
      ? undefined
      : ofSample.filter(({ value }) => value).length / ofSample.length;
  };
  return statistic(items, (drawn) => {
    const [one, other] = [shareIn(drawn, true), shareIn(drawn, false)];
    return one === undefined || other === undefined ? undefined : one - other;
  }, { bounds: [-1, 1] });
}

type Count = Readonly<Record<"hits" | "n", number>>;

/**
 * Sensitivity d′ = z(detections) − z(false alarms) of a yes–no task, in standard deviations. At 0
 * the component cannot distinguish perturbed from reworded claims. Log-linear correction, (hits +
 * 0.5) / (n + 1), after Hautus (1995). Unavailable where either has no trial.
 */
export function yesNoDPrime(detection: Count, falseAlarm: Count): Measure {
  if (detection.n === 0 || falseAlarm.n === 0) return unavailable("no trials of one of the two");
  const z = ({ hits, n }: Count) => normalQuantile((hits + 0.5) / (n + 1));
  return { kind: "value", estimate: z(detection) - z(falseAlarm) };
}
