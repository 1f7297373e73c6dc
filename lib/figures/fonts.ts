import { createRequire } from "node:module";
import { Resvg, type ResvgRenderOptions } from "@resvg/resvg-js";
import { DEVANAGARI_FAMILY, FONT_FAMILY, LINE_HEIGHT } from "./theme.ts";

// Asked of the package rather than of the working directory: notebooks run from their own folder.
const resolve = createRequire(import.meta.url).resolve;

/** Four bundled fonts, so that resvg draws text alike on every machine. */
export const FONT: NonNullable<ResvgRenderOptions["font"]> = {
  loadSystemFonts: false,
  fontFiles: [
    "dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf",
    "dejavu-fonts-ttf/ttf/DejaVuSansCondensed-Bold.ttf",
    "@expo-google-fonts/noto-sans-devanagari/400Regular/NotoSansDevanagari_400Regular.ttf",
    "@expo-google-fonts/noto-sans-devanagari/700Bold/NotoSansDevanagari_700Bold.ttf",
  ].map((file) => resolve(file)),
  defaultFontFamily: FONT_FAMILY,
};

/** Characters that a line of Devanagari may hold; the font has few others. */
const DEVANAGARI_LINE = /^[\p{Script_Extensions=Devanagari}\u200c\u200d\s\d.,()·/-]*$/u;

/**
 * Returns the font family of a line, by its script.
 *
 * resvg determines a line's script from its first letter and replaces missing glyphs one by one. In
 * a line of two scripts, or in another font, conjuncts would fall apart (क् ष for क्ष). Devanagari
 * therefore has separate lines and its own font. @throws {RangeError} for Devanagari with another
 * script.
 */
export function familyOf(line: string): string {
  if (!/\p{Script=Devanagari}/u.test(line)) return FONT_FAMILY;
  if (DEVANAGARI_LINE.test(line)) return DEVANAGARI_FAMILY;
  throw new RangeError(
    `Cannot set "${line}": Devanagari loses its conjuncts next to another script; give it a line ` +
      "of its own.",
  );
}

/** Returns the font-family attribute of a line; empty for the default family. */
export function familyAttribute(line: string): string {
  const family = familyOf(line);
  return family === FONT_FAMILY ? "" : ` font-family="${family}"`;
}

/** Size, weight and colour of a text. */
export interface TextStyle {
  /** Size in points. */
  readonly size: number;
  readonly weight?: "normal" | "bold";
}

/** Width of a drawn line of text, in points; 0 for blank text. */
export function textWidth(text: string, style: TextStyle): number {
  if (familyOf(text) === FONT_FAMILY) return inkRight(text, style.weight) * style.size;
  return layOutDevanagari(text, style).width;
}

/** Overlap of a syllable's headline with the next syllable, in em. */
const HEADLINE_OVERLAP = 0.014;

/**
 * Returns the positions of a line's syllables in points. resvg shapes each syllable correctly but
 * advances by its widest glyph only. After का, को or कि the next consonant would thus overlap the
 * vowel.
 */
export function layOutDevanagari(line: string, { size, weight }: TextStyle) {
  const between = inkRight("कक", weight);
  let x = 0;
  const syllables = graphemes(line).map((text) => {
    const place = { text, x };
    const moved = inkRight(`क${text}क`, weight) - between;
    x += size * Math.max(moved, inkRight(text, weight) - HEADLINE_OVERLAP);
    return place;
  });
  return { syllables, width: x };
}

const measured = new Map<string, number>();

/** Returns the right edge of a text's ink from its origin, in em. */
function inkRight(text: string, weight: TextStyle["weight"]): number {
  const key = `${weight} ${text}`;
  let width = measured.get(key);
  if (width === undefined) {
    // Measured large and scaled down, for glyph outlines scale in proportion.
    const setting = `font-size="100" font-weight="${weight}"${familyAttribute(text)}`;
    const drawn = `<text y="200" ${setting}>${escapeXml(text)}</text>`;
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="9999" height="300">${drawn}</svg>`;
    const box = new Resvg(svg, { font: FONT }).getBBox();
    width = box === undefined ? 0 : (box.x + box.width) / 100;
    measured.set(key, width);
  }
  return width;
}

/** Returns the content of a text element for a line beginning at `x` points. */
export function lineContentSvg(line: string, x: number, style: TextStyle): string {
  if (familyOf(line) === FONT_FAMILY) return escapeXml(line);
  return layOutDevanagari(line, style).syllables
    .map((place) => `<tspan x="${Number((x + place.x).toFixed(3))}">${place.text}</tspan>`)
    .join("");
}

/** Returns the width of the widest line in points; 0 without lines. */
export function widestLine(lines: readonly string[], style: TextStyle): number {
  return Math.max(0, ...lines.map((line) => textWidth(line, style)));
}

/** Height of n lines of text, in points. */
export const linesHeight = (lines: number, { size }: TextStyle) => lines * size * LINE_HEIGHT;

/**
 * Breaks text into lines of at most `width` points. It breaks at spaces (not before `%`), after `/
 * - _ :`, and within words that are wider than a line. Nothing is cut off.
 */
export function wrapText(text: string, width: number, style: TextStyle): string[] {
  const fits = (some: string) => textWidth(some.trim(), style) <= width;
  const lines: string[] = [];
  let line = "";
  for (const piece of text.split(/(?<=[\s/\-_:])(?!%)/u)) {
    if (fits(line + piece)) {
      line += piece;
      continue;
    }
    if (line.trim() !== "") lines.push(line.trim());
    line = piece;
    while (!fits(line)) {
      let [head, ...letters] = graphemes(line) as [string, ...string[]];
      while (letters.length > 0 && fits(head + letters[0])) head += letters.shift();
      lines.push(head);
      line = line.slice(head.length);
    }
  }
  return [...lines, line.trim()].filter((each, i) => each !== "" || i === 0);
}

const GRAPHEMES = new Intl.Segmenter("und", { granularity: "grapheme" });

/** Splits a text into grapheme clusters. A vowel sign or virāma stays with its consonant. */
const graphemes = (text: string) => Array.from(GRAPHEMES.segment(text), ({ segment }) => segment);

/** Escapes text for SVG content and attributes. */
export function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
