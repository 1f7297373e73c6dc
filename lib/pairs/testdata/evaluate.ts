import type { ChatModel } from "../../models/model.ts";
import { evaluateForcedChoice, type ForcedChoiceOptions } from "../evaluation.ts";
import { forcedChoiceTemplate } from "../forced_choice.ts";
import type { MinimalPair } from "../pair.ts";

/** A path of the test's own folder. */
export type At = (name: string) => string;

/** Evaluates models on these pairs, its files in a folder of the test's own. */
export function evaluatorOf(pairs: readonly MinimalPair[]) {
  return (
    at: At,
    models: readonly ChatModel[],
    change: Partial<ForcedChoiceOptions> = {},
  ) =>
    evaluateForcedChoice({
      pairs,
      models,
      template: forcedChoiceTemplate("Old Norse"),
      resultsPath: at("results.csv"),
      invalidLogPath: at("invalid.csv"),
      settingsPath: at("settings.json"),
      ...change,
    });
}
