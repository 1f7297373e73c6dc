/** Frame of all figures: title, subtitle, key and plot, as SVG and PNG. */
import { Buffer } from "node:buffer";
import { crc32 } from "node:zlib";
import * as Plot from "@observablehq/plot";
import { Resvg } from "@resvg/resvg-js";
import { zlibSync } from "fflate";
import { parseHTML } from "linkedom";
import {
  escapeXml,
  familyAttribute,
  familyOf,
  FONT,
  lineContentSvg,
  linesHeight,
  type TextStyle,
  textWidth,
  wrapText,
} from "./fonts.ts";
import { writeBytesAtomic } from "../files/atomic.ts";
import { EDGE, FONT_FAMILY, INK, SCALE, SIZE, WIDTH } from "./theme.ts";

/** An entry of a key. */
export interface LegendEntry {
  readonly label: string;
  readonly color: string;
  /** Shape as an SVG path centred on 0,0; a square by default. */
  readonly shape?: string;
}

/** A finished figure. Equal input gives equal bytes. */
export interface Figure {
  readonly svg: string;
  readonly png: Uint8Array;
  /** Alternative text for readers who cannot see the figure. */
  readonly alt: string;
  /** Size of the PNG in pixels. */
  readonly width: number;
  readonly height: number;
}

/** Text common to all figures. */
export interface FigureText {
  readonly title: string;
  readonly subtitle?: string;
  /** Alternative text: what the figure shows, in one or two sentences. */
  readonly alt: string;
}

/** Text and dimensions around a plot. */
interface FrameOptions extends FigureText {
  /** Height of the plot in points, without title, subtitle and legend. */
  readonly height: number;
  readonly legend?: readonly LegendEntry[];
  /** SVG definitions (patterns, gradients) used by the plot. */
  readonly defs?: string;
}

const TITLE: TextStyle = { size: SIZE.title, weight: "bold" };
const SUBTITLE: TextStyle = { size: SIZE.subtitle };
const KEY: TextStyle = { size: SIZE.label };
/** Size of a swatch in the key, and the space between entries, in points. */
const [SWATCH, GAP] = [7, 9];

/**
 * Renders a plot with title, subtitle and legend to SVG and PNG.
 *
 * Observable Plot's `title`, `subtitle` and `legend` are HTML outside the SVG and would be lost.
 * Throws RangeError for a blank title or alternative text, or a title of more than two lines.
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

/** Shortens the middle of a legend label that is too wide. */
function shortened(label: string, room: number): string {
  if (textWidth(label, KEY) <= room) return label;
  const letters = [...label];
  for (let kept = letters.length - 1; kept > 2; kept--) {
    const [head, tail] = [Math.ceil(kept / 2), Math.floor(kept / 2)];
    const short = `${letters.slice(0, head).join("")}…${letters.slice(-tail).join("")}`;
    if (textWidth(short, KEY) <= room) return short;
  }
  return "…";
}

/**
 * Returns the wrapped legend as SVG from `top` down, with its height.
 *
 * A label wider than the figure is shortened in the middle.
 */
function legendSvg(entries: readonly LegendEntry[], top: number) {
  // Three decimals: enough for any printer, and the same text on every machine.
  const round = (length: number) => String(Math.round(length * 1000) / 1000);
  let [x, line] = [EDGE, 0];
  const drawn = entries.map(({ label: whole, color, shape }) => {
    const label = shortened(whole, WIDTH - 2 * EDGE - SWATCH - 3);
    const length = SWATCH + 3 + textWidth(label, KEY);
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
      `font-size="${KEY.size}"${familyAttribute(label)}>${lineContentSvg(label, at, KEY)}</text>`;
  });
  return { svg: drawn.join(""), height: drawn.length === 0 ? 0 : linesHeight(line + 1, KEY) + 2 };
}

function textBlock(lines: readonly string[], top: number, style: TextStyle, fill: string): string {
  const { size, weight = "normal" } = style;
  return lines.map((line, i) =>
    `<text x="${EDGE}" y="${top + linesHeight(i, style) + size}" font-size="${size}" ` +
    `font-weight="${weight}" fill="${fill}"${familyAttribute(line)}>` +
    `${lineContentSvg(line, EDGE, style)}</text>`
  ).join("");
}

