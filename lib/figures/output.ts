import { Buffer } from "node:buffer";
import { escapeXml } from "./fonts.ts";
import type { Figure } from "./render.ts";

/**
 * Writes a figure's PNG. Throws RangeError if the path does not end in `.png`, and whatever the file
 * system throws.
 */
export async function saveFigure(path: string, figure: Figure): Promise<void> {
  if (!path.endsWith(".png")) {
    throw new RangeError(`Cannot save a figure: ${path} does not end in .png.`);
  }
  await Deno.writeFile(path, figure.png);
}

/**
 * An image tag for Markdown or HTML, with the alt text. `path` is relative to the file that holds
 * the tag, e.g. `figures/norse/overall_accuracy.png`; GitHub shows it. `width` in CSS pixels.
 */
export function figureHtml(path: string, figure: Pick<Figure, "alt">, width = 540): string {
  return `<img src="${escapeXml(path)}" alt="${escapeXml(figure.alt)}" width="${width}">`;
}

/**
 * What a notebook displays, with `Deno.jupyter.display(figureBundle(figure), { raw: true })`: the
 * PNG, which GitHub shows, and the alt text for readers without images.
 */
export function figureBundle(
  figure: Figure,
): { readonly "image/png": string; readonly "text/plain": string } {
  return { "image/png": Buffer.from(figure.png).toString("base64"), "text/plain": figure.alt };
}
