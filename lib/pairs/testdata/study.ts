import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { forcedChoiceTemplate } from "../forced_choice.ts";
import type { PairStudy } from "../study.ts";

const PROJECT = fileURLToPath(new URL("../../../", import.meta.url));

/** A study whose answers, locks and cache stand in a folder of the test; its panels are the project's. */
export function studyIn(folder: string): PairStudy {
  const at = (name: string) => join(folder, name);
  return {
    name: "test",
    question: forcedChoiceTemplate("Old Norse"),
    orderSeed: 20261123,
    files: {
      responses: at("results.csv"),
      invalidAnswers: at("invalid.csv"),
      asked: at("asked.csv"),
      likelihoods: at("likelihoods.csv"),
      settings: at("settings.json"),
    },
    connection: { env: at(".env"), usage: at("usage.json"), batches: at("batches") },
    lock: at("answers.lock"),
    commands: { evaluate: "deno task evaluate", compute: "deno task notebooks 13 14 15" },
    cache: at("cache"),
    panels: {
      local: join(PROJECT, "data/panels/local.yaml"),
      hosted: join(PROJECT, "data/panels/groq.yaml"),
    },
    project: PROJECT,
  };
}
