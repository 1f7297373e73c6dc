import type { SentenceEncoder } from "../../models/encoder/sentence_encoder.ts";
import type { Passage } from "../retrieval/passage.ts";
import type { Evidence } from "../verdicts/verdict.ts";
import { alignmentFeatures } from "./alignment_features.ts";
import { antonymFeatures } from "./antonym_features.ts";
import { chooseEvidence, type EvidenceSentence } from "./choose_evidence.ts";
import { compare, type Comparison } from "./comparison.ts";
import {
  type ClaimFeatures,
  FEATURE_NAMES,
  type FeatureValues,
  type SourceReader,
} from "./features.ts";
import { nameFeatures } from "./name_features.ts";
import { negationFeatures } from "./negation_features.ts";
import { overlapFeatures } from "./overlap_features.ts";
import { quantityFeatures } from "./quantity_features.ts";
import { type ReadingTools, readWords } from "./read_words.ts";
import { roleFeatures } from "./role_features.ts";
import { sourceSentences } from "./source_sentence.ts";
import { speakerFeatures } from "./speaker_features.ts";

/** What features are made with. */
export interface FeatureTools extends ReadingTools {
  readonly encoder: SentenceEncoder;
}

/** Reads the passages once, for any number of claims. */
export function sourceReader(passages: readonly Passage[], tools: FeatureTools): SourceReader {
  const sentences = sourceSentences(passages, tools);
  return {
    async features(claim) {
      const words = readWords(claim, tools);
      const chosen = await chooseEvidence(claim, words, sentences, tools.encoder);
      const comparison = compare(claim, words, chosen, sentences, tools.wordnet);
      return { ...valuesOf(comparison), evidence: chosen.top.map(evidenceOf) };
    },
  };
}

/** Features of one claim against passages. For many claims of one source see {@link sourceReader}. */
export function claimFeatures(
  claim: string,
  passages: readonly Passage[],
  tools: FeatureTools,
): Promise<ClaimFeatures> {
  return sourceReader(passages, tools).features(claim);
}

function valuesOf(comparison: Comparison): Pick<ClaimFeatures, "values" | "findings"> {
  const families = [
    overlapFeatures(comparison),
    alignmentFeatures(comparison),
    quantityFeatures(comparison),
    negationFeatures(comparison),
    antonymFeatures(comparison),
    nameFeatures(comparison),
    roleFeatures(comparison),
    speakerFeatures(comparison),
  ] as const;
  const values: FeatureValues = Object.assign({}, ...families.map(({ values }) => values));
  const findings = families.flatMap(({ findings }) => findings)
    .toSorted((a, b) => b.strength - a.strength)
    .map(({ feature, words, speaksFor }) => ({ feature, words, speaksFor }));
  return { values: FEATURE_NAMES.map((name) => values[name]), findings };
}

const evidenceOf = ({ passage, span, text, relevance }: EvidenceSentence): Evidence => ({
  passageId: passage.id,
  collection: passage.collection,
  span,
  text,
  relevance,
});
