import { readTreebank } from "../treebank/treebank_file.ts";
import { readVerses } from "../verses_file.ts";
import { writeNouns, writeNounTokens } from "../extraction/noun_files.ts";
import { SANSKRIT_PATHS } from "../paths.ts";
import { bareForms } from "../probes/bare_forms.ts";
import { controlContrasts } from "../probes/control_sentences.ts";
import type { ContrastSets } from "../probes/probe_pairs.ts";
import type { DatasetItem } from "../../pairs/number_pairs.ts";
import type { Phenomenon } from "./candidate.ts";
import { writeContrasts } from "./contrast_file.ts";
import { recordOfItem, writeContrastSet, writeRejections } from "./dataset.ts";
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

/** Both sets with the probes that are made from them. */
export function contrastSets({ aStems, iStems }: GeneratedContrasts): ContrastSets {
  const withRecord = (item: DatasetItem<Phenomenon>) => ({ ...item, record: recordOfItem(item) });
  const { items } = aStems.set;
  return {
    main: items.map(withRecord),
    iStems: iStems.set.items.map(withRecord),
    controls: controlContrasts(items),
    bareForms: bareForms(items),
  };
}

/** Where each of the files that generation writes is kept. */
type GeneratedFiles = Readonly<Record<(typeof GENERATED_FILES)[number], string>>;

/** What generation writes, by the names of {@link SANSKRIT_PATHS}. */
export const GENERATED_FILES = [
  ...["nouns", "nounTokens", "pairs", "certificates", "rejections"] as const,
  ...["iStems", "iStemCertificates", "controls", "bareForms"] as const,
] as const satisfies readonly (keyof typeof SANSKRIT_PATHS)[];

/**
 * Writes nouns, both contrast sets with their certificates, refusals, control sentences and bare
 * forms: each file whole or not at all, the same bytes for the same input.
 */
export function writeGenerated(
  generated: GeneratedContrasts,
  files: GeneratedFiles = SANSKRIT_PATHS,
): void {
  const { extraction, aStems, iStems } = generated;
  const sets = contrastSets(generated);
  writeNouns(files.nouns, [...aStems.nouns.nouns, ...iStems.nouns.nouns]);
  writeNounTokens(files.nounTokens, extraction.tokens);
  writeContrastSet(sets.main, files);
  writeContrastSet(sets.iStems, {
    pairs: files.iStems,
    certificates: files.iStemCertificates,
  });
  writeRejections(files.rejections, [...aStems.rejections, ...iStems.rejections]);
  writeContrasts(files.controls, sets.controls);
  writeContrasts(files.bareForms, sets.bareForms);
}
