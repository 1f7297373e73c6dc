import type { ChatModel } from "../../models/model.ts";
import { evaluateForcedChoice } from "../../pairs/evaluation.ts";
import type { EvaluationProgress, ModelReport } from "../../pairs/evaluation_report.ts";
import { QUESTION } from "../study.ts";
import type { PanelRun } from "./panel_run.ts";

/** Asks models side by side the study's question about what they have not answered yet. */
export async function askModels(
  { pairs, panel, orders, files, signal }: PanelRun,
  models: readonly ChatModel[],
  onProgress: (progress: EvaluationProgress) => void,
): Promise<readonly ModelReport[]> {
  if (models.length === 0) return [];
  const report = await evaluateForcedChoice({
    pairs,
    models,
    orders,
    comparedWith: panel.models.map(({ id }) => id),
    template: QUESTION,
    resultsPath: files.responses,
    invalidLogPath: files.invalidAnswers,
    settingsPath: files.responseSettings,
    onProgress,
    ...(signal ? { signal } : {}),
  });
  return report.models;
}
