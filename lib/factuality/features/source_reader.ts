import type { SentenceEncoder } from "../../models/encoder/network_encoder.ts";
import type { Evidence, Passage } from "../types.ts";
import {
  chooseEvidence,
  compare,
  type Comparison,
  type EvidenceSentence,
  sourceSentences,
} from "./evidence.ts";
import {
  alignmentFeatures,
  antonymFeatures,
  nameFeatures,
  negationFeatures,
  overlapFeatures,
  quantityFeatures,
  roleFeatures,
  speakerFeatures,
} from "./families.ts";
import {
  type ClaimFeatures,
  FEATURE_NAMES,
  type FeatureValues,
  type SourceReader,
} from "./features.ts";
import { type ReadingTools, readWords } from "./words.ts";

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
