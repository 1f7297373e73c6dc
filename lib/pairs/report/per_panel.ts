import type { OrderDesign } from "../order_plan.ts";
import type { CompletePanel } from "../panels/study_panels.ts";

/** How pairs were asked, for headings. */
export const DESIGN_WORDS: Readonly<Record<OrderDesign, string>> = {
  both: "both orders",
  counterbalanced: "one order a pair",
};

/**
 * Panels whose choices may be measured on some of the pairs only: with one order a pair the letters
 * are balanced over all pairs of a phenomenon, not over a subset of them.
 */
export function bothOrderPanels(panels: readonly CompletePanel[]): readonly CompletePanel[] {
  return panels.filter(({ design }) => design === "both");
}

/** Tables of panels side by side: one panel's as it is, several each under its name. */
export function perPanel(
  panels: readonly CompletePanel[],
  table: (models: readonly string[]) => string,
): string {
  return panels.map(({ title, models, design }) =>
    panels.length === 1
      ? table(models)
      : `**Panel ${title}**, ${DESIGN_WORDS[design]}:\n\n${table(models)}`
  ).join("\n\n");
}

/** A model's name in figures: with its panel, where there are several. */
function panelLabel(
  panels: readonly CompletePanel[],
  { title }: Pick<CompletePanel, "title">,
  model: string,
): string {
  return panels.length === 1 ? model : `${model} (${title})`;
}

/** Every model with its panel and its name in figures, panel by panel. */
export function labelledModels(
  panels: readonly CompletePanel[],
): readonly { readonly model: string; readonly label: string; readonly panel: CompletePanel }[] {
  return panels.flatMap((panel) =>
    panel.models.map((model) => ({ model, label: panelLabel(panels, panel, model), panel }))
  );
}
