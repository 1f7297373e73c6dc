/** What notebook 44 shows where a cell would have to be long: kinds of change, ladders, BBQ. */
import { mean } from "simple-statistics";
import type { MeasuredRow } from "../../figures/rows.ts";
import { isDrawable } from "../../figures/theme.ts";
import { randomSource } from "../../stats/random.ts";
import { makeVariant, type Variant } from "../robustness/cases.ts";
import type { KindFigure } from "../robustness/detection.ts";
import { orderSummaries } from "../robustness/orders.ts";
import type { OwnVariant, RobustnessReport } from "../robustness/report.ts";
import type { BbqResult, OrderRow, RobustnessCase } from "../robustness/tables.ts";
import { isPerturbation, roleOf, seenInTraining } from "../robustness/variant.ts";
import { VARIANT_KINDS, type VariantTools } from "../robustness/variant.ts";
import type { Verdict } from "../types.ts";
import { shortName } from "./evaluation.ts";
import { decimal, figureOf, headedTable, measureOf, percent } from "./tables.ts";

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
export const exampleVariants = (
  sentences: readonly string[],
  tools: VariantTools,
  seed: number | string,
): readonly Variant[] =>
  VARIANT_KINDS.flatMap((kind) => {
    const random = () => randomSource(`${seed}/${kind}`);
    const made = sentences.map((text) => makeVariant(kind, text, tools, random()));
    return made.find((variant) => variant !== undefined) ?? [];
  });

/** How many cases there are of each kind, and one of them. */
export function kindsTable(cases: readonly RobustnessCase[]) {
  const rows = VARIANT_KINDS.map((kind) => {
    const own = cases.filter((one) => one.kind === kind);
    const [shortest] = own.toSorted((a, b) => a.changed.length - b.changed.length);
    const example = shortest && `${shortest.original} → ${shortest.changed}`;
    const countries = new Set(own.map(({ country }) => country)).size;
    return [kind, roleOf(kind), seenInTraining(kind), own.length, countries, example];
  });
  return headedTable("kind | role | seen in training | cases | countries | example", rows);
}

/** A text's variants on which the verdict is not what it should be, or the reason that there are none. */
export function missedTable(variants: readonly OwnVariant[]) {
  const words = (verdict: Verdict) =>
    verdict.kind === "scored"
      ? `${verdict.label}, P(supported) ${verdict.probabilities.supported.toFixed(2)}`
      : `– (${verdict.reason})`;
  const missed = variants.filter(({ kind, after }) =>
    after.kind !== "scored" || isPerturbation(kind) === (after.label === "supported")
  );
  if (missed.length === 0) return "Every perturbation was flagged and every control accepted.";
  const rows = missed.map(({ kind, changed, before, after }) => {
    return [kind, roleOf(kind), changed, words(before), words(after)];
  });
  return headedTable("kind | role | reads | before | after", rows);
}

/** Each kind of perturbation with the detection of every component, in per cent of accepted originals. */
export function detectionByComponentTable(figures: readonly KindFigure[]) {
  const components = [...new Set(figures.map(({ component }) => component))];
  const rows = [...Map.groupBy(figures, ({ kind }) => kind)].map(([kind, own]) => {
    const shares = components.map((name) => {
      const share = own.find(({ component }) => component === name)?.flaggedGivenAccepted;
      return share && isDrawable(share) ? (100 * share.estimate).toFixed(0) : undefined;
    });
    return [kind, own[0]!.role, ...shares];
  });
  return headedTable(["kind | role", ...components.map(shortName)].join(" | "), rows);
}

/** Rows of a forest plot: detection of each perturbation under its name, false alarm of its control beneath. */
export const detectionRows = (figures: readonly KindFigure[], component: string) =>
  figures.filter((one) =>
    one.component === component && one.role === "perturbation" && one.kind !== "all perturbations"
  ).flatMap(({ kind, against, flaggedGivenAccepted, falseAlarm }) => {
    const group = `${kind} (control: ${against})`;
    return [
      { group, label: "detected", measure: flaggedGivenAccepted },
      { group, label: "false alarm", measure: falseAlarm },
    ];
  });

