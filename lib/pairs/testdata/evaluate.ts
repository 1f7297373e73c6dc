import type { ChatModel } from "../../models/model.ts";
import { evaluateForcedChoice, type ForcedChoiceOptions } from "../choose.ts";
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
      files: {
        responses: at("results.csv"),
        asked: at("asked.csv"),
        invalidAnswers: at("invalid.csv"),
        settings: at("settings.json"),
      },
      ...change,
    });
}
