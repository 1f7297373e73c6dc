import { readTreebank } from "../treebank/treebank_file.ts";
import { readVerses } from "../verses_file.ts";
import { writeNouns, writeNounTokens } from "../extraction/noun_files.ts";
import { SANSKRIT_PATHS } from "../paths.ts";
import { bareForms } from "../probes/bare_forms.ts";
import { controlContrasts } from "../probes/control_sentences.ts";
import { writeContrasts } from "./contrast_file.ts";
import { writeContrastSet, writeRejections } from "./dataset.ts";
import type { GeneratedContrasts, GenerationSources } from "./generate.ts";
import { readVariantReadings } from "./variant_reading.ts";

/** Everything that generation reads. @throws {SyntaxError} naming the first damaged line of a file. */
export function readSources(): GenerationSources {
  return {
    verses: readVerses(SANSKRIT_PATHS.verses),
    treebank: readTreebank(SANSKRIT_PATHS.treebank),
    readings: readVariantReadings(SANSKRIT_PATHS.readings),
  };
}

/**
 * Writes nouns, both contrast sets with their certificates, refusals, control sentences and bare
 * forms: each file whole or not at all, the same bytes for the same input.
 */
export function writeGenerated({ extraction, aStems, iStems }: GeneratedContrasts): void {
  const files = SANSKRIT_PATHS;
  writeNouns(files.nouns, [...aStems.nouns.nouns, ...iStems.nouns.nouns]);
  writeNounTokens(files.nounTokens, extraction.tokens);
  writeContrastSet(aStems.set.items, files);
  writeContrastSet(iStems.set.items, {
    pairs: files.iStems,
    certificates: files.iStemCertificates,
  });
  writeRejections(files.rejections, [...aStems.rejections, ...iStems.rejections]);
  writeContrasts(files.controls, controlContrasts(aStems.set.items));
  writeContrasts(files.bareForms, bareForms(aStems.set.items));
}
