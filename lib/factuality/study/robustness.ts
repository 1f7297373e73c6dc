/** What notebook 44 shows where a cell would have to be long: kinds of change, ladders, BBQ. */
import { isDrawable } from "../../figures/theme.ts";
import { randomSource } from "../../stats/random.ts";
import { makeVariant, type Variant } from "../robustness/cases.ts";
import type { KindFigure } from "../robustness/detection.ts";
import type { RobustnessCase } from "../robustness/tables.ts";
import { roleOf, seenInTraining } from "../robustness/variant.ts";
import { VARIANT_KINDS, type VariantTools } from "../robustness/variant.ts";
import { shortName } from "./evaluation.ts";
import { headedTable } from "./tables.ts";

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

/**
 * Rows of two marks, detection and false alarm: all kinds together for every component, then each kind of
 * perturbation with the control that touches the same part for one of them, most often detected first;
 * in brackets the claims whose original was accepted.
 */
export function detectionRows(figures: readonly KindFigure[], component: string) {
  const ALL = "all perturbations";
  const changes = figures.filter(({ role }) => role === "perturbation");
  const share = ({ flaggedGivenAccepted: one }: KindFigure) => isDrawable(one) ? one.estimate : -1;
  const sorted = (own: readonly KindFigure[]) => own.toSorted((a, b) => share(b) - share(a));
  const rowOf = (group: string, label: string, { originalsAccepted: n, ...one }: KindFigure) => (
    { group, label: `${label} (${n})`, measures: [one.flaggedGivenAccepted, one.falseAlarm] }
  );
  return [
    ...sorted(changes.filter(({ kind }) => kind === ALL))
      .map((one) => rowOf("All kinds", shortName(one.component), one)),
    ...sorted(changes.filter((one) => one.component === component && one.kind !== ALL))
      .map((one) => rowOf(`Kind by kind, ${component}`, one.kind, one)),
  ];
}
