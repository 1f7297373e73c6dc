import { join } from "node:path";
import { forcedChoiceTemplate } from "../forced_choice.ts";
import { IN_PROJECT, type PairStudy } from "../study.ts";

/** A study with answers, locks and cache in a folder of the test, and the project's panels. */
export function studyIn(folder: string): PairStudy {
  const at = (name: string) => join(folder, name);
  const { panels: { local, hosted }, project } = IN_PROJECT;
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
    connection: { env: at(".env"), usage: at("usage.json") },
    lock: at("answers.lock"),
    commands: { evaluate: "deno task evaluate", compute: "deno task notebooks 13 14 15" },
    cache: at("cache"),
    panels: { local, hosted },
    project,
  };
}
