import { extractNouns } from "../../extraction/extract_nouns.ts";
import { LEXICON } from "../../extraction/lexicon.ts";
import { SANSKRIT_PATHS } from "../../paths.ts";
import { readTreebank, tokenKey } from "../../treebank/treebank_file.ts";
import { readVerses } from "../../verses_file.ts";
import { searchContrasts } from "../certify_contrasts.ts";
import { generateContrasts, type GenerationSettings, type GenerationSources } from "../generate.ts";
import type { VariantReading } from "../variant_reading.ts";

export const VERSES = readVerses(SANSKRIT_PATHS.verses);
export const TREEBANK = readTreebank(SANSKRIT_PATHS.treebank);

/** As if a reader had found every variant wrong: what the rules alone let through. */
export const ALL_WRONG: readonly VariantReading[] = searchContrasts({
  ...{ verses: VERSES, treebank: TREEBANK, stems: new Set(LEXICON) },
  extracted: extractNouns(VERSES, LEXICON).tokens,
}).candidates.map(({ noun, written }) => ({ token: tokenKey(noun), written, rating: "wrong" }));

export const SOURCES: GenerationSources = {
  verses: VERSES,
  treebank: TREEBANK,
  readings: ALL_WRONG,
};

export const SETTINGS: GenerationSettings = { seed: 42, targetSize: 500, maxStems: 200 };

export const GENERATED = generateContrasts(SOURCES, SETTINGS);
