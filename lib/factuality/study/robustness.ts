/** What notebook 44 shows of perturbations, orders, repetitions, swaps and BBQ. */
import { mean } from "simple-statistics";
import type { MeasuredRow } from "../../figures/rows.ts";
import { markdownTable } from "../../figures/table.ts";
import { isDrawable, type Measure, writtenMeasure, writtenPoints } from "../../figures/theme.ts";
import { randomSource } from "../../stats/random.ts";
import type { BbqReadout } from "../bias/bbq.ts";
import type { BbqResult } from "../bias/tables.ts";
import { makeVariant, type Variant } from "../robustness/cases.ts";
import type { KindFigure } from "../robustness/detection.ts";
import { orderStability, orderSummaries, type OrderSummary } from "../robustness/orders.ts";
import type { OwnVariant } from "../robustness/own_text.ts";
import { repetitionSummaries, VARIANCE_BAR } from "../robustness/repetitions.ts";
import type { RobustnessReport } from "../robustness/report.ts";
import { beyondControls, SWAP_THRESHOLD, swapSummaries } from "../robustness/swaps.ts";
import type { OrderRow, RepetitionRow, RobustnessCase, SwapRow } from "../robustness/tables.ts";
import {
  isPerturbation,
  roleOf,
  seenInTraining,
  VARIANT_KINDS,
  type VariantTools,
} from "../robustness/variant.ts";
import type { Verdict } from "../types.ts";
import { shortName } from "./evaluation.ts";
import { measureOf } from "./tables.ts";

/** What the example is checked against; Kenya is no country that anything was trained on. */
export const EXAMPLE_SOURCE =
  "Kenya was a British colony until 12 December 1963, when it gained independence from the UK. " +
  "Founding president Jomo Kenyatta led Kenya from then until his death in 1978. The country joined " +
  "the UN in 1963. It has 58.2 million people, a coastline of 536 km on the Indian Ocean and a total " +
  "area of 580,367 sq km. The capital is Nairobi. Most of its people live in the southwest. The infant " +
  "mortality rate is 27.1 deaths per 1,000 live births.";

/** True of the source, sentence by sentence; every kind of change finds a place in one of them. */
export const EXAMPLE_TEXT: readonly string[] = [
  "On 12 December 1963, Kenya gained independence from the UK.",
  "Jomo Kenyatta led Kenya until 1978.",
  "Kenya's coastline is 536 km long.",
  "The capital of Kenya is Nairobi.",
  "Most of the people of Kenya live in the southwest.",
  "The infant mortality of Kenya is 27.1 deaths per 1,000 live births.",
  "Kenya joined the UN in 1963.",
  "Kenya has 58,200,000 people.",
];

/** The first sentence that each kind finds a place in, changed. The same seed gives the same. */
export function exampleVariants(
  sentences: readonly string[],
  tools: VariantTools,
  seed: number | string,
): readonly Variant[] {
  return VARIANT_KINDS.flatMap((kind) => {
    const made = sentences.map((text) =>
      makeVariant(kind, text, tools, randomSource(`${seed}/${kind}`))
    );
    return made.find((variant) => variant !== undefined) ?? [];
  });
}

/** Kind, what stood there and stands there now, and how it reads; a space is shown where it counts. */
export function variantsTable(variants: readonly Variant[]): string {
  const shown = (text: string) => text === "" ? "(nothing)" : `“${text}”`;
  return markdownTable(
    ["kind", "role", "was", "is", "reads"],
    variants.map(({ kind, from, to, text }) => [kind, roleOf(kind), shown(from), shown(to), text]),
  );
}

/** How many cases there are of each kind, and one of them. */
export function kindsTable(cases: readonly RobustnessCase[]): string {
  return markdownTable(
    ["kind", "role", "seen in training", "cases", "countries", "example"],
    VARIANT_KINDS.map((kind) => {
      const own = cases.filter((one) => one.kind === kind);
      const [example] = own.toSorted((a, b) => a.changed.length - b.changed.length);
      return [
        kind,
        roleOf(kind),
        seenInTraining(kind),
        own.length,
        new Set(own.map(({ country }) => country)).size,
        example && `${example.original} → ${example.changed}`,
      ];
    }),
  );
}

