import {
  isDrawable,
  type Measure,
  type NumberFormat,
  writeEstimate,
} from "../../../figures/measure.ts";
import type { KindFigure } from "../../robustness/detection_figures.ts";
import { orderSummaries } from "../../robustness/orders_analysis.ts";
import type { OrderRow } from "../../robustness/orders_rows.ts";
import { repetitionSummaries, VARIANCE_BAR } from "../../robustness/repetition_analysis.ts";
import type { RepetitionRow } from "../../robustness/repetition_rows.ts";
import { beyondControls, truthGaps } from "../../robustness/swap_analysis.ts";
import type { SwapRow } from "../../robustness/swap_rows.ts";

const words = (measure: Measure, format: NumberFormat) =>
  isDrawable(measure) ? writeEstimate(measure, format) : `not known (${measure.reason})`;
const points = (measure: Measure) => words(measure, "percent");
const percent = (measure: Measure) =>
  isDrawable(measure) ? `${points(measure)} %` : points(measure);
const listed = (parts: readonly string[]) => parts.length === 0 ? "none" : parts.join(", ");

/** Above and below 0 as far as the interval tells; a figure without one tells nothing. */
const isAbove = (measure: Measure) => measure.kind === "interval" && measure.low > 0;
const isBelow = (measure: Measure) => measure.kind === "interval" && measure.high < 0;

/** How often a component sees a perturbation, how often it takes a control for one, and where it is blind. */
export function detectionSentence(figures: readonly KindFigure[], component: string): string {
  const own = figures.filter((one) => one.component === component);
  const all = own.find(({ kind }) => kind === "all perturbations");
  if (all === undefined) return `${component} was asked about nothing.`;
  const kinds = own.filter(({ kind, role }) => role === "perturbation" && kind !== all.kind);
  const unseen = kinds.filter(({ difference }) => !isAbove(difference)).map(({ kind }) => kind);
  return `The ${component} flags ${
    points(all.flaggedGivenAccepted)
  } % of ${all.originalsAccepted} ` +
    `perturbed claims whose original it accepted, and ${
      points(all.falseAlarm)
    } % of the reworded ` +
    `ones: a difference of ${
      points(all.difference)
    } points. Kinds that it cannot be shown to see: ` +
    `${listed(unseen)}.`;
}

/** Everybody else's detection less false alarm, and who sees nothing by it. */
export function othersSentence(figures: readonly KindFigure[], component: string): string {
  const others = figures.filter((one) =>
    one.kind === "all perturbations" && one.component !== component
  );
  const parts = others.map((one) =>
    `${one.component} ${points(one.difference)} (${one.originalsAccepted} cases)`
  );
  return `Detection less false alarm of the others, in points: ${parts.join("; ")}.`;
}

/** Pairs within one text: how often a contradiction is seen, and seen where there is none. */
export function contradictionSentence(figures: readonly KindFigure[]): string {
  const of = (kind: KindFigure["kind"]) => figures.find((one) => one.kind === kind);
  const [perturbed, reworded] = [of("all perturbations"), of("all controls")];
  if (perturbed === undefined || reworded === undefined) return "No pair was read.";
  return `Without any source, both statements of a contradiction are flagged in ` +
    `${points(perturbed.flagged)} % of ${perturbed.n} texts, and in ${
      points(reworded.flagged)
    } % of ` +
    `${reworded.n} texts that say the same twice.`;
}

/** Who says the same in both orders, and who is right more often than not. */
export function orderSentence(rows: readonly OrderRow[]): string {
  const all = orderSummaries(rows);
  const changing = all.filter(({ consistency: one }) =>
    one.kind !== "interval" || one.estimate < 1
  );
  const moved = changing.map(({ component, pairs, consistency }) =>
    `${component} (${percent(consistency)} of ${pairs} pairs)`
  );
  const right = all.map(({ component, accuracy }) => `${component} ${percent(accuracy)}`);
  return `Not always the same in both orders: ${listed(moved)}. The text with fewer errors is ` +
    `chosen, of pairs with a winner: ${right.join("; ")}.`;
}

/** How many texts' scores stay under the bar. */
export function repetitionSentence(rows: readonly RepetitionRow[]): string {
  const parts = repetitionSummaries(rows).map(({ component, texts, underBar }) =>
    `${component} ${points(underBar)} % of ${texts}`
  );
  return `Texts whose repeated scores have a variance under ${VARIANCE_BAR} points²: ` +
    `${parts.join("; ")}.`;
}

/** Which traits move scores more than another word does, and what a true claim is worth beside it. */
export function swapSentence(rows: readonly SwapRow[]): string {
  const all = beyondControls(rows);
  const more = all.filter(({ difference }) => isAbove(difference)).map((one) =>
    `${one.trait} with the ${one.component} (${words(one.difference, "decimal")})`
  );
  const gaps = truthGaps(rows).map(({ component, gap }) => {
    const told = isAbove(gap) ? "" : isBelow(gap) ? ", the wrong way round" : ", not told from 0";
    return `${component} ${words(gap, "decimal")}${told}`;
  });
  return `In ${more.length} of ${all.length} cases a trait moves scores by more than its control, in ` +
    `points: ${listed(more)}. A right claim is over a wrong one by: ${gaps.join("; ")}.`;
}
