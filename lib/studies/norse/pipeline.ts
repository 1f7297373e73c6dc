/**
 * The study's stages, from the saga to the pairs put to models.
 * They are: acquire; find, certify, choose and write (`propose.ts`, which asks a model only if the
 * source is one); open. Notebooks 11 to 15 show the result of each stage; `evidence.ts` measures
 * the answers.
 */
import type { LanguageModel } from "../../models/model.ts";
import { EXPORTED_PAIRS, type ExportedStudy } from "../../pairs/export.ts";
import { readPanel } from "../../pairs/panels.ts";
import type { PairSet } from "../../pairs/study.ts";
import { acquireSentences } from "./corpus.ts";
import {
  EXCLUSIONS,
  readFurtherSet,
  readNorseDataset,
  readReverseSet,
  SENTENCES,
  type Source,
} from "./dataset.ts";
import { readPromptTemplates } from "./proposals.ts";
import { runGeneration } from "./propose.ts";
import { furtherSets, NORSE_PATHS, NORSE_STUDY } from "./study.ts";

/**
 * Acquires the saga's sentences and writes them.
 * Without the package the committed file serves. The caller cannot distinguish the two, so that
 * notebooks give the same results on every machine.
 * @throws {AcquisitionError} without package and file.
 */
export async function acquireNorse(): Promise<void> {
  const acquired = await acquireSentences({ cacheDirectory: NORSE_PATHS.packages });
  if (acquired.origin === "package") {
    SENTENCES.write(acquired.sentences);
    EXCLUSIONS.write(acquired.exclusions);
  }
}

/** Settings of the generation; see {@link runGeneration}. */
interface NorseGeneration {
  readonly source?: Source | undefined;
  readonly limit?: number | undefined;
  readonly estimateOnly?: boolean | undefined;
  readonly signal: AbortSignal;
}

/**
 * Generates both sets of pairs from the recorded sentences.
 * @returns true if no question is left to ask.
 */
export function generateNorse(options: NorseGeneration, print: (line: string) => void) {
  return runGeneration(options, {
    sentences: SENTENCES.read(),
    templates: readPromptTemplates(),
    panel: readPanel(NORSE_PATHS.hostedPanel, NORSE_PATHS.project),
    connection: { env: NORSE_PATHS.env, usage: NORSE_PATHS.usage },
    paths: NORSE_PATHS,
    print,
  });
}

/** Opens the pairs that models are asked about, with the further sets. */
export function openNorse() {
  const items = readNorseDataset();
  const further: readonly PairSet[] = furtherSets(items);
  const ownModels: readonly LanguageModel[] = [];
  return { study: NORSE_STUDY, pairs: items.map(({ pair }) => pair), further, ownModels };
}

/** Reads the pairs for the export. */
export const exportedNorse = (): ExportedStudy => ({
  name: "norse",
  title: "Old Norse minimal pairs",
  about: `From Völsunga saga (public domain; edition of norsecorpus, MIT). ${EXPORTED_PAIRS}`,
  language: "non",
  licence: "MIT",
  holders: ["2019 Clément Besnier (norsecorpus)"],
  sets: [
    {
      name: "forward",
      about: "quirky case, strong and weak adjectives, u-umlaut, middle voice",
      items: readNorseDataset(),
    },
    { name: "further", about: "adjectives and umlaut beyond the 500", items: readFurtherSet() },
    { name: "reverse", about: "the changes the other way about", items: readReverseSet() },
  ],
});
