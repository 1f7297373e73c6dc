import { preference } from "../../pairs/likelihood_measures.ts";
import type { PairLikelihood } from "../../pairs/likelihood_rows.ts";
import { labelledModels } from "../../pairs/report/per_panel.ts";
import type { Response } from "../../pairs/responses.ts";
import { type DrawnMeasure, lookUp } from "../../pairs/statistic_lookup.ts";
import type { Evidence } from "./evidence.ts";

/** A model in one way of judging it. */
export interface Judge {
  readonly model: string;
  /** For tables and figures: the model, with its panel where there are several, and the way. */
  readonly label: string;
  /** Its accuracy in `statistics.csv`. */
  readonly measure: "accuracy" | "likelihood_accuracy_total";
}

/** Every model in every way that was measured, panel by panel, masked models last. */
export function judgesOf(
  { panels, masked, statistics }: Pick<Evidence, "panels" | "masked" | "statistics">,
): readonly Judge[] {
  const found = lookUp(statistics);
  const all = [
    ...labelledModels(panels).flatMap(({ model, label }): readonly Judge[] => [
      { model, label: `${label}, likelihood`, measure: "likelihood_accuracy_total" },
      { model, label: `${label}, choice`, measure: "accuracy" },
    ]),
    ...masked.map((model): Judge => ({
      model,
      // The name says that it is scored by pseudo-likelihood, and in which variant.
      label: model,
      measure: "likelihood_accuracy_total",
    })),
  ];
  return all.filter(({ model, measure }) => found.measure(model, measure).kind !== "unavailable");
}

/** One way a model: by likelihood where that was measured, else by choice. */
export function oneJudgeEach(judges: readonly Judge[]): readonly Judge[] {
  return [...Map.groupBy(judges, ({ model }) => model).values()].flatMap(([first]) => first ?? []);
}

/** Masked models that were trained on the text itself: a yardstick, as the counting rules are. */
export const isTrainedHere = (model: string): boolean =>
  model.startsWith("bidirectional_character:");

/**
 * The model and way with the highest accuracy over all pairs, of the models that were not trained
 * here; of several the first.
 * @throws {RangeError} where no model was measured.
 */
export function strongestJudge(
  evidence: Pick<Evidence, "panels" | "masked" | "statistics">,
): Judge & { readonly overall: DrawnMeasure } {
  const found = lookUp(evidence.statistics);
  const estimate = (drawn: DrawnMeasure) => drawn.kind === "unavailable" ? -1 : drawn.estimate;
  const [best] = judgesOf(evidence).filter(({ model }) => !isTrainedHere(model))
    .map((judge) => ({ ...judge, overall: found.measure(judge.model, judge.measure) }))
    .toSorted((a, b) => estimate(b.overall) - estimate(a.overall));
  if (best) return best;
  throw new RangeError("Cannot name the strongest model: none was measured.");
}

/** Whether a judge was right on a pair; undefined where it gave nothing. */
export type RightOn = (pairId: string) => boolean | undefined;

/** How a judge did on single pairs: asked to choose, it is right where every answer is. */
export function rightOn(
  { model, measure }: Judge,
  { responses, likelihoods }: {
    readonly responses: readonly Response[];
    readonly likelihoods: readonly PairLikelihood[];
  },
): RightOn {
  if (measure === "accuracy") {
    const own = Map.groupBy(
      responses.filter((row) => row.model === model),
      ({ pairId }) => pairId,
    );
    return (pairId) => own.get(pairId)?.every(({ correct }) => correct);
  }
  const own = likelihoods.filter((row) => row.model === model);
  const rows = new Map(own.map((row) => [row.pairId, preference(row, "total") === "grammatical"]));
  return (pairId) => rows.get(pairId);
}
