import { Buffer } from "node:buffer";
import * as Plot from "@observablehq/plot";
import { Resvg } from "@resvg/resvg-js";
import { parseHTML } from "linkedom";
import {
  escapeXml,
  familyAttribute,
  familyOf,
  FONT,
  linesHeight,
  lineSvg,
  type TextStyle,
  textWidth,
  wrapText,
} from "./fonts.ts";
import { encodePng } from "./png.ts";
import { EDGE, FONT_FAMILY, INK, SCALE, SIZE, WIDTH } from "./theme.ts";

/** One line of a key. */
export interface LegendEntry {
  readonly label: string;
  /** A colour or a pattern, `url(#…)`. */
  readonly color: string;
  /** SVG path centred on 0,0 instead of the usual square. */
  readonly shape?: string;
}

const STYLE = { size: SIZE.label };
const SWATCH = 7;
const GAP = 9;

/**
 * The key as SVG from `top` down, flowing into as many lines as it needs, and its height. Throws
 * RangeError for a label wider than the figure.
 */
function legendSvg(
  entries: readonly LegendEntry[],
  top: number,
  width: number,
): { readonly svg: string; readonly height: number } {
  let [x, line] = [EDGE, 0];
  const drawn = entries.map(({ label, color, shape }) => {
    const length = SWATCH + 3 + textWidth(label, STYLE);
    if (length > width - 2 * EDGE) {
      throw new RangeError(`Cannot draw a key: "${label}" is wider than the figure; shorten it.`);
    }
    if (x > EDGE && x + length > width - EDGE) [x, line] = [EDGE, line + 1];
    const middle = top + linesHeight(line + 0.5, STYLE);
    const [left, up] = [round(x), round(middle - SWATCH / 2)];
    const swatch = shape === undefined
      ? `<rect x="${left}" y="${up}" width="${SWATCH}" height="${SWATCH}" fill="${color}"/>`
      : `<path transform="translate(${round(x + SWATCH / 2)},${round(middle)})" d="${shape}" ` +
        `fill="${color}"/>`;
    const text = `<text x="${round(x + SWATCH + 3)}" y="${round(middle + STYLE.size * 0.36)}" ` +
      `font-size="${STYLE.size}"${familyAttribute(label)}>${
        lineSvg(label, x + SWATCH + 3, STYLE)
      }</text>`;
    x += length + GAP;
    return swatch + text;
  });
  return {
    svg: drawn.join(""),
    height: entries.length === 0 ? 0 : linesHeight(line + 1, STYLE) + 2,
  };
}

/** Three decimals: enough for any printer, and the same text on every machine. */
function round(length: number): string {
  return String(Math.round(length * 1000) / 1000);
}

/** A finished figure. Equal input gives equal bytes. */
export interface Figure {
  readonly svg: string;
  readonly png: Uint8Array;
  /** What the figure shows, for those who cannot see it. */
  readonly alt: string;
  /** Size of the PNG in pixels. */
  readonly width: number;
  readonly height: number;
}

/** What every figure has whatever its kind. */
export interface FigureText {
  readonly title: string;
  readonly subtitle?: string;
  /** Required: what the figure shows, in a sentence or two. */
  readonly alt: string;
}

/** Text and measures around a plot. */
interface FrameOptions extends FigureText {
  /** Height of the plot itself in points; title, subtitle and legend are added to it. */
  readonly height: number;
  /** Width of the whole in points; a column unless told. */
  readonly width?: number;
  /** Pixels a point; for print at 323 dpi unless told. */
  readonly scale?: number;
  readonly legend?: readonly LegendEntry[];
  /** SVG definitions (patterns, gradients) that the plot refers to. */
  readonly defs?: string;
  /** SVG drawn below the plot, from 0 down, and its height in points. */
  readonly footer?: { readonly svg: string; readonly height: number };
}

const TITLE: TextStyle = { size: SIZE.title, weight: "bold" };
const SUBTITLE: TextStyle = { size: SIZE.subtitle };

/**
 * Draws a plot with its title, subtitle and legend to SVG and PNG.
 *
 * Plot's own `title`, `subtitle` and `legend` are HTML outside the drawing and would be lost; give
 * them here. Throws RangeError if the title or the alt text is blank.
 */
