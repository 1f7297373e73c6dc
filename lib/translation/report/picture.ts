import { figureHtml } from "../../figures/output.ts";

/** A figure of the study as RESULTS.md shows it. */
export function picture(name: string, alt: string): string {
  return figureHtml(`figures/translation/${name}.png`, { alt });
}
