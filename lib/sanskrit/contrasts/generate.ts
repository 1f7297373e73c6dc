import { attestedSentences, type CertifiedPair } from "../../pairs/certify.ts";
import type { Rejection } from "../../pairs/pair.ts";
import type { DeclensionClass } from "../declension.ts";
import { type AttestedNouns, attestedNouns } from "../extraction/attested_nouns.ts";
import { type Extraction, extractNouns, type NounToken } from "../extraction/extract_nouns.ts";
import { LEXICON } from "../extraction/lexicon.ts";
import type { AnnotatedNoun } from "../treebank/annotated_noun.ts";
import type { Verse } from "../verses.ts";
import type { Phenomenon, RejectionReason } from "./candidate.ts";
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
  /** Pairs of so many a- and ā-stems at most: the most frequent ones of those that give a pair. */
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
  const { tokens } = extraction;
  const isOfIStem = (declension: DeclensionClass) => declension.startsWith("i_");
  const family = (isOwn: IsOwn, stems: number, options: ChoiceOptions) => {
    const extracted = tokens.filter(({ entry }) => isOwn(entry.declension));
    const treebank = sources.treebank.filter(({ declension }) => isOwn(declension));
    return generateFamily({ ...sources, treebank }, extracted, stems, options);
  };
  return {
    extraction,
    aStems: family((it) => !isOfIStem(it), maxStems, { seed, targetSize, prefix: "morph" }),
    iStems: family(isOfIStem, Infinity, { seed, targetSize: I_STEM_TARGET, prefix: "istem" }),
  };
}

type ChoiceOptions = Required<Parameters<typeof chooseContrasts>[1]>;

/** Whether a declension is of the family. */
type IsOwn = (declension: DeclensionClass) => boolean;

function generateFamily(
  { verses, treebank, readings }: GenerationSources,
  extracted: readonly NounToken[],
  maxStems: number,
  options: ChoiceOptions,
): StemFamily {
  const nouns = attestedNouns(extracted, Infinity);
  const stems = new Set(nouns.nouns.map(({ entry }) => entry));
  const search = searchContrasts({ verses, treebank, extracted, stems });
  const attested = attestedSentences(verses.flatMap(({ lines }) => lines.map(({ text }) => text)));
  const { certified, rejections } = certifyContrasts(
    search,
    verses,
    variantReadings(readings),
    attested,
  );
  const withPairs = new Set(certified.map(({ certificate }) => certificate.lemma));
  const able = extracted.filter(({ entry }) => withPairs.has(entry.stem));
  const frequent = attestedNouns(able, maxStems).nouns.map(({ entry }) => entry.stem);
  const isFrequent = ({ certificate }: CertifiedPair<Phenomenon>) =>
    frequent.includes(certificate.lemma);
  const set = chooseContrasts(certified.filter(isFrequent), options);
  const rare = certified.filter((pair) => !isFrequent(pair)).map(ofRareStem);
  return { nouns, certified, set, rejections: [...rejections, ...rare, ...set.notSelected] };
}

function ofRareStem({ pair, certificate }: CertifiedPair<Phenomenon>): Rejection<RejectionReason> {
  const { source, lemma } = certificate;
  const { phenomenon, target } = pair;
  return { source, phenomenon, candidate: target, reason: "stem_not_chosen", detail: lemma };
}
