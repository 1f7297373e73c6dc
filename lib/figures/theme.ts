/**
 * Style of all figures. Lengths are points in print: a figure of {@link WIDTH} fills a column of 85
 * mm, and a type size of 7 is 7 pt.
 */
import { type NumberFormat, shownNumber } from "../stats/measure.ts";

/** Width of a column, 85 mm, in points (rounded down). */
export const WIDTH = 240;

/** Pixels per point: 1,080 pixels over 85 mm are 323 per inch. */
export const SCALE = 4.5;

/** Type sizes in points, at least 7, the minimum of most journals. */
export const SIZE = { title: 9.5, subtitle: 7.5, label: 7.5, value: 7, tick: 7 } as const;

/** Line height as a multiple of the type size. */
export const LINE_HEIGHT = 1.2;

/** Margin around a figure in points. */
export const EDGE = 4;

/** Bundled font of all text except Devanagari, independent of installed fonts. */
export const FONT_FAMILY = "DejaVu Sans Condensed";

/** Font of lines in Devanagari. */
export const DEVANAGARI_FAMILY = "Noto Sans Devanagari";

/**
 * Okabe & Ito's palette (2008, "Color Universal Design"), safe for colour blindness.
 *
 * Ordered so that the first colours also differ most in lightness.
 */
export const PALETTE = {
  blue: "#0072B2",
  orange: "#E69F00",
  green: "#009E73",
  vermillion: "#D55E00",
  sky: "#56B4E9",
  purple: "#CC79A7",
  yellow: "#F0E442",
} as const;

/** The palette in order of use for series. */
export const SERIES: readonly string[] = Object.values(PALETTE);

/** Colours of axes and text, and of context data (baselines, invalid answers). */
export const INK = {
  text: "#1A1A1A",
  faint: "#5A5A5A",
  grid: "#DDDDDD",
  muted: "#A6A6A6",
  paper: "#FFFFFF",
} as const;

/** Style of text with a white outline, so that no grid line crosses letters. */
export const HALO = { fill: INK.text, stroke: INK.paper, strokeWidth: 2.5 } as const;

/** Style of reference lines, such as chance: three dashes in 13 points. */
export const REFERENCE_LINE = {
  stroke: PALETTE.vermillion,
  strokeWidth: 0.9,
  strokeDasharray: "2.5,1.8333",
} as const;

/** Style of the white casing under a reference line, which makes it visible on any colour. */
export const REFERENCE_CASING = { stroke: INK.paper, strokeWidth: 1.5 } as const;

/**
 * Returns black or white, whichever contrasts more with a colour (WCAG 2.2).
 *
 * Throws SyntaxError for anything but `#rrggbb`.
 */
export function contrastingInk(colour: string): string {
  const luminance = relativeLuminance(colour);
  return 1.05 / (luminance + 0.05) > (luminance + 0.05) / 0.05 ? INK.paper : "#000000";
}

/** Relative luminance of a colour, from 0 for black to 1 for white (WCAG 2.2). */
export function relativeLuminance(colour: string): number {
  const hex = colour.match(/^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i);
  if (!hex) throw new SyntaxError(`Cannot read the colour ${colour}: it is no #rrggbb.`);
  const [red, green, blue] = hex.slice(1).map((digits) => {
    const share = parseInt(digits, 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Formats a number at an axis tick: whole percentages, decimals without trailing zeros. */
export function writeTick(value: number, format: NumberFormat): string {
  if (format === "percent") return shownNumber(value, "whole percent");
  if (format === "count") return shownNumber(value, "count");
  return String(Number(value.toFixed(6))).replace("-", "−");
}