/** A text's variants on which the verdict is not what it should be, or the reason that there are none. */
export function missedTable(variants: readonly OwnVariant[]): string {
  const words = (verdict: Verdict) =>
    verdict.kind === "scored"
      ? `${verdict.label}, P(supported) ${verdict.probabilities.supported.toFixed(2)}`
      : `– (${verdict.reason})`;
  const missed = variants.filter(({ kind, after }) =>
    after.kind !== "scored" || isPerturbation(kind) === (after.label === "supported")
  );
  if (missed.length === 0) return "Every perturbation was flagged and every control accepted.";
  return markdownTable(
    ["kind", "role", "reads", "before", "after"],
    missed.map(({ kind, changed, before, after }) => [
      kind,
      roleOf(kind),
      changed,
      words(before),
      words(after),
    ]),
  );
}

/** Each kind of perturbation with the detection of every component, in per cent of accepted originals. */
export function detectionByComponentTable(figures: readonly KindFigure[]): string {
  const components = [...new Set(figures.map(({ component }) => component))];
  const share = (measure: Measure | undefined) =>
    measure && isDrawable(measure) ? (100 * measure.estimate).toFixed(0) : undefined;
  return markdownTable(
    ["kind", "role", ...components.map(shortName)],
    [...Map.groupBy(figures, ({ kind }) => kind)].map(([kind, own]) => [
      kind,
      own[0]!.role,
      ...components.map((name) =>
        share(own.find(({ component }) => component === name)?.flaggedGivenAccepted)
      ),
    ]),
  );
}

/** Rows of a forest plot: detection of each perturbation under its name, false alarm of its control beneath. */
export function detectionRows(
  figures: readonly KindFigure[],
  component: string,
): readonly MeasuredRow[] {
  return figures.filter((one) =>
    one.component === component && one.role === "perturbation" && one.kind !== "all perturbations"
  ).flatMap(({ kind, against, flaggedGivenAccepted, falseAlarm }) => {
    const group = `${kind} (control: ${against})`;
    return [
      { group, label: "detected", measure: flaggedGivenAccepted },
      { group, label: "false alarm", measure: falseAlarm },
    ];
  });
}

/** Rows of a forest plot: detection less false alarm of all perturbations, a component a row. */
export function overallRows(figures: readonly KindFigure[]): readonly MeasuredRow[] {
  return figures.filter(({ kind }) => kind === "all perturbations")
    .map(({ component, difference }) => ({ label: shortName(component), measure: difference }));
}

/** What each section of a report holds. */
export function sectionsTable(report: RobustnessReport): string {
  const names = ["perturbations", "contradictions", "orders", "repetitions", "swaps"] as const;
  return markdownTable(
    ["section", "rows", "components", "why there are none"],
    names.map((name) => {
      const section = report[name];
      if (section.kind === "unavailable") return [name, 0, 0, section.reason];
      const components = new Set(section.rows.map(({ component }) => component));
      return [name, section.rows.length, components.size, ""];
    }),
  );
}

/** How far each component's choices bear the exchange of two texts, and how often they are right. */
export function orderTable(rows: readonly OrderRow[]): string {
  return markdownTable(
    ["component", "pairs", "unscored", "countries", "position consistency (%)"]
      .concat(["preference fairness", "with a winner (%)", "of these right (%)"]),
    orderSummaries(rows).map((one) => [
      one.component,
      one.pairs,
      one.unscored,
      one.countries,
      writtenMeasure(one.consistency, "percent"),
      writtenMeasure(one.preferenceFairness, "decimal"),
      writtenMeasure(one.decided, "percent"),
      writtenMeasure(one.accuracy, "percent"),
    ]),
  );
}

/** How often the true text wins against the same with one, two and three errors, of all pairs. */
export function errorsTable(rows: readonly OrderRow[]): string {
  const counts = [1, 2, 3];
  const byErrors = counts.map((errors) =>
    orderSummaries(rows.filter((row) => row.errors_a === 0 && row.errors_b === errors))
  );
  const cell = (summary: OrderSummary | undefined) =>
    summary && `${summary.right} of ${summary.pairs}`;
  return markdownTable(
    ["component", ...counts.map((errors) => `true text wins against ${errors}`)],
    orderSummaries(rows).map(({ component: name }) => [
      name,
      ...byErrors.map((all) => cell(all.find(({ component }) => component === name))),
    ]),
  );
}

/** How often a judge that draws its words says the same again. */
export function stabilityTable(rows: readonly OrderRow[]): string {
  return markdownTable(
    ["component", "seeds", "queries", "most frequent choice (%)"],
    orderStability(rows).map(({ component, repetitions, queries, stability }) => [
      component,
      repetitions,
      queries,
      writtenMeasure(stability, "percent"),
    ]),
  );
}

