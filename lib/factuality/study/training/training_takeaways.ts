import type { Measure } from "../../../figures/measure.ts";
import type { FineTuningResult } from "../../fine_tuning/results_table.ts";
import { writtenMeasure } from "../robustness/written_measure.ts";
import type { DomainRow } from "./domain_table.ts";
import { KNOWLEDGE_TEST, REGIMES } from "./domain_training.ts";
import type { Figure } from "./figure_bounds.ts";
import { NETWORK, resultMeasure } from "./fine_tuning_views.ts";
import { headWords } from "./head_words.ts";
import type { CurveRow } from "./learning_curve.ts";
import type { AblationRow } from "./verifier_ablation.ts";

/** What counts as no gain any more: a point of balanced accuracy. */
const ONE_POINT = 0.01;

/** Which head is best with all countries, and from how many on more of them change little. */
export function curveSentence(rows: readonly CurveRow[], reading: CurveRow["reading"]): string {
  const means = rows.filter((row) => row.seed === "mean" && row.reading === reading);
  const most = Math.max(...means.map(({ countries }) => countries));
  const whole = means.filter(({ countries }) => countries === most);
  const best = whole.reduce((a, b) => b.balanced_accuracy > a.balanced_accuracy ? b : a);
  const own = means.filter((row) => headWords(row) === headWords(best))
    .toSorted((a, b) => a.countries - b.countries);
  const enough = own.find((row) => row.balanced_accuracy >= best.balanced_accuracy - ONE_POINT)!;
  const further = enough.countries < most
    ? `from ${enough.countries} on it is within a point of all: more of the same hardly helps.`
    : "it has not come to its end: more of the same would help.";
  return `With all ${most} training countries the best head (${headWords(best)}) has a balanced ` +
    `accuracy of ${share(best)} on ${best.n} held-out claims, with ${own[0]!.countries} of them ` +
    `${share(own[0]!)}; ${further}`;
}

const share = ({ balanced_accuracy, low, high }: {
  readonly balanced_accuracy: Figure;
  readonly low: Figure;
  readonly high: Figure;
}) => writtenMeasure(measureOf(balanced_accuracy, low, high), "decimal");

function measureOf(estimate: Figure, low: Figure, high: Figure): Measure {
  if (estimate === "" || low === "" || high === "") {
    return { kind: "unavailable", reason: "no interval" };
  }
  return { kind: "interval", estimate, low, high };
}

/** Which groups of features the verifier would be worse without, the largest loss first. */
export function ablationSentence(
  rows: readonly AblationRow[],
  reading: AblationRow["reading"],
): string {
  const without = rows.filter((row) => row.model === "without" && row.reading === reading)
    .toSorted((a, b) => Number(a.difference) - Number(b.difference));
  const missed = without.filter((row) => row.difference_high !== "" && row.difference_high < 0);
  const others = without.filter((row) => !missed.includes(row)).map(({ group }) => group);
  const loss = ({ group, difference }: AblationRow) =>
    `${group} (${(100 * Number(difference)).toFixed(1).replace("-", "−")} points)`;
  return `Worse without ${
    listed(missed.map(loss))
  }. Left out without a loss that could be shown on ` +
    `these claims: ${listed(others)}.`;
}

/** What the claim's words alone give away. */
export function claimAloneSentence(rows: readonly AblationRow[]): string {
  const own = rows.filter(({ model }) => model === "claim alone");
  return `A model that reads claims without sources has a balanced accuracy of ${
    listed(own.map((row) => `${share(row)} (${row.group || "all claims"}, n = ${row.n})`))
  }; 0.50 would be chance.`;
}

const BINARY = { labels: "binary", metric: "balanced accuracy" } as const;

/** Set by set: the network before and after fine-tuning, and the verifier that ships. */
export function fineTuningSentences(rows: readonly FineTuningResult[]): string {
  const own = rows.filter((row) => row.labels === BINARY.labels && row.metric === BINARY.metric);
  return [...Map.groupBy(own, ({ set }) => set)].flatMap(([set, ofSet]) => {
    const of = (model: string) => ofSet.find((row) => row.model === model);
    const after = of(NETWORK.fineTuned);
    if (after === undefined) return [];
    const words = (row: FineTuningResult | undefined) =>
      row === undefined ? "not measured" : writtenMeasure(resultMeasure(row), "decimal") +
        (row.n === after.n ? "" : ` (of ${row.n})`);
    return [
      `- ${set} (n = ${after.n}): ${words(of(NETWORK.frozen))} with the encoder frozen, ` +
      `${words(after)} fine-tuned; the verifier that ships ${words(of(NETWORK.shipped))}.`,
    ];
  }).join("\n");
}

/** On how many sets the fine-tuned network is better or worse than the verifier that ships. */
export function shippedSentence(rows: readonly FineTuningResult[]): string {
  const own = rows.filter((row) => row.labels === BINARY.labels && row.metric === BINARY.metric);
  const pairs = [...Map.groupBy(own, ({ set }) => set).values()].flatMap((ofSet) => {
    const [one, other] = [NETWORK.fineTuned, NETWORK.shipped]
      .map((model) => ofSet.find((row) => row.model === model));
    return one === undefined || other === undefined ? [] : [{ one, other }];
  });
  const better = pairs.filter(({ one, other }) => Number(one.low) > Number(other.high)).length;
  const worse = pairs.filter(({ one, other }) => Number(one.high) < Number(other.low)).length;
  return `Of ${pairs.length} sets that both were measured on, the fine-tuned network is better than ` +
    `the verifier that ships on ${better} and worse on ${worse}, by intervals that do not meet.`;
}

/** What this training gave beyond that on the knowledge base, in points with its interval. */
export function gainWords(
  { difference, difference_low, difference_high }: Pick<
    DomainRow,
    "difference" | "difference_low" | "difference_high"
  >,
): string {
  return writtenMeasure(measureOf(difference, difference_low, difference_high), "percent");
}

/** What half of the own set, or the other sets, give to a head of this kind. */
export function domainSentences(
  rows: readonly DomainRow[],
  kind: Pick<DomainRow, "features" | "head">,
): string {
  const own = rows.filter((row) =>
    row.features === kind.features && row.head === kind.head && row.trained_on !== REGIMES[0]
  );
  return [...Map.groupBy(own, ({ trained_on }) => trained_on)].map(([regime, ofRegime]) => {
    const cells = ofRegime.map((row) =>
      `${row.set === KNOWLEDGE_TEST ? "the knowledge base’s" : row.set} ${gainWords(row)}`
    );
    return `- ${regime}: ${cells.join("; ")}.`;
  }).join("\n");
}

function listed(names: readonly string[]): string {
  return new Intl.ListFormat("en-GB", { type: "conjunction" }).format(names);
}
