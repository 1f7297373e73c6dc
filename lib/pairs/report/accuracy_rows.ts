import type { Bar } from "../../figures/bar_chart.ts";
import type { ScatterPoint } from "../../figures/scatter_chart.ts";
import { type Artefact, artefactMeasure } from "../artefacts.ts";
import type { CompletePanel } from "../panels/study_panels.ts";
import { type DrawnMeasure, lookUp } from "../statistic_lookup.ts";
import { ALL, type Statistic } from "../statistics_row.ts";
import type { GroupNames } from "./metric_tables.ts";
import { DESIGN_WORDS, labelledModels } from "./per_panel.ts";

/** What figures of accuracy are drawn from. */
export interface AccuracyEvidence {
  readonly panels: readonly CompletePanel[];
  readonly statistics: readonly Statistic[];
  /** Models of no panel, which are scored by pseudo-likelihood and asked nothing; none unless told. */
  readonly masked?: readonly string[];
}

/** The two ways a model of a panel is judged, as figures name them, with the measure of each. */
const WAYS = [
  { way: "choice", measure: "accuracy" },
  { way: "likelihood", measure: "likelihood_accuracy_total" },
] as const;

const MASKED = { way: "pseudo-likelihood", measure: "likelihood_accuracy_total" } as const;

/** Overall accuracy of every model in every way, then the rules without grammar, muted. */
export function accuracyBars(
  evidence: AccuracyEvidence & { readonly artefacts: readonly Artefact[] },
): readonly Bar[] {
  const { statistics, panels, artefacts, masked = [] } = evidence;
  const found = lookUp(statistics);
  const barsOf = (models: readonly string[], name: string, group: string) =>
    models.flatMap((label): readonly Bar[] => {
      const measure = found.measure(label, name);
      if (measure.kind === "unavailable") return [];
      return [{ label, group, measure, n: found.row(label, name).n }];
    });
  const baselines = new Set(artefacts.map(({ baseline }) => baseline));
  return [
    ...WAYS.flatMap(({ way, measure }) =>
      panels.flatMap((panel) => barsOf(panel.models, measure, groupName(panels, panel, way)))
    ),
    ...barsOf(masked, MASKED.measure, "Pseudo-likelihood"),
    ...[...baselines].map((label) => ({
      label: label.replaceAll("_", " "),
      group: "Rules without grammar",
      measure: artefactMeasure(artefacts, label, ALL),
      muted: true,
    })),
  ];
}

/** A way of judging, and where there are several panels whose. */
function groupName(
  panels: readonly CompletePanel[],
  panel: CompletePanel,
  way: "choice" | "likelihood",
): string {
  const words = way === "choice" ? `Forced choice, ${DESIGN_WORDS[panel.design]}` : "Likelihood";
  return panels.length === 1 ? words : `${words} (${panel.title})`;
}

/** A row for every model and way that was measured, a column for every group of pairs. */
export function accuracyCells(
  { panels, statistics, masked = [] }: AccuracyEvidence,
  groups: readonly string[],
): { readonly rows: readonly string[]; readonly cells: readonly (readonly DrawnMeasure[])[] } {
  const found = lookUp(statistics);
  const rows = [
    ...labelledModels(panels).flatMap(({ model, label }) =>
      WAYS.map((way) => ({ model, label, ...way }))
    ),
    ...masked.map((model) => ({ model, label: model, ...MASKED })),
  ].filter(({ model, measure }) => found.measure(model, measure).kind !== "unavailable");
  return {
    rows: rows.map(({ label, way }) => `${label}, ${way}`),
    cells: rows.map(({ model, measure }) =>
      groups.map((group) => found.measure(model, measure, group))
    ),
  };
}

/** One point a model and group of pairs: likelihood to the right, choice upwards. */
export function agreementPoints(
  { panels, statistics }: AccuracyEvidence,
  groupNames: GroupNames,
): readonly ScatterPoint[] {
  const found = lookUp(statistics);
  return labelledModels(panels).flatMap(({ model, label: series }) =>
    Object.entries(groupNames).flatMap(([group, label]) => {
      const [y, x] = WAYS.map(({ measure }) => found.measure(model, measure, group));
      if (!x || !y || x.kind === "unavailable" || y.kind === "unavailable") return [];
      return [{ series, x: x.estimate, y: y.estimate, label }];
    })
  );
}
