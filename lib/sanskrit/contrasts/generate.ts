import { attestedSentences, type CertifiedPair } from "../../pairs/certify.ts";
import type { Rejection } from "../../pairs/pair.ts";
import { type AttestedNouns, attestedNouns } from "../extraction/attested_nouns.ts";
import { type Extraction, extractNouns, type NounToken } from "../extraction/extract_nouns.ts";
import { LEXICON } from "../extraction/lexicon.ts";
import type { AnnotatedNoun } from "../treebank/annotated_noun.ts";
import type { Verse } from "../verses.ts";
import type { Phenomenon } from "./candidate.ts";
import { certifyContrasts, searchContrasts } from "./certify_contrasts.ts";
import { chooseContrasts, type ContrastSet } from "./generation.ts";
import { type VariantReading, variantReadings } from "./variant_reading.ts";

/** What the two contrast sets are made from. */
export interface GenerationSources {
  readonly verses: readonly Verse[];
  readonly treebank: readonly AnnotatedNoun[];
  readonly readings: readonly VariantReading[];
}

export interface GenerationSettings {
  readonly seed: number;
  /** Pairs wanted of a- and ā-stems. */
  readonly targetSize: number;
  /** Only so many stems of a- and ā-stems, the most frequent ones. */
  readonly maxStems: number;
}

/** Nouns, pairs and refusals of one family of stems. */
export interface StemFamily {
  readonly nouns: AttestedNouns;
  readonly certified: readonly CertifiedPair<Phenomenon>[];
  readonly set: ContrastSet;
  readonly rejections: readonly Rejection[];
}

export interface GeneratedContrasts {
  readonly extraction: Extraction;
  /** The specification's three paradigms: masculine and neuter a-stems, feminine ā-stems. */
  readonly aStems: StemFamily;
  /** The first further family: i-stems, by the same rules with another table. */
  readonly iStems: StemFamily;
}

/** Pairs wanted of i-stems; as many as the text gives where it gives fewer. */
const I_STEM_TARGET = 100;

/** Both contrast sets from the text, the treebank and the readings. Pure; the seed breaks ties. */
export function generateContrasts(
  sources: GenerationSources,
  { seed, targetSize, maxStems }: GenerationSettings,
): GeneratedContrasts {
  const extraction = extractNouns(sources.verses, LEXICON);
  const family = (isOwn: (token: NounToken) => boolean, stems: number, options: ChoiceOptions) =>
    generateFamily(sources, attestedNouns(extraction.tokens.filter(isOwn), stems), options);
  const isIStem = ({ entry }: NounToken) => entry.declension.startsWith("i_");
  return {
    extraction,
    aStems: family((token) => !isIStem(token), maxStems, { seed, targetSize, prefix: "morph" }),
    iStems: family(isIStem, Infinity, { seed, targetSize: I_STEM_TARGET, prefix: "istem" }),
  };
}

type ChoiceOptions = Required<Parameters<typeof chooseContrasts>[1]>;

function generateFamily(
  { verses, treebank, readings }: GenerationSources,
  nouns: AttestedNouns,
  options: ChoiceOptions,
): StemFamily {
  const extracted = nouns.nouns.flatMap(({ tokens }) => tokens);
  const stems = new Set(extracted.map(({ entry }) => entry.stem));
  const own = treebank.filter(({ stem }) => stems.has(stem));
  const search = searchContrasts({ verses, treebank: own, extracted });
  const attested = attestedSentences(verses.flatMap(({ lines }) => lines.map(({ text }) => text)));
  const { certified, rejections } = certifyContrasts(
    search,
    verses,
    variantReadings(readings),
    attested,
  );
  const set = chooseContrasts(certified, options);
  return { nouns, certified, set, rejections: [...rejections, ...set.notSelected] };
}
