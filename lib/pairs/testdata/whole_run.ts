import { join } from "node:path";
import { certificateHash } from "../certify.ts";
import { evaluateForcedChoice } from "../choose.ts";
import { type DatasetItem, writeDataset } from "../dataset.ts";
import { scorePairs } from "../score.ts";
import { fakeChat, fakeLanguage } from "./fake_models.ts";
import { madePairs, PHENOMENA, type Phenomenon } from "./norse.ts";
import { studyIn } from "./study.ts";

/** What a run leaves behind. */
export const RUN_FILES = [
  ...["minimal_pairs.csv", "certificates.csv", "likelihoods.csv"],
  ...["results.csv", "invalid.csv", "asked.csv", "settings.json"],
];

/** n pairs with certificates. */
export function madeItems(n: number): readonly DatasetItem<Phenomenon>[] {
  return madePairs(n).map((pair, index) => ({
    pair,
    certificate: {
      pairId: pair.id,
      source: { text: "Völsunga saga", chapter: 1 + index % 42, sentence: 1 + index },
      rule: "QC_VERB_LIKA",
      lemma: index % 3 === 0 ? "líka" : `lemma${index % 7}`,
      construction: "impersonal_verb",
      cellFrom: "dat.sg",
      cellTo: "nom.sg",
      checks: ["one", "two"],
      marks: [],
      explanation: 'líka takes its subject in the dative, "hánum".',
      sourceSpelling: pair.grammatical,
      proposedBy: "rules",
      promptSha256: "",
      sha256: certificateHash({ ...pair, rule: "QC_VERB_LIKA" }),
    },
  }));
}

/** Generation, forced choice and likelihoods with fake models, in one folder. */
export async function wholeRun(folder: string, made: number): Promise<void> {
  const at = (name: string) => join(folder, name);
  const items = madeItems(made);
  const pairs = items.map(({ pair }) => pair);
  const { files, question: template } = studyIn(folder);
  writeDataset({
    pairsPath: at("minimal_pairs.csv"),
    certificatesPath: at("certificates.csv"),
    phenomena: PHENOMENA,
    items,
    settings: "seed 1",
  });
  await evaluateForcedChoice({
    pairs,
    models: [fakeChat("ǫnd"), fakeChat("askr")],
    template,
    files,
  });
  await scorePairs({ pairs, models: [fakeLanguage("ǫnd")], files });
}
