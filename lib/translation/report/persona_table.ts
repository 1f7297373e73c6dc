import { markdownTable } from "../../figures/markdown_table.ts";
import type { Persona } from "../simulation/persona.ts";
import { shownNumber } from "./shown.ts";

/** What was put into each simulated rater. */
export function personaTable(personas: readonly Persona[]): string {
  return markdownTable(
    [
      "rater",
      "points off",
      "noise (SD)",
      "rounds to 5 (%)",
      "points per row",
      "points per item",
      "does not read (%)",
      "seconds a translation",
      "pace",
    ],
    personas.map((persona) => [
      persona.name,
      shownNumber(persona.harshness, 0),
      persona.noise,
      shownNumber(100 * persona.heaping, 0),
      shownNumber(persona.positionEffect),
      shownNumber(persona.drift),
      shownNumber(100 * persona.inattention, 0),
      persona.secondsPerTranslation,
      persona.pace,
    ]),
  );
}
