/**
 * Injects every kind of fault between the evaluation and a server on this machine that knows all
 * answers, and writes what became of the rows into docs/reliability.md. The server is no model: its answers go
 * to temporary folders and are nobody's results.
 */
import { markdownTable } from "../../lib/figures/table.ts";
import { writeMarkedSection } from "../../lib/files/atomic.ts";
import { command, EXIT } from "../command.ts";
import { type FaultFigures, runFaultMatrix, sumOf } from "./faults/kinds.ts";

const REPORT = "docs/reliability.md";
const COLUMNS = ["fault", "injected", "questions", "rows lost", "rows doubled", "wrong letters"];

/** One row a kind of fault, and their sums, for the report's section `reliability`. */
export function reliabilityTable(figures: readonly FaultFigures[]): string {
  const rows = [...figures, sumOf("**all**", figures)];
  return markdownTable(
    COLUMNS,
    rows.map((row) => [row.kind, row.faults, row.questions, row.lost, row.doubled, row.wrong]),
  );
}

export const TASK = command(
  "faults",
  "Every kind of fault between the evaluation and a server that knows all answers; renews docs/reliability.md",
  (c) => c,
  async () => {
    const figures = await runFaultMatrix(({ kind, faults, questions, lost, doubled, wrong }) => {
      const rows = `${lost} lost, ${doubled} doubled, ${wrong} wrong`;
      console.log(`${faults} faults, ${questions} questions, ${rows}: ${kind}`);
    });
    writeMarkedSection(REPORT, "reliability", reliabilityTable(figures));
    const format = new Deno.Command(Deno.execPath(), { args: ["fmt", "--quiet", REPORT] });
    if (!(await format.output()).success) throw new Error(`Cannot format ${REPORT}: run deno fmt`);
    const faulty = figures.filter(({ lost, doubled, wrong }) => lost + doubled + wrong > 0);
    for (const { kind } of faulty) console.error(`Rows are not as they must be: ${kind}`);
    return faulty.length > 0 ? EXIT.failed : EXIT.done;
  },
);
