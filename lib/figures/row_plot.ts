import * as Plot from "@observablehq/plot";
import type { Reference, ValueAxis } from "./axis.ts";
import { writeTick } from "./measure.ts";
import { GAP, HEAD, type LabelledRow, type PlacedRow, type RowLayout } from "./rows.ts";
import { HALO, INK, LINE_HEIGHT, REFERENCE_CASING, REFERENCE_LINE, SIZE } from "./theme.ts";

/** Marks under and over the reference line. */
export interface RowMarks {
  readonly under?: readonly Plot.Markish[];
  readonly over: readonly Plot.Markish[];
}

/** Room below the rows for ticks and the axis label. */
const FOOT = 22;

/** Plot options common to charts of rows: axis, grid, reference line, labels and the marks. */
export function rowPlot<Row extends LabelledRow>(
  layout: RowLayout<Row>,
  axis: ValueAxis,
  right: number,
  { under = [], over }: RowMarks,
): { readonly plot: Plot.PlotOptions; readonly height: number } {
  const { height } = layout;
  const plot: Plot.PlotOptions = {
    marginTop: 0,
    marginBottom: FOOT,
    marginLeft: layout.left,
    marginRight: right,
    x: { domain: axis.domain, axis: null, label: null },
    y: { type: "linear", domain: [0, height], range: [0, height], axis: null },
    marks: [
      ...axisMarks(axis),
      ...labelMarks(layout),
      ...under,
      ...referenceMarks(layout, axis.reference),
      ...over,
    ],
  };
  return { plot, height: height + FOOT };
}

function axisMarks({ label, format }: ValueAxis): Plot.Markish[] {
  return [
    Plot.gridX({ ticks: 5, stroke: INK.grid, strokeOpacity: 1, strokeWidth: 0.5 }),
    Plot.axisX({
      ticks: 5,
      tickFormat: (value: number) => writeTick(value, format),
      fontSize: SIZE.tick,
      label,
      labelAnchor: "center",
      labelArrow: "none",
      labelOffset: FOOT - 3,
      tickSize: 3,
      tickPadding: 2,
    }),
  ];
}

function labelMarks<Row>(layout: RowLayout<Row>): Plot.Markish[] {
  const text = {
    frameAnchor: "left",
    dx: layout.labelLeft - layout.left,
    textAnchor: "start",
    fontSize: SIZE.label,
    lineHeight: LINE_HEIGHT,
    ...HALO,
  } as const;
  return [
    Plot.text(layout.rows, { text: "label", y: "labelY", ...text }),
    Plot.text(layout.headings, { text: "text", y: "y", ...text, fontWeight: "bold" }),
  ];
}

/** Drawn row by row, so that the line never runs through a label above a bar. */
function referenceMarks<Row>(layout: RowLayout<Row>, reference?: Reference): Plot.Markish[] {
  if (reference === undefined) return [];
  const place = {
    x1: () => reference.value,
    x2: () => reference.value,
    y1: (placed: PlacedRow<Row>) => placed.top - GAP / 2,
    y2: (placed: PlacedRow<Row>) => placed.bottom + GAP / 2,
  };
  return [
    Plot.link(layout.rows, { ...place, ...REFERENCE_CASING }),
    Plot.link(layout.rows, { ...place, ...REFERENCE_LINE }),
    Plot.text([reference], {
      x: "value",
      text: "label",
      y: () => HEAD / 2 - 1,
      fill: REFERENCE_LINE.stroke,
      fontSize: SIZE.tick,
    }),
  ];
}