export function renderPng(plot: Plot.PlotOptions, frame: FrameOptions): Figure {
  const { title, subtitle, alt, width = WIDTH, scale = SCALE, legend = [], defs = "" } = frame;
  requireText(title, alt);
  const room = width - 2 * EDGE;
  const titleLines = wrapText(title, room, TITLE);
  const subtitleLines = subtitle === undefined ? [] : wrapText(subtitle, room, SUBTITLE);
  const subtitleTop = EDGE + linesHeight(titleLines.length, TITLE);
  const legendTop = subtitleTop + linesHeight(subtitleLines.length, SUBTITLE) + 2;
  const key = legendSvg(legend, legendTop, width);
  const plotTop = Math.ceil(legendTop + key.height);
  const plotHeight = Math.ceil(frame.height);
  const { footer = { svg: "", height: 0 } } = frame;
  const height = plotTop + plotHeight + Math.ceil(footer.height);
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"`,
    ` viewBox="0 0 ${width} ${height}" role="img" font-family="${FONT_FAMILY}" color="${INK.text}"`,
    ` fill="${INK.text}"><title>${escapeXml(title)}</title><desc>${escapeXml(alt)}</desc>`,
    `<defs>${defs}</defs><rect width="${width}" height="${height}" fill="${INK.paper}"/>`,
    textBlock(titleLines, EDGE, TITLE),
    textBlock(subtitleLines, subtitleTop, SUBTITLE, INK.faint),
    key.svg,
    `<g transform="translate(0,${plotTop})">`,
    drawPlot({ ...plot, width, height: plotHeight }),
    `</g><g transform="translate(0,${plotTop + plotHeight})">${footer.svg}</g></svg>\n`,
  ].join("");
  const image = new Resvg(svg, { font: FONT, fitTo: { mode: "zoom", value: scale } }).render();
  const png = encodePng({ width: image.width, height: image.height, rgba: image.pixels });
  return { svg, png, alt, width: image.width, height: image.height };
}

/** The plot's own SVG, without what depends on how many plots were drawn before or on CSS. */
function drawPlot(options: Plot.PlotOptions): string {
  // linkedom implements what Plot touches, but does not say so in its types.
  const { document } = parseHTML("<html></html>") as unknown as {
    document: Plot.PlotOptions["document"];
  };
  const drawn = Plot.plot({ ...options, document });
  if (drawn.nodeName.toLowerCase() !== "svg") {
    throw new TypeError(
      "Cannot draw the plot: its title, caption or legend would be lost; give them to the frame.",
    );
  }
  drawn.querySelector("style")?.remove();
  for (const attribute of ["class", "font-family", "fill"]) drawn.removeAttribute(attribute);
  for (const line of drawn.querySelectorAll("text, tspan")) {
    if (line.children.length === 0) setDevanagari(line);
  }
  drawn.setAttribute("overflow", "visible");
  return withStableIds(drawn.outerHTML);
}

/** What is used here of a text element; linkedom's own types know less. */
interface LineElement {
  readonly textContent: string | null;
  innerHTML: string;
  readonly closest: (selector: string) => LineElement | null;
  readonly getAttribute: (name: string) => string | null;
  readonly setAttribute: (name: string, value: string) => void;
}

/** Gives a line of Devanagari in a plot its own family and its syllables their places. */
function setDevanagari(line: LineElement): void {
  const text = line.textContent ?? "";
  if (familyOf(text) === FONT_FAMILY) return;
  const inherited = (name: string) => line.closest(`[${name}]`)?.getAttribute(name);
  const weight = inherited("font-weight") === "bold" ? "bold" : "normal";
  const style: TextStyle = { size: Number(inherited("font-size")), weight };
  const shares: Readonly<Record<string, number>> = { start: 0, middle: 0.5, end: 1 };
  const before = textWidth(text, style) * (shares[inherited("text-anchor") ?? "start"] ?? 0);
  const x = Number(line.getAttribute("x") ?? 0) - before;
  line.setAttribute("text-anchor", "start");
  line.setAttribute("font-family", familyOf(text));
  // The halo of a syllable would cover the end of the one before it.
  line.setAttribute("stroke", "none");
  line.innerHTML = lineSvg(text, x, style);
}

/** Plot numbers its clip paths through the life of the process; here they start at 1 in each figure. */
function withStableIds(svg: string): string {
  const ids = new Map<string, string>();
  return svg.replace(/plot-clip-\d+/g, (id) => {
    if (!ids.has(id)) ids.set(id, `clip-${ids.size + 1}`);
    return ids.get(id)!;
  });
}

function textBlock(
  lines: readonly string[],
  top: number,
  style: TextStyle,
  fill: string = INK.text,
): string {
  const weight = style.weight ?? "normal";
  return lines.map((line, i) => {
    const baseline = top + linesHeight(i, style) + style.size;
    return `<text x="${EDGE}" y="${baseline}" font-size="${style.size}" font-weight="${weight}" ` +
      `fill="${fill}"${familyAttribute(line)}>${lineSvg(line, EDGE, style)}</text>`;
  }).join("");
}

function requireText(title: string, alt: string): void {
  if (title.trim() === "") throw new RangeError("Cannot draw a figure: its title is blank.");
  if (alt.trim() === "") {
    throw new RangeError(`Cannot draw "${title}": its alt text is blank; say what it shows.`);
  }
}

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
 * What a notebook displays, with `Deno.jupyter.display(figureBundle(figure), { raw: true })`: the
 * PNG, which GitHub shows, and the alt text for readers without images.
 */
export function figureBundle(
  figure: Figure,
): { readonly "image/png": string; readonly "text/plain": string } {
  return { "image/png": Buffer.from(figure.png).toString("base64"), "text/plain": figure.alt };
}