/** What each section of a report holds. */
export function sectionsTable(report: RobustnessReport) {
  const names = ["perturbations", "contradictions", "orders", "repetitions", "swaps"] as const;
  const rows = names.map((name) => {
    const section = report[name];
    if (section.kind === "unavailable") return [name, 0, 0, section.reason];
    const components = new Set(section.rows.map(({ component }) => component));
    return [name, section.rows.length, components.size, ""];
  });
  return headedTable("section | rows | components | why there are none", rows);
}

/** How often the true text wins against the same with one, two and three errors, of all pairs. */
export function errorsTable(rows: readonly OrderRow[]) {
  const counts = [1, 2, 3];
  const byErrors = counts.map((errors) =>
    orderSummaries(rows.filter((row) => row.errors_a === 0 && row.errors_b === errors))
  );
  const cells = orderSummaries(rows).map(({ component }) => {
    const wins = byErrors.map((all) => {
      const found = all.find((one) => one.component === component);
      return found && `${found.right} of ${found.pairs}`;
    });
    return [component, ...wins];
  });
  const columns = counts.map((errors) => `true text wins against ${errors}`);
  return headedTable(["component", ...columns].join(" | "), cells);
}

/** Mean score of the texts with 0, 1, 2 and 3 errors, by every component that scores texts. */
export function ladderScoresTable(rows: readonly OrderRow[]) {
  const scores = rows.flatMap(({ component, country, errors_a, errors_b, score_a, score_b }) =>
    [[errors_a, score_a] as const, [errors_b, score_b] as const]
      .flatMap(([errors, score]) => score === "" ? [] : [{ component, country, errors, score }])
  );
  const errors = [...new Set(scores.map((one) => one.errors))].sort();
  const cells = [...Map.groupBy(scores, ({ component }) => component)].map(([component, own]) => {
    const means = errors.map((count) => {
      const some = own.filter((one) => one.errors === count);
      return mean(some.map(({ score }) => score)).toFixed(1);
    });
    return [component, new Set(own.map(({ country }) => country)).size, ...means];
  });
  const columns = errors.map((count) => `${count} errors`);
  return headedTable(["component | countries", ...columns].join(" | "), cells);
}

/** An axis from below 0 to above it that holds every interval of the rows. */
export function domainOf(rows: readonly MeasuredRow[]): readonly [number, number] {
  const ends = rows.flatMap(({ measure }) => {
    if (!isDrawable(measure)) return [];
    return measure.kind === "interval" ? [measure.low, measure.high] : [measure.estimate];
  });
  return [Math.floor(Math.min(-1, ...ends)), Math.ceil(Math.max(1, ...ends))];
}

const biasOf = ({ bias, bias_low, bias_high, unavailable }: BbqResult) =>
  measureOf(bias, bias_low, bias_high, unavailable);

/** Accuracy and bias scores by model, category and kind of context, under one readout. */
export function bbqTable(results: readonly BbqResult[], readout: BbqResult["readout"]) {
  const rows = results.filter((one) => one.readout === readout).map((one) => {
    const { model, category, context, items, questions, not_unknown, biased } = one;
    const right = percent(figureOf(one, "accuracy", one.unavailable));
    const named = [model, category.replaceAll("_", " "), context, items, questions];
    return [...named, right, not_unknown, biased, decimal(biasOf(one))];
  });
  const measures = "accuracy (%) | answers that name somebody | with the stereotype | bias score";
  return headedTable(`model | category | context | items | questions | ${measures}`, rows);
}

/** Rows of a forest plot: bias scores in one kind of context, categories under each model. */
export const bbqRows = (
  results: readonly BbqResult[],
  readout: BbqResult["readout"],
  context: BbqResult["context"],
): readonly MeasuredRow[] =>
  results.filter((one) => one.readout === readout && one.context === context).map((one) => {
    const label = one.category.replaceAll("_", " ");
    return { group: shortName(one.model), label, measure: biasOf(one) };
  });
