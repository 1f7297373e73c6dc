/** Findings 6 and 7 of RESULTS.md: rankings, and recovery of planted effects. */
import { measureOfFields, shown, shownNumber } from "../../stats/measure.ts";
import { formatTable } from "../../translation/analysis/estimate.ts";
import type { Finding } from "../../figures/finding.ts";
import { coverageByEffect } from "./simulation/recovery.ts";
import type {
  RankAgreement,
  RepeatedChecks,
  RepeatedEffect,
  WMT23_MEASURES,
  Wmt23Pair,
} from "./tables.ts";

/** Names of WMT23's measures as its papers write them. */
const NAMES: Readonly<Record<typeof WMT23_MEASURES[number], string>> = {
  esa1: "ESA-1",
  esa2: "ESA-2",
  da_sqm: "DA+SQM",
  mqm: "MQM",
};

/** Rank agreement of two measures. It is compared with that of two rounds of ESA. */
export const agreementTable = (agreements: readonly RankAgreement[]): string =>
  formatTable(agreements, {
    rankings: ({ first, second }) => `${NAMES[first]}, ${NAMES[second]}`,
    "τ-b": (row) => shown(measureOfFields({ ...row, estimate: row.kendall_tau_b }), 2),
    "pairs in the same order (%)": (row) => shownNumber(100 * row.pairwise_accuracy, 1),
    "difference from ESA-1, ESA-2": ({ difference, difference_low: low, difference_high: high }) =>
      difference === ""
        ? undefined
        : shown(measureOfFields({ estimate: difference, low, high }), 2),
  });

/** Finding 6: how alike two rounds of one measure rank systems, and two measures. */
export function rankingsFinding(
  agreements: readonly RankAgreement[],
  pairs: readonly Wmt23Pair[],
): Finding {
  const rounds = agreements.find(({ difference }) => difference === "");
  if (rounds === undefined) {
    throw new RangeError("Cannot write finding 6: the agreement of both rounds of ESA is missing.");
  }
  const others = agreements.filter(({ difference }) => difference !== "");
  const apart =
    others.filter(({ difference_low: low, difference_high: high }) =>
      Number(low) > 0 || Number(high) < 0
    ).length;
  const different = [...Map.groupBy(pairs, ({ measure }) => measure).values()]
    .map((tested) => tested.filter((pair) => pair.different).length);
  const perMeasure = pairs.length / different.length;
  return {
    number: 6,
    title: apart === 0
      ? "It is not shown that two rounds of one measure agree better than two different measures"
      : `${apart} of ${others.length} pairs of measures agree otherwise than two rounds of one`,
    parts: [
      `Two rounds of ESA rank WMT23's ${rounds.systems} English–German systems with τ-b ` +
      `${shown(measureOfFields({ ...rounds, estimate: rounds.kendall_tau_b }), 2)} ` +
      `(${rounds.segments} segments, intervals by ${rounds.documents} documents). ` +
      `Depending on the measure, ${Math.min(...different)} to ${Math.max(...different)} of ` +
      `${perMeasure} pairs of systems differ significantly (Holm-adjusted).`,
      agreementTable(agreements),
    ],
    soWhat: "resample documents, and rate twice before you rank two neighbours.",
    files: ["wmt23_systems.csv", "wmt23_pairs.csv", "wmt23_rank_agreement.csv"],
  };
}

/** Finding 7: systems that differ, coverage of planted effects, and what exposes a careless rater. */
export function plantedFinding(
  { order, systems, items, significant, byDocument, effects, raters }: {
    /** Kendall's τ-b of planted quality and mean score, as it is written. */
    readonly order: string;
    readonly systems: number;
    readonly items: number;
    /** Pairs of systems that differ after Holm's adjustment, by sentence and by document. */
    readonly significant: number;
    readonly byDocument: { readonly significant: number; readonly documents: number };
    readonly effects: readonly RepeatedEffect[];
    /** Attention checks of each rater, with the weighted κ of repeats. */
    readonly raters: readonly (RepeatedChecks & { readonly kappa: string })[];
  },
): Finding {
  const coverage = coverageByEffect(effects).toSorted((a, b) => a.share - b.share);
  const [least, most] = [coverage[0]!, coverage.at(-1)!];
  const percent = (share: number) => shownNumber(100 * share, 0);
  return {
    number: 7,
    title: "Repeats expose a careless rater; attention checks often do not",
    parts: [
      `${raters.length} simulated raters scored ${systems} systems on ${items} sentences. ` +
      `Their mean scores rank the systems in the planted order (τ-b ${order}). By sentence, ` +
      `${significant} of ${systems * (systems - 1) / 2} pairs differ after Holm's adjustment. By ` +
      `document ${byDocument.significant} of them differ significantly, since ${byDocument.documents} documents are ` +
      `too few. The 95 % interval of an effect includes the planted value in ` +
      `${percent(least.share)} to ${percent(most.share)} % of ${raters[0]!.sessions} sessions ` +
      `(nominal: 95 %; the share depends on the effect). Coverage is lowest for the ${
        least.effect.replace("multiples of 5", "round scores (multiples of 5)")
      }.`,

      formatTable(raters, {
        "simulated rater": ({ rater }) => rater.replace("simulated_", ""),
        "leaves unread (%)": ({ unread }) => percent(unread),
        "sessions with every check passed": ({ all_passed, sessions }) =>
          `${all_passed} of ${sessions}`,
        "weighted κ of repeats": ({ kappa }) => kappa,
      }),
    ],
    soWhat: "plan repeats rather than checks.",
    files: ["planted_effects.csv", "repeated_sessions.csv", "repeated_checks.csv"],
  };
}
