import * as Plot from "@observablehq/plot";
import { escapeXml } from "./fonts.ts";
import type { LegendEntry } from "./legend.ts";
import { INK, SIZE } from "./theme.ts";

/** How values become colours. */
export interface HeatScale {
  readonly domain: readonly [number, number];
  /** The value of no effect, drawn in the palest colour of a two-sided scale; one-sided without. */
  readonly centre?: number;
}

/** Two colours, for values of which only the side of an edge matters. */
export interface HeatClasses {
  /** Values up to this one, itself included, are pale, those above it dark. */
  readonly edge: number;
  /** What it means to be at or below the edge, and above it. */
  readonly meanings: readonly [string, string];
}

/** Name by which cells refer to {@link HATCH_DEFS}. */
export const HATCH = "url(#hatch)";

/** The pattern of a cell without a value. */
export const HATCH_DEFS =
  `<pattern id="hatch" width="4" height="4" patternUnits="userSpaceOnUse" ` +
  `patternTransform="rotate(45)"><rect width="4" height="4" fill="${INK.paper}"/>` +
  `<rect width="1" height="4" fill="${INK.grid}"/></pattern>`;

/**
 * The colour of a value: orange above the centre and purple below (both told apart in every common
 * colour blindness), or pale to dark blue without a centre. Values beyond the domain take its ends.
 *
 * Throws RangeError unless low < centre < high.
 */
export function heatColours({ domain, centre }: HeatScale): (value: number) => string {
  const [low, high] = domain;
  if (!(low < high) || (centre !== undefined && !(low < centre && centre < high))) {
    throw new RangeError(`Cannot colour: ${low}, ${centre ?? "no centre"}, ${high} do not ascend.`);
  }
  const scale = centre === undefined
    ? Plot.scale({ color: { type: "linear", domain, scheme: "Blues", clamp: true } })
    : Plot.scale({
      color: {
        type: "diverging",
        domain,
        pivot: centre,
        symmetric: false,
        scheme: "PuOr",
        clamp: true,
      },
    });
  return (value) => String(scale.apply(value));
}

const [PALE, DARK] = [0.1, 0.8].map(heatColours({ domain: [0, 1] })) as [string, string];

/** The colour of a value's class. */
export function classColours({ edge }: HeatClasses): (value: number) => string {
  return (value) => value <= edge ? PALE : DARK;
}

/** The key of two classes, e.g. `p up to 0.05: told apart` and `above: not told apart`. */
export function classLegend(
  { edge, meanings: [below, above] }: HeatClasses,
  title: string,
  write: (value: number) => string,
): readonly LegendEntry[] {
  return [
    { label: `${title} up to ${write(edge)}: ${below}`, color: PALE },
    { label: `above: ${above}`, color: DARK },
  ];
}

/** Height of the key that {@link rampSvg} draws. */
export const RAMP_HEIGHT = 31;

/** The key of the colours: its title, a ramp, and the ends and centre under it. */
export function rampSvg(
  scale: HeatScale,
  title: string,
  write: (value: number) => string,
  { x, width }: { readonly x: number; readonly width: number },
): string {
  const y = SIZE.tick + 6;
  const [low, high] = scale.domain;
  const colour = heatColours(scale);
  const steps = 40;
  const strip = Array.from({ length: steps }, (_, i) => {
    const fill = colour(low + (high - low) * (i + 0.5) / steps);
    return `<rect x="${x + width * i / steps}" y="${y}" width="${
      width / steps + 0.05
    }" height="5" ` +
      `shape-rendering="crispEdges" ` +
      `fill="${fill}"/>`;
  });
  const marked = scale.centre === undefined ? [low, high] : [low, scale.centre, high];
  const labels = marked.map((value) => {
    const at = x + width * (value - low) / (high - low);
    return `<text x="${at}" y="${y + 5 + SIZE.tick + 1}" font-size="${SIZE.tick}" ` +
      `text-anchor="middle">${escapeXml(write(value))}</text>`;
  });
  const heading = `<text x="${x}" y="${y - 3}" font-size="${SIZE.tick}">${escapeXml(title)}</text>`;
  return [heading, ...strip, ...labels].join("");
}