/** Renders a plot's SVG, independent of earlier plots and of CSS. */
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

/** Properties of a text element used here, which linkedom's types lack. */
interface LineElement {
  readonly textContent: string | null;
  innerHTML: string;
  readonly closest: (selector: string) => LineElement | null;
  readonly getAttribute: (name: string) => string | null;
  readonly setAttribute: (name: string, value: string) => void;
}

/** Sets a line of Devanagari in its font and positions its syllables. */
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
  line.innerHTML = lineContentSvg(text, x, style);
}

/**
 * Writes a figure's PNG. Throws RangeError unless the path ends in `.png`, and errors of the file
 * system.
 */
export function saveFigure(path: string, figure: Figure): void {
  if (!path.endsWith(".png")) {
    throw new RangeError(`Cannot save a figure: ${path} does not end in .png.`);
  }
  writeBytesAtomic(path, figure.png);
}

/**
 * Returns a figure's MIME bundle for a notebook: the PNG, and the alternative text.
 *
 * Use `Deno.jupyter.display(figureBundle(figure), { raw: true })`.
 */
export function figureBundle({ png, alt }: Figure) {
  return { "image/png": Buffer.from(png).toString("base64"), "text/plain": alt } as const;
}

/** Pixels by row, four bytes each (RGBA). */
interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8Array;
}

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
/** Colour types in the PNG header. */
const [TRUECOLOUR, INDEXED] = [2, 3];

/**
 * Encodes opaque pixels as PNG (W3C PNG, third edition), with a palette for up to 256 colours. This
 * makes charts a third of the size of resvg's output. Alpha is dropped. The compressor is in
 * JavaScript, so that the bytes are the same on every machine.
 *
 * Throws RangeError if the number of bytes does not fit the size.
 */
export function encodePng({ width, height, rgba }: Pixels): Uint8Array {
  if (rgba.length !== width * height * 4) {
    throw new RangeError(
      `Cannot encode ${width} × ${height} pixels: there are ${rgba.length} bytes.`,
    );
  }
  const image = indexed(rgba);
  const header = new DataView(new ArrayBuffer(13));
  header.setUint32(0, width);
  header.setUint32(4, height);
  header.setUint8(8, 8);
  header.setUint8(9, image === undefined ? TRUECOLOUR : INDEXED);
  const bytes = image?.pixels ?? rgba.filter((_, i) => i % 4 !== 3);
  // Rows with filter 0 (none) before each: flat areas compress best as they are.
  const stride = bytes.length / height;
  const rows = new Uint8Array((stride + 1) * height);
  for (let y = 0; y < height; y++) {
    rows.set(bytes.subarray(y * stride, (y + 1) * stride), y * (stride + 1) + 1);
  }
  return Uint8Array.from(Buffer.concat([
    Uint8Array.from(SIGNATURE),
    ...chunk("IHDR", new Uint8Array(header.buffer)),
    ...(image === undefined ? [] : chunk("PLTE", image.palette)),
    ...chunk("IDAT", zlibSync(rows, { level: 7 })),
    ...chunk("IEND", new Uint8Array(0)),
  ]));
}

/** Returns the palette in order of appearance, and each pixel's index. */
function indexed(rgba: Uint8Array) {
  const pixels = new Uint8Array(rgba.length / 4);
  const indices = new Map<number, number>();
  let [previous, index] = [-1, 0];
  for (let i = 0; i < pixels.length; i++) {
    const colour = (rgba[4 * i]! << 16) | (rgba[4 * i + 1]! << 8) | rgba[4 * i + 2]!;
    // Charts are mostly runs of one colour: the map is asked only where a run ends.
    if (colour !== previous) {
      index = indices.get(colour) ?? indices.size;
      if (index === 256) return undefined;
      indices.set(colour, index);
      previous = colour;
    }
    pixels[i] = index;
  }
  const colours = [...indices.keys()];
  const palette = colours.flatMap((c) => [c >> 16, (c >> 8) & 255, c & 255]);
  return { palette: Uint8Array.from(palette), pixels };
}

/** Encodes a PNG chunk: length, name, data and checksum. */
function chunk(type: string, data: Uint8Array): readonly Uint8Array[] {
  const named = Buffer.concat([Buffer.from(type), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(named), 4);
  return [ends.subarray(0, 4), named, ends.subarray(4)];
}
