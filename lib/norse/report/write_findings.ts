import { writeTextAtomic } from "../../files/atomic.ts";
import { replaceMarkedSection } from "../../files/marked_section.ts";
import { NORSE_PATHS } from "../paths.ts";
import type { Evidence } from "./evidence.ts";
import { norseReport } from "./report.ts";

/**
 * Writes the Norse part of RESULTS.md between its markers, and returns it.
 * @throws SyntaxError where the markers are not there.
 */
export function writeFindings(evidence: Evidence, seed: number): string {
  const report = norseReport(evidence, seed);
  const document = Deno.readTextFileSync(NORSE_PATHS.results);
  writeTextAtomic(NORSE_PATHS.results, replaceMarkedSection(document, "norse", report));
  return report;
}
