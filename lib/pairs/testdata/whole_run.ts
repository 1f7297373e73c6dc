import { join } from "node:path";
import { evaluateForcedChoice } from "../choose.ts";
import { writeDataset } from "../dataset.ts";
import { scorePairs } from "../score.ts";
import { fakeChat, fakeLanguage } from "./fake_models.ts";
import { madeItems, PHENOMENA } from "./norse.ts";
import { studyIn } from "./study.ts";

/** What a run leaves behind. */
export const RUN_FILES = [
  ...["minimal_pairs.csv", "certificates.csv", "likelihoods.csv"],
  ...["results.csv", "invalid.csv", "asked.csv", "settings.json"],
];

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
  const models = [fakeChat("ǫnd"), fakeChat("askr")];
  await evaluateForcedChoice({ pairs, models, template, files });
  await scorePairs({ pairs, models: [fakeLanguage("ǫnd")], files });
}