/** Mean score of the texts with 0, 1, 2 and 3 errors, by every component that scores texts. */
export function ladderScoresTable(rows: readonly OrderRow[]): string {
  const scores = rows.flatMap(({ component, country, errors_a, errors_b, score_a, score_b }) =>
    [[errors_a, score_a] as const, [errors_b, score_b] as const]
      .flatMap(([errors, score]) => score === "" ? [] : [{ component, country, errors, score }])
  );
  const errors = [...new Set(scores.map((one) => one.errors))].sort();
  return markdownTable(
    ["component", "countries", ...errors.map((count) => `${count} errors`)],
    [...Map.groupBy(scores, ({ component }) => component)].map(([component, own]) => [
      component,
      new Set(own.map(({ country }) => country)).size,
      ...errors.map((count) =>
        mean(own.filter((one) => one.errors === count).map(({ score }) => score)).toFixed(1)
      ),
    ]),
  );
}

/** How far apart each component's scores of the same text lie, against the bar. */
export function repetitionTable(rows: readonly RepetitionRow[]): string {
  return markdownTable(
    ["component", "texts", "evaluations", "without a score", "mean variance (points²)"].concat([
      "largest variance",
      "largest range (points)",
      `under ${VARIANCE_BAR} points² (%)`,
      `standard deviation under ${VARIANCE_BAR} points (%)`,
    ]),
    repetitionSummaries(rows).map((one) => [
      one.component,
      one.texts,
      one.evaluations,
      one.failures,
      writtenMeasure(one.variance, "decimal"),
      writtenPoints(one.largestVariance),
      writtenPoints(one.largestRange),
      writtenMeasure(one.underBar, "percent"),
      writtenMeasure(one.deviationUnderBar, "percent"),
    ]),
  );
}

/** How far scores move with each change, by component; controls among them. */
export function swapTable(rows: readonly SwapRow[]): string {
  return markdownTable(
    ["component", "changed", "pairs", "portraits", "mean absolute difference (points)", "largest"]
      .concat([`over ${SWAP_THRESHOLD} points (%)`, "over 50 before, not after, or so (%)"]),
    swapSummaries(rows).map((one) => [
      one.component,
      one.change,
      one.pairs,
      one.portraits,
      writtenMeasure(one.meanAbsolute, "decimal"),
      writtenPoints(one.largest),
      writtenMeasure(one.inconsistent, "percent"),
      writtenMeasure(one.flipped, "percent"),
    ]),
  );
}

/** Rows of a forest plot: what a trait does beyond its control, traits under their components. */
export function beyondRows(rows: readonly SwapRow[]): readonly MeasuredRow[] {
  return beyondControls(rows).map(({ component, trait, difference }) => ({
    group: shortName(component),
    label: trait,
    measure: difference,
  }));
}

/** An axis from below 0 to above it that holds every interval of the rows. */
export function domainOf(rows: readonly MeasuredRow[]): readonly [number, number] {
  const ends = rows.flatMap(({ measure }) => {
    if (!isDrawable(measure)) return [];
    return measure.kind === "interval" ? [measure.low, measure.high] : [measure.estimate];
  });
  return [
    Math.min(-1, Math.floor(Math.min(0, ...ends))),
    Math.max(1, Math.ceil(Math.max(0, ...ends))),
  ];
}

const biasOf = ({ bias, bias_low, bias_high, unavailable }: BbqResult) =>
  measureOf(bias, bias_low, bias_high, unavailable);

/** Accuracy and bias scores by model, category and kind of context, under one readout. */
export function bbqTable(results: readonly BbqResult[], readout: BbqReadout): string {
  return markdownTable(
    ["model", "category", "context", "items", "questions", "accuracy (%)"]
      .concat(["answers that name somebody", "with the stereotype", "bias score"]),
    results.filter((one) => one.readout === readout).map((one) => [
      one.model,
      one.category.replaceAll("_", " "),
      one.context,
      one.items,
      one.questions,
      writtenMeasure(
        measureOf(one.accuracy, one.accuracy_low, one.accuracy_high, one.unavailable),
        "percent",
      ),
      one.not_unknown,
      one.biased,
      writtenMeasure(biasOf(one), "decimal"),
    ]),
  );
}

/** Rows of a forest plot: bias scores in one kind of context, categories under each model. */
export function bbqRows(
  results: readonly BbqResult[],
  readout: BbqReadout,
  context: BbqResult["context"],
): readonly MeasuredRow[] {
  return results.filter((one) => one.readout === readout && one.context === context)
    .map((one) => ({
      group: shortName(one.model),
      label: one.category.replaceAll("_", " "),
      measure: biasOf(one),
    }));
}
