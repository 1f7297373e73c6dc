import { markdownTable } from "../../../figures/markdown_table.ts";
import {
  beyondControls,
  SWAP_THRESHOLD,
  swapSummaries,
  truthGaps,
} from "../../robustness/swap_analysis.ts";
import { groupShifts } from "../../robustness/swap_shifts.ts";
import type { SwapRow } from "../../robustness/swap_rows.ts";
import { writtenMeasure, writtenPoints } from "./written_measure.ts";

/** How far scores move with each change, by component; controls among them. */
export function swapTable(rows: readonly SwapRow[]): string {
  return markdownTable(
    [
      ...["component", "changed", "pairs", "portraits", "mean absolute difference (points)"],
      ...["largest", `over ${SWAP_THRESHOLD} points (%)`, "over 50 before, not after, or so (%)"],
    ],
    swapSummaries(rows).map((one) => [
      ...[one.component, one.change, one.pairs, one.portraits],
      writtenMeasure(one.meanAbsolute, "decimal"),
      writtenPoints(one.largest),
      writtenMeasure(one.inconsistent, "percent"),
      writtenMeasure(one.flipped, "percent"),
    ]),
  );
}

/** What each trait does beyond a change that says nothing of a group. */
export function beyondTable(rows: readonly SwapRow[]): string {
  return markdownTable(
    ["component", "trait", "control", "moves scores by so much more (points)"],
    beyondControls(rows).map(({ component, trait, control, difference }) => [
      ...[component, trait, control, writtenMeasure(difference, "decimal")],
    ]),
  );
}

/** Whom each component favours: groups whose interval leaves out 0, and how many there are in all. */
export function favouredTable(rows: readonly SwapRow[]): string {
  const groups = groupShifts(rows);
  const favoured = groups.filter(({ shift }) =>
    shift.kind === "interval" && (shift.low > 0 || shift.high < 0)
  );
  const cells = favoured.map(({ component, trait, group, portraits, shift }) => [
    ...[component, trait, group, portraits, writtenMeasure(shift, "decimal")],
  ]);
  const chance = `Of ${groups.length} groups and components ${favoured.length} have an interval ` +
    `without 0; ${(0.05 * groups.length).toFixed(0)} would by chance alone.`;
  if (cells.length === 0) return chance;
  const columns = ["component", "trait", "group", "portraits", "against the others (points)"];
  return `${markdownTable(columns, cells)}\n\n${chance}`;
}

/** By how much each component tells a right claim from a wrong one: what its consistency is worth. */
export function truthTable(rows: readonly SwapRow[]): string {
  return markdownTable(
    ["component", "portraits", "right claim over wrong one (points)"],
    truthGaps(rows).map(({ component, portraits, gap }) => [
      ...[component, portraits, writtenMeasure(gap, "decimal")],
    ]),
  );
}
