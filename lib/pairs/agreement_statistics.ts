import { clusterBootstrap } from "../stats/intervals.ts";
import { cohenKappa } from "../stats/agreement.ts";
import { randomSource } from "../stats/random.ts";
import type { IntervalSettings } from "./clustered_statistic.ts";
import type { Statistic } from "./statistics_row.ts";

/** What the two modes say of one pair. */
export interface TwoModes {
  readonly lemma: string;
  /** Right in every order asked. */
  readonly forcedChoiceRight: boolean;
  /** The grammatical member has the higher total log-probability; a tie is not right. */
  readonly likelihoodRight: boolean;
}

const METHOD = "Cohen's kappa between forced choice (right in all orders) and total likelihood";

/** Agreement beyond chance of a model's two modes over the same pairs. */
export function agreementStatistic(
  place: Pick<Statistic, "model" | "phenomenon">,
  items: readonly TwoModes[],
  { seed, resamples = 2000, confidence = 0.95 }: IntervalSettings,
): Statistic {
  const measure = "agreement_kappa";
  const clusters = new Set(items.map(({ lemma }) => lemma)).size;
  const row = { ...place, measure, n: items.length, clusters };
  const kappa = kappaOf(items);
  if (kappa.kind === "unavailable") {
    return { ...row, value: { kind: "unavailable" }, method: kappa.reason };
  }
  const interval = clusterBootstrap({
    items: items.map((value) => ({ cluster: value.lemma, value })),
    statistic: (values) => {
      const found = kappaOf(values);
      return found.kind === "kappa" ? found.kappa : undefined;
    },
    resamples,
    confidence,
    random: randomSource([seed, place.model, place.phenomenon, measure].join("|")),
  });
  if (interval.kind === "unavailable") {
    const method = `${METHOD}; no interval: ${interval.reason}`;
    return { ...row, value: { kind: "point", estimate: kappa.kappa }, method };
  }
  const { estimate, low, high } = interval;
  return {
    ...row,
    value: { kind: "interval", estimate, low, high },
    method: `${METHOD}; cluster bootstrap by lemma`,
  };
}

function kappaOf(items: readonly TwoModes[]) {
  return cohenKappa(
    items.map(({ forcedChoiceRight }) => forcedChoiceRight),
    items.map(({ likelihoodRight }) => likelihoodRight),
  );
}
