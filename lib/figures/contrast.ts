import { INK } from "./theme.ts";

/**
 * Black or white, whichever stands out more on a colour (contrast ratio of WCAG 2.2). Takes `#rrggbb`
 * and `rgb(r, g, b)`; throws SyntaxError for anything else.
 */
export function inkOn(colour: string): string {
  const luminance = relativeLuminance(colour);
  return 1.05 / (luminance + 0.05) > (luminance + 0.05) / 0.05 ? INK.paper : "#000000";
}

/** Lightness as seen, from 0 for black to 1 for white (WCAG 2.2). */
export function relativeLuminance(colour: string): number {
  const [red, green, blue] = channelsOf(colour).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function channelsOf(colour: string): number[] {
  const hex = colour.match(/^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i);
  if (hex !== null) return hex.slice(1).map((digits) => parseInt(digits, 16));
  const decimal = colour.match(/^rgb\((\d+), (\d+), (\d+)\)$/);
  if (decimal !== null) return decimal.slice(1).map(Number);
  throw new SyntaxError(
    `Cannot read the colour ${colour}: it is neither #rrggbb nor rgb(r, g, b).`,
  );
}
