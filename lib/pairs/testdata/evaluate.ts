import type { ChatModel } from "../../models/model.ts";
import { evaluateForcedChoice, type ForcedChoiceOptions } from "../choose.ts";
import type { MinimalPair } from "../pair.ts";
import { studyIn } from "./study.ts";

/** A path of the test's own folder. */
export type At = (name: string) => string;

/** Evaluates models on these pairs, its files in a folder of the test's own. */
export function evaluatorOf(pairs: readonly MinimalPair[]) {
  return (at: At, models: readonly ChatModel[], change: Partial<ForcedChoiceOptions> = {}) => {
    const { question: template, files } = studyIn(at(""));
    return evaluateForcedChoice({ pairs, models, template, files, ...change });
  };
}
