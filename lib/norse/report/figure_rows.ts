import type { Bar } from "../../figures/bar_chart.ts";
import { tally } from "../../figures/markdown_table.ts";
import type { StackedBar } from "../../figures/stacked_bars.ts";
import { ORDERS } from "../../pairs/forced_choice.ts";
import { PHENOMENA } from "../candidate.ts";
import { type Evidence, PHENOMENON_NAMES } from "./evidence.ts";
import { labelledModels } from "../../pairs/report/per_panel.ts";
import { originOfRefusal } from "./source_comparison_diversity.ts";

const CHAPTERS = 42;

/** Answers A, B and invalid for each model and order. */
export function letterRows({ panels, responses }: Evidence): readonly StackedBar[] {
  return labelledModels(panels).flatMap(({ model, label: group }) =>
    ORDERS.map((order) => {
      const own = responses.filter((row) => row.model === model && row.order === order);
      const count = (what: string) => own.filter(({ response }) => response === what).length;
      const label = order === "A_gram" ? "good one at A" : "good one at B";
      return { label, group, amounts: ["A", "B", "INVALID"].map(count) };
    })
  );
}

/** Pairs of each phenomenon in each chapter of the saga. */
export function chapterColumns({ items }: Evidence): readonly StackedBar[] {
  return Array.from({ length: CHAPTERS }, (_, index) => {
    const own = items.filter(({ certificate }) => certificate.source.chapter === index + 1);
    const of = (name: string) => own.filter(({ pair }) => pair.phenomenon === name).length;
    return { label: String(index + 1), amounts: PHENOMENA.map(of) };
  });
}

/** `a_form_is_another_word` → "a-form is another word": the form with a for ǫ. */
function inWords(reason: string): string {
  return reason.replace(/^a_form/, "a-form").replaceAll("_", " ");
}

/**
 * The commonest reasons for which the rules refused candidates of their own, by phenomenon; where
 * all pairs were a model's proposals, for which they refused those.
 */
export function refusalBars({ rejections }: Evidence, most: number): readonly Bar[] {
  const all = rejections.filter(({ reason }) => reason !== "not_selected");
  const ofRules = all.filter((rejection) => originOfRefusal(rejection) === "rules");
  const refused = ofRules.length > 0 ? ofRules : all;
  return PHENOMENA.flatMap((phenomenon) => {
    const own = refused.filter((rejection) => rejection.phenomenon === phenomenon);
    return tally(own.map(({ reason }) => inWords(reason))).slice(0, most).map(
      ([label, estimate]) => ({
        label,
        group: PHENOMENON_NAMES[phenomenon],
        measure: { kind: "value" as const, estimate },
      }),
    );
  });
}
