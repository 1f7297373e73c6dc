/**
 * Injects every kind of fault between the evaluation and a server on this machine that knows all
 * answers, and writes what became of the rows into the README:
 *
 *     deno task faults
 *
 * The server is no model: its answers go to temporary folders and are nobody's results.
 */
import { writeTextAtomic } from "../lib/files/atomic.ts";
import { replaceMarkedSection } from "../lib/files/marked_section.ts";
import { runFaultMatrix } from "./faults/matrix.ts";
import { reliabilityTable, SECTION } from "./faults/reliability.ts";

const README = "README.md";

const figures = await runFaultMatrix(({ kind, faults, questions, lost, doubled, wrong }) => {
  const rows = `${lost} lost, ${doubled} doubled, ${wrong} wrong`;
  console.log(`${faults} faults, ${questions} questions, ${rows}: ${kind}`);
});
const document = Deno.readTextFileSync(README);
writeTextAtomic(README, replaceMarkedSection(document, SECTION, reliabilityTable(figures)));
const format = new Deno.Command(Deno.execPath(), { args: ["fmt", "--quiet", README] });
if (!(await format.output()).success) throw new Error(`Cannot format ${README}: run deno fmt`);
const faulty = figures.filter(({ lost, doubled, wrong }) => lost + doubled + wrong > 0);
for (const { kind } of faulty) console.error(`Rows are not as they must be: ${kind}`);
if (faulty.length > 0) Deno.exitCode = 1;
