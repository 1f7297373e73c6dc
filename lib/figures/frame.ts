/** The frame of every figure: title, subtitle, key and plot, as SVG and as PNG. */
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
  readonly color: string;
  /** SVG path centred on 0,0 instead of the usual square. */
  readonly shape?: string;
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
  readonly legend?: readonly LegendEntry[];
  /** SVG definitions (patterns, gradients) that the plot refers to. */
  readonly defs?: string;
}

const TITLE: TextStyle = { size: SIZE.title, weight: "bold" };
const SUBTITLE: TextStyle = { size: SIZE.subtitle };
const KEY: TextStyle = { size: SIZE.label };
/** A swatch of the key, and the room between its entries. */
const [SWATCH, GAP] = [7, 9];

/**
 * Draws a plot with its title, subtitle and legend to SVG and PNG.
 *
 * Plot's own `title`, `subtitle` and `legend` are HTML outside the drawing and would be lost; give
 * them here. Throws RangeError if the title or the alt text is blank, or the
 * title longer than two lines.
 */
export function renderPng(plot: Plot.PlotOptions, frame: FrameOptions): Figure {
  const { title, subtitle, alt, legend = [], defs = "" } = frame;
  if (title.trim() === "") throw new RangeError("Cannot draw a figure: its title is blank.");
  if (alt.trim() === "") {
    throw new RangeError(`Cannot draw "${title}": its alt text is blank; say what it shows.`);
  }
  const room = WIDTH - 2 * EDGE;
  const titleLines = wrapText(title, room, TITLE);
  if (titleLines.length > 2) {
    throw new RangeError(
      `Cannot draw "${title}": its title takes ${titleLines.length} lines, 2 at most.`,
    );
  }
  const subtitleLines = subtitle === undefined ? [] : wrapText(subtitle, room, SUBTITLE);
  const subtitleTop = EDGE + linesHeight(titleLines.length, TITLE);
  const legendTop = subtitleTop + linesHeight(subtitleLines.length, SUBTITLE) + 2;
  const key = legendSvg(legend, legendTop);
  const plotTop = Math.ceil(legendTop + key.height);
  const plotHeight = Math.ceil(frame.height);
  const height = plotTop + plotHeight;
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}"`,
    ` viewBox="0 0 ${WIDTH} ${height}" role="img" font-family="${FONT_FAMILY}" color="${INK.text}"`,
    ` fill="${INK.text}"><title>${escapeXml(title)}</title><desc>${escapeXml(alt)}</desc>`,
    `<defs>${defs}</defs><rect width="${WIDTH}" height="${height}" fill="${INK.paper}"/>`,
    textBlock(titleLines, EDGE, TITLE, INK.text),
    textBlock(subtitleLines, subtitleTop, SUBTITLE, INK.faint),
    key.svg,
    `<g transform="translate(0,${plotTop})">`,
    drawPlot({ ...plot, width: WIDTH, height: plotHeight }),
    "</g></svg>\n",
  ].join("");
  const image = new Resvg(svg, { font: FONT, fitTo: { mode: "zoom", value: SCALE } }).render();
  const png = encodePng({ width: image.width, height: image.height, rgba: image.pixels });
  return { svg, png, alt, width: image.width, height: image.height };
}

/**
 * The key as SVG from `top` down, flowing into as many lines as it needs, and its height. Throws
 * RangeError for a label wider than the figure.
 */
function legendSvg(entries: readonly LegendEntry[], top: number) {
  // Three decimals: enough for any printer, and the same text on every machine.
  const round = (length: number) => String(Math.round(length * 1000) / 1000);
  let [x, line] = [EDGE, 0];
  const drawn = entries.map(({ label, color, shape }) => {
    const length = SWATCH + 3 + textWidth(label, KEY);
    if (length > WIDTH - 2 * EDGE) {
      throw new RangeError(`Cannot draw a key: "${label}" is wider than the figure; shorten it.`);
    }
    if (x > EDGE && x + length > WIDTH - EDGE) [x, line] = [EDGE, line + 1];
    const middle = top + linesHeight(line + 0.5, KEY);
    const [left, up] = [round(x), round(middle - SWATCH / 2)];
    const swatch = shape === undefined
      ? `<rect x="${left}" y="${up}" width="${SWATCH}" height="${SWATCH}" fill="${color}"/>`
      : `<path transform="translate(${round(x + SWATCH / 2)},${round(middle)})" d="${shape}" ` +
        `fill="${color}"/>`;
    const at = x + SWATCH + 3;
    x += length + GAP;
    return `${swatch}<text x="${round(at)}" y="${round(middle + KEY.size * 0.36)}" ` +
      `font-size="${KEY.size}"${familyAttribute(label)}>${lineSvg(label, at, KEY)}</text>`;
  });
  return { svg: drawn.join(""), height: drawn.length === 0 ? 0 : linesHeight(line + 1, KEY) + 2 };
}

function textBlock(lines: readonly string[], top: number, style: TextStyle, fill: string): string {
  const { size, weight = "normal" } = style;
  return lines.map((line, i) =>
    `<text x="${EDGE}" y="${top + linesHeight(i, style) + size}" font-size="${size}" ` +
    `font-weight="${weight}" fill="${fill}"${familyAttribute(line)}>` +
    `${lineSvg(line, EDGE, style)}</text>`
  ).join("");
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
  // Plot numbers its clip paths through the life of the process; here they start at 1 in each figure.
  const ids: string[] = [];
  return String(drawn.outerHTML).replace(/plot-clip-\d+/g, (id) => {
    if (!ids.includes(id)) ids.push(id);
    return `clip-${ids.indexOf(id) + 1}`;
  });
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
export function figureBundle({ png, alt }: Figure) {
  return { "image/png": Buffer.from(png).toString("base64"), "text/plain": alt } as const;
}
