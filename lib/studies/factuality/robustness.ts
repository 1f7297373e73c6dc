/** Views of notebook 44: kinds of change, ladders, rates. */
import { beyondChance, type Measure } from "../../stats/measure.ts";
import { randomSource } from "../../stats/random.ts";
import { makeVariant, type Variant } from "../../factuality/own/variants/make_variant.ts";
import type { KindStatistics } from "../../factuality/own/variants/detection.ts";
import { COMPARING, CONSISTENCY, KENDALL, orderFigures } from "./robustness/orders.ts";
import { repetitionFigures, VARIANCE } from "./robustness/repetitions.ts";
import { BEYOND, swapFigures, truthGaps } from "./robustness/swaps.ts";
import type { OrderRow, RepetitionRow, RobustnessCase, SwapRow } from "./robustness/tables.ts";
import { roleOf, seenInTraining } from "../../factuality/own/variants/variant.ts";
import { VARIANT_KINDS, type VariantTools } from "../../factuality/own/variants/variant.ts";
import { shortName } from "./evaluation.ts";
import { decimal, headedTable, percent } from "./tables.ts";

/** Source of the example; Kenya is in no training data. */
export const EXAMPLE_SOURCE =
  "Kenya was a British colony until 12 December 1963, when it gained independence from the UK. " +
  "Founding president Jomo Kenyatta led Kenya from then until his death in 1978. The country joined " +
  "the UN in 1963. It has 58.2 million people, a coastline of 536 km on the Indian Ocean and a total " +
  "area of 580,367 sq km. The capital is Nairobi. Most of its people live in the southwest. The infant " +
  "mortality rate is 27.1 deaths per 1,000 live births.";

/** Sentences supported by the source. Every kind of change applies to one of them. */
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

/**
 * Variants of the example: each kind applied to the first possible sentence. Deterministic for a
 * seed.
 */
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

/** Table of kinds with the number of cases and an example. */
export function kindsTable(cases: readonly RobustnessCase[]) {
  const rows = VARIANT_KINDS.map((kind) => {
    const kindCases = cases.filter((one) => one.kind === kind);
    const [shortest] = kindCases.toSorted((a, b) => a.changed.length - b.changed.length);
    const example = shortest && `${shortest.original} → ${shortest.changed}`;
    const countries = new Set(kindCases.map(({ country }) => country)).size;
    return [kind, roleOf(kind), seenInTraining(kind), kindCases.length, countries, example];
  });
  return headedTable("kind | role | seen in training | cases | countries | example", rows);
}

/**
 * Points of detection against false alarm, one per component. They are shares of the claims, of all
 * kinds, whose original was accepted. Components without both shares are left out.
 */
export const detectionPoints = (figures: readonly KindStatistics[]) =>
  figures.filter(({ kind }) => kind === "all perturbations").flatMap((
    { component, originalsAccepted, flaggedGivenAccepted: detected, falseAlarm },
  ) => {
    if (detected.kind !== "interval" || falseAlarm.kind !== "interval") return [];
    const intervals = {
      x: [falseAlarm.low, falseAlarm.high],
      y: [detected.low, detected.high],
    } as const;
    const label = `${shortName(component)} (${originalsAccepted})`;
    return [{ x: falseAlarm.estimate, y: detected.estimate, label, series: component, intervals }];
  });

/**
 * Table of consistency under irrelevant changes, one row per component. A dash marks components
 * that were not asked, or whose result is constant by construction.
 */
export function steadinessTable({ orders, repetitions, swaps }: {
  readonly orders: readonly OrderRow[];
  readonly repetitions: readonly RepetitionRow[];
  readonly swaps: readonly SwapRow[];
}): string {
  const steady = [...orderFigures(orders), ...repetitionFigures(repetitions)];
  const [moved, gaps] = [swapFigures(swaps), truthGaps(swaps)];
  const everyone = new Set([...steady, ...gaps].map(({ component }) => component));
  const rows = [...everyone].map((name) => {
    const valueOf = (measure: string) =>
      steady.find((one) => one.component === name && one.measure === measure)?.value;
    const gap = gaps.find(({ component }) => component === name)?.gap;
    const beyond = moved.filter((one) => one.component === name && one.measure.startsWith(BEYOND));
    const over = beyondChance(beyond.map(({ value }) => value), 0).aboveAdjusted.size;
    const consistency = valueOf(CONSISTENCY);
    // A comparing component can always name one position, which is a finding.
    const isComparing = COMPARING.some((way) => name.endsWith(way));
    return [
      name,
      isComparing && consistency ? percent(consistency) : shownUnlessConstant(consistency, percent),
      ...[valueOf(KENDALL), valueOf(VARIANCE), gap].map((one) => shownUnlessConstant(one, decimal)),
      beyond.length === 0 ? undefined : `${over} of ${beyond.length}`,
    ];
  });
  const columns =
    "component | same winner (%) | τ-b | variance (points²) | right over wrong (points)";
  return headedTable(`${columns} | traits that move it`, rows);
}

/**
 * Formats a measure. A deterministic component repeats itself without an interval, and is no
 * finding.
 */
const shownUnlessConstant = (one: Measure | undefined, write: (measure: Measure) => string) =>
  one?.kind !== "interval" || one.low === one.high ? undefined : write(one);
