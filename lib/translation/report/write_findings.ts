import { writeTextAtomic } from "../../files/atomic.ts";
import { replaceMarkedSection } from "../../files/marked_section.ts";
import { TRANSLATION_PATHS } from "../paths.ts";
import { type TranslationEvidence, translationReport } from "./report.ts";

/**
 * Writes the translation part of RESULTS.md between its markers, and returns it.
 *
 * Throws SyntaxError where the markers are not there.
 */
export function writeTranslationFindings(evidence: TranslationEvidence): string {
  const report = translationReport(evidence);
  const document = Deno.readTextFileSync(TRANSLATION_PATHS.results);
  writeTextAtomic(
    TRANSLATION_PATHS.results,
    replaceMarkedSection(document, "translation", report),
  );
  return report;
}
