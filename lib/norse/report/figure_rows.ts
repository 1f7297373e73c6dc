import type { Bar } from "../../figures/bar_chart.ts";
import { tally } from "../../figures/markdown_table.ts";
import type { ScatterPoint } from "../../figures/scatter_chart.ts";
import type { StackedBar } from "../../figures/stacked_bars.ts";
import { artefactMeasure } from "../../pairs/artefacts.ts";
import { ORDERS } from "../../pairs/forced_choice.ts";
import { type DrawnMeasure, lookUp } from "../../pairs/statistic_lookup.ts";
import { ALL } from "../../pairs/statistics_row.ts";
import { PHENOMENA } from "../candidate.ts";
import type { CompletePanel } from "../../pairs/panels/study_panels.ts";
import { type Evidence, PHENOMENON_NAMES } from "./evidence.ts";
import { DESIGN_WORDS, labelledModels } from "../../pairs/report/per_panel.ts";
import { originOfRefusal } from "./source_comparison_diversity.ts";

/** The two ways a model is judged, as figures name them, with the measure of each. */
const WAYS = [
  { way: "choice", measure: "accuracy" },
  { way: "likelihood", measure: "likelihood_accuracy_total" },
] as const;

const CHAPTERS = 42;

/** Overall accuracy of every model in both ways, then the rules without grammar, muted. */
export function accuracyBars(evidence: Evidence): readonly Bar[] {
  const found = lookUp(evidence.statistics);
  const models = WAYS.flatMap(({ way, measure: name }) =>
    evidence.panels.flatMap((panel) =>
      panel.models.flatMap((label) => {
        const measure = found.measure(label, name);
        if (measure.kind === "unavailable") return [];
        const group = groupName(evidence, panel, way);
        return [{ label, group, measure, n: found.row(label, name).n }];
      })
    )
  );
  const baselines = new Set(evidence.artefacts.map(({ baseline }) => baseline));
  const rules = [...baselines].map((label) => ({
    label: label.replaceAll("_", " "),
    group: "Rules without grammar",
    measure: artefactMeasure(evidence.artefacts, label, ALL),
    muted: true,
  }));
  return [...models, ...rules];
}

/** A way of judging, and where there are several panels whose. */
function groupName({ panels }: Evidence, panel: CompletePanel, way: "choice" | "likelihood") {
  const words = way === "choice" ? `Forced choice, ${DESIGN_WORDS[panel.design]}` : "Likelihood";
  return panels.length === 1 ? words : `${words} (${panel.title})`;
}

/** A row for every model and way that was measured, a column for every phenomenon. */
export function accuracyCells(
  evidence: Evidence,
): { readonly rows: readonly string[]; readonly cells: readonly (readonly DrawnMeasure[])[] } {
  const found = lookUp(evidence.statistics);
  const isMeasured = (model: string, measure: string) =>
    found.measure(model, measure).kind !== "unavailable";
  const rows = labelledModels(evidence.panels).flatMap(({ model, label }) =>
    WAYS.map((way) => ({ model, label, ...way }))
      .filter(({ measure }) => isMeasured(model, measure))
  );
  return {
    rows: rows.map(({ label, way }) => `${label}, ${way}`),
    cells: rows.map(({ model, measure }) =>
      PHENOMENA.map((phenomenon) => found.measure(model, measure, phenomenon))
    ),
  };
}

/** One point a model and phenomenon: likelihood to the right, choice upwards. */
export function agreementPoints(evidence: Evidence): readonly ScatterPoint[] {
  const found = lookUp(evidence.statistics);
  return labelledModels(evidence.panels).flatMap(({ model, label: series }) =>
    PHENOMENA.flatMap((phenomenon) => {
      const [y, x] = WAYS.map(({ measure }) => found.measure(model, measure, phenomenon));
      if (!x || !y || x.kind === "unavailable" || y.kind === "unavailable") return [];
      return [{ series, x: x.estimate, y: y.estimate, label: PHENOMENON_NAMES[phenomenon] }];
    })
  );
}

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
