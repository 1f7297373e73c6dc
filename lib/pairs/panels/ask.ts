import type { ChatModel } from "../../models/model.ts";
import { evaluateForcedChoice } from "../evaluation.ts";
import type { EvaluationProgress, ModelReport } from "../evaluation_report.ts";
import type { PanelRun } from "./panel_run.ts";

/** Asks models side by side the study's question about what they have not answered yet. */
export async function askModels(
  { study, pairs, panel, orders, signal }: PanelRun,
  models: readonly ChatModel[],
  onProgress: (progress: EvaluationProgress) => void,
): Promise<readonly ModelReport[]> {
  if (models.length === 0) return [];
  const report = await evaluateForcedChoice({
    pairs,
    models,
    orders,
    comparedWith: panel.models.map(({ id }) => id),
    template: study.question,
    resultsPath: study.files.responses,
    invalidLogPath: study.files.invalidAnswers,
    settingsPath: study.files.responseSettings,
    onProgress,
    ...(signal ? { signal } : {}),
  });
  return report.models;
}
