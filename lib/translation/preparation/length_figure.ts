import { forestPlot } from "../../figures/forest_plot.ts";
import type { Figure } from "../../figures/render.ts";
import type { PreparationReport } from "./report.ts";

/**
 * The length of each system's outputs over the median of their segment: median and quartiles, the
 * shortest system first. One far below 1 leaves things out or is cut off, one far above adds.
 */
export function lengthFigure({ systems, rated }: PreparationReport): Figure {
  const measured = systems.filter(({ relativeLength }) => relativeLength.n > 0)
    .toSorted((a, b) => a.relativeLength.median - b.relativeLength.median);
  const highest = Math.max(
    1,
    ...measured.map(({ relativeLength }) => relativeLength.upperQuartile),
  );
  const [shortest, longest] = [measured[0], measured.at(-1)].map((it) =>
    it && `${it.system}, ${it.relativeLength.median.toFixed(2)}`
  );
  return forestPlot({
    title: "Length of each system’s translations",
    subtitle: `Characters over the segment’s median, ${rated} segments: median and quartiles`,
    alt: `Length of each system's translations over the segment's median. Shortest: ${shortest}; ` +
      `longest: ${longest}.`,
    rows: measured.map(({ system, relativeLength: { median, lowerQuartile, upperQuartile } }) => ({
      label: system,
      measure: { kind: "interval", estimate: median, low: lowerQuartile, high: upperQuartile },
    })),
    axis: {
      ...{ label: "Length over the median of its segment", format: "decimal" },
      domain: [0, Math.ceil(highest * 5) / 5],
      reference: { value: 1, label: "median" },
    },
  });
}
