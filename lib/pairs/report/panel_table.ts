import { markdownTable } from "../../figures/markdown_table.ts";
import type { PanelEntry } from "../../models/panel.ts";

/** The models of a panel as they are asked, wherever they run. */
export function panelTable(models: readonly PanelEntry[]): string {
  return markdownTable(
    ["model", "asked for", "choice read from", "weights", "licence"],
    models.map((entry) => {
      const here = entry.kind === "gguf";
      return [
        ...[entry.id, entry.roles.join(", "), here ? entry.readout : "generation"],
        here ? entry.precision : entry.kind === "groq" ? "at Groq" : "at a server of one's own",
        entry.licence,
      ];
    }),
  );
}
