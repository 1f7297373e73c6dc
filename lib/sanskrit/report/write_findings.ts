import { writeTextAtomic } from "../../files/atomic.ts";
import { replaceMarkedSection } from "../../files/marked_section.ts";
import { SANSKRIT_PATHS } from "../paths.ts";
import type { Evidence } from "./evidence.ts";
import { sanskritReport } from "./report.ts";

/**
 * Writes the Sanskrit part of RESULTS.md between its markers, and returns it.
 * @throws SyntaxError where the markers are not there.
 */
export function writeFindings(evidence: Evidence, seed: number): string {
  const report = sanskritReport(evidence, seed);
  const document = Deno.readTextFileSync(SANSKRIT_PATHS.results);
  writeTextAtomic(SANSKRIT_PATHS.results, replaceMarkedSection(document, "sanskrit", report));
  return report;
}
