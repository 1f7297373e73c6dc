import { readWordNet } from "../../wordnet/read_wordnet.ts";
import { sourcePassage } from "../../retrieval/passage.ts";
import { FEATURE_NAMES, type FeatureName } from "../features.ts";
import { gazetteerOf } from "../gazetteer.ts";
import { claimFeatures, type FeatureTools } from "../source_reader.ts";
import { wordEncoder } from "./word_encoder.ts";

/** WordNet as it is, two countries, and an encoder of words. */
export const featureTools: FeatureTools = {
  encoder: wordEncoder,
  wordnet: await readWordNet(),
  gazetteer: gazetteerOf([
    { name: "France", type: "country", also: ["French"] },
    { name: "Germany", type: "country", also: ["German", "Germans"] },
  ]),
};

/** Values by name, findings and evidence of a claim against a source text. */
export async function featuresOf(claim: string, source: string) {
  const { values, findings, evidence } = await claimFeatures(
    claim,
    [sourcePassage(source)],
    featureTools,
  );
  const value = (name: FeatureName) => values[FEATURE_NAMES.indexOf(name)]!;
  return { value, values, findings, evidence, words: findings.map(({ words }) => words) };
}
