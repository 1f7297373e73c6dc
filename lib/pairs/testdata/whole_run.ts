import { join } from "node:path";
import { evaluateForcedChoice, scorePairs } from "../ask.ts";
import { certificatesTable, pairsTable, writeDataset } from "../dataset.ts";
import { fakeChat, fakeLanguage } from "./fake_models.ts";
import { madeItems, PHENOMENA } from "./norse.ts";
import { studyIn } from "./study.ts";

/** Files that a run leaves behind. */
export const RUN_FILES = [
  "minimal_pairs.csv",
  "certificates.csv",
  "likelihoods.csv",
  "results.csv",
  "invalid.csv",
  "asked.csv",
  "settings.json",
];

/** Generation, forced choice and likelihoods with fake models, in one folder. */
export async function wholeRun(folder: string, made: number): Promise<void> {
  const at = (name: string) => join(folder, name);
  const items = madeItems(made);
  const pairs = items.map(({ pair }) => pair);
  const { files, question: template } = studyIn(folder);
  const tables = {
    pairs: pairsTable({ path: at("minimal_pairs.csv") }, PHENOMENA),
    certificates: certificatesTable({ path: at("certificates.csv") }),
  };
  writeDataset(tables, items, "seed 1");
  const models = [fakeChat("ǫnd"), fakeChat("askr")];
  await evaluateForcedChoice({ pairs, models, template, files });
  await scorePairs({ pairs, model: fakeLanguage("ǫnd"), files });
}
