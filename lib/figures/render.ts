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
import { type LegendEntry, legendSvg } from "./legend.ts";
import { encodePng } from "./png.ts";
import { EDGE, FONT_FAMILY, INK, SCALE, SIZE, WIDTH } from "./theme.ts";

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
export interface FrameOptions extends FigureText {
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
