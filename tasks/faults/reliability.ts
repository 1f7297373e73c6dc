import { markdownTable } from "../../lib/figures/markdown_table.ts";
import type { FaultFigures } from "./run_scenario.ts";

/** The README's section between markers. */
export const SECTION = "reliability";

const COLUMNS = ["fault", "injected", "questions", "rows lost", "rows doubled", "wrong letters"];

/** One row a kind of fault, and their sums. */
export function reliabilityTable(figures: readonly FaultFigures[]): string {
  const total = figures.reduce(
    (sum, each) => ({
      kind: "**all**",
      faults: sum.faults + each.faults,
      questions: sum.questions + each.questions,
      lost: sum.lost + each.lost,
      doubled: sum.doubled + each.doubled,
      wrong: sum.wrong + each.wrong,
    }),
    { kind: "", faults: 0, questions: 0, lost: 0, doubled: 0, wrong: 0 },
  );
  const rows = [...figures, total].map(({ kind, faults, questions, lost, doubled, wrong }) => [
    ...[kind, faults, questions],
    ...[lost, doubled, wrong],
  ]);
  return markdownTable(COLUMNS, rows);
}

/** A Markdown table without what a formatter may change: padding, and the length of rules. */
export function withoutPadding(markdown: string): string {
  return markdown.replace(/ +/g, " ").replace(/-+/g, "-").trim();
}
