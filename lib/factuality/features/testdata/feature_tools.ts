import type { FeatureTools } from "../families.ts";
import { readWordNet } from "../wordnet.ts";
import { gazetteerOf } from "../words.ts";
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
