import type { MinimalPair } from "../../pairs/pair.ts";
import { readContrasts } from "../contrasts/contrast_file.ts";
import { type ContrastRecord, pairOfRecord } from "../contrasts/contrast_record.ts";
import { type ContrastItem, readContrastSet } from "../contrasts/dataset.ts";
import { SANSKRIT_PATHS } from "../paths.ts";
import { transliterated } from "./transliterated.ts";

/** Every contrast of the study: the pairs that models are asked about, and what stands beside them. */
export interface ContrastSets {
  /** The pairs of the study. */
  readonly main: readonly ContrastItem[];
  /** The second set, of i-stems. */
  readonly iStems: readonly ContrastItem[];
  /** New sentences with the nouns and cells of the pairs. */
  readonly controls: readonly ContrastRecord[];
  /** The forms of the pairs without their sentences. */
  readonly bareForms: readonly ContrastRecord[];
}

/** All sets as notebook 22 wrote them. @throws {SyntaxError} naming the first damaged line of a file. */
export function readContrastSets(): ContrastSets {
  const { iStems: pairs, iStemCertificates: certificates } = SANSKRIT_PATHS;
  return {
    main: readContrastSet(),
    iStems: readContrastSet({ pairs, certificates }),
    controls: readContrasts(SANSKRIT_PATHS.controls),
    bareForms: readContrasts(SANSKRIT_PATHS.bareForms),
  };
}

/** What is only scored: control sentences, bare forms, the pairs in IAST, and the i-stems, in this order. */
export function probePairs(sets: ContrastSets = readContrastSets()): readonly MinimalPair[] {
  return [
    ...sets.controls.map(pairOfRecord),
    ...sets.bareForms.map(pairOfRecord),
    ...transliterated(sets.main.map(({ pair }) => pair)),
    ...sets.iStems.map(({ pair }) => pair),
  ];
}
