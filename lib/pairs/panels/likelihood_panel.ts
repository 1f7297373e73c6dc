import type { Panel, PanelEntry } from "../../models/panel.ts";

/** Those models of a panel that give likelihoods, to be asked nothing: for pairs that are only scored. */
export function likelihoodPanel(panel: Panel): Panel {
  const models = panel.models.flatMap((entry): readonly PanelEntry[] =>
    entry.roles.includes("likelihood") ? [{ ...entry, roles: ["likelihood"] }] : []
  );
  return { ...panel, models };
}
