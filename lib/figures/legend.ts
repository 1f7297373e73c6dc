import { familyAttribute, linesHeight, lineSvg, textWidth } from "./fonts.ts";
import { EDGE, SIZE } from "./theme.ts";

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
export function legendSvg(
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
