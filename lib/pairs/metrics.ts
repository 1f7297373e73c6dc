/** Accuracies of complete models, as the specification wants them, and who lacks what. */
import { resolve } from "node:path";
import { name, number, type Table, table } from "../files/table.ts";
import { questionKey, type Response } from "./answers.ts";
import { bothOrders, type OrderPlan } from "./forced_choice.ts";
import type { MinimalPair } from "./pair.ts";
import type { TablePlace } from "./study.ts";

/** One row of `metrics.csv`: shares of correct answers, 0 … 1. */
interface ModelMetrics<Phenomenon extends string> {
  readonly model: string;
  readonly overall: number;
  readonly byPhenomenon: Readonly<Record<Phenomenon, number>>;
}

interface MetricsOptions<Phenomenon extends string> {
  /** All pairs of the data set: each must be answered. */
  readonly pairs: readonly MinimalPair<Phenomenon>[];
  readonly responses: readonly Response[];
  /** Every model that is to have a row, in the order of the rows. */
  readonly models: readonly string[];
  readonly phenomena: readonly Phenomenon[];
  /** The questions that count; both orders of every pair unless told. */
  readonly orders?: OrderPlan;
}

/**
 * Accuracy of each model, overall and by phenomenon: correct answers / answers, an invalid answer
 * counting as one that is not correct. Answers to other questions than those planned do not count.
 * @throws {RangeError} naming how many answers each model lacks, or a phenomenon without a pair.
 */
export function computeMetrics<Phenomenon extends string>(
  options: MetricsOptions<Phenomenon>,
): readonly ModelMetrics<Phenomenon>[] {
  const { pairs, responses, models, phenomena, orders = bothOrders } = options;
  const asked = pairs.flatMap((pair) => orders(pair.id).map((order) => ({ pair, order })));
  const refuse = (what: string): never => {
    throw new RangeError(`Cannot compute metrics: ${what}.`);
  };
  if (pairs.length === 0) refuse("there are no pairs");
  const lacking = [...missingAnswers(options)].filter(([, count]) => count > 0);
  if (lacking.length > 0) {
    const lacks = lacking.map(([model, count]) => `${model} lacks ${count}`).join(", ");
    refuse(
      `of ${asked.length} answers (${pairs.length} pairs) ${lacks}. ` +
        "Run the evaluation again: it asks only what is missing",
    );
  }
  const correct = new Set(responses.filter((row) => row.correct).map(questionKey));
  return models.map((model) => {
    const accuracy = (own: typeof asked) =>
      own.filter(({ pair, order }) => correct.has(questionKey({ model, pairId: pair.id, order })))
        .length / own.length;
    const byPhenomenon = phenomena.map((name) => {
      const own = asked.filter(({ pair }) => pair.phenomenon === name);
      return [name, own.length > 0 ? accuracy(own) : refuse(`no pair tests ${name}`)];
    });
    return { model, overall: accuracy(asked), byPhenomenon: Object.fromEntries(byPhenomenon) };
  });
}

/** How many answers each model still lacks; 0 for a complete one. */
export function missingAnswers(
  { pairs, responses, models, orders = bothOrders }: Omit<MetricsOptions<string>, "phenomena">,
): ReadonlyMap<string, number> {
  const there = new Set(responses.map(questionKey));
  const lacks = (model: string) =>
    pairs.flatMap(({ id: pairId }) =>
      orders(pairId).filter((order) => !there.has(questionKey({ model, pairId, order })))
    ).length;
  return new Map(models.map((model) => [model, lacks(model)]));
}

/** What `metrics.csv` calls the accuracy of a phenomenon. */
export const accuracyColumn = (phenomenon: string) => `${phenomenon.toLowerCase()}_accuracy`;

/** `metrics.csv`: model, overall_accuracy, then one column for each phenomenon in the order given. */
export function metricsTable<Phenomenon extends string>(
  { path, about = "accuracies", maker = "the metrics", sentences = {} }: TablePlace & {
    /** What each phenomenon's column says, by phenomenon. */
    readonly sentences?: Readonly<Record<string, string>>;
  },
  phenomena: readonly Phenomenon[],
): Table<ModelMetrics<Phenomenon>> {
  const share = (sentence: string) => number(sentence, { min: 0, max: 1 });
  /** A record with a field for each phenomenon's column. */
  const byColumn = <Value>(valueOf: (phenomenon: Phenomenon) => Value) =>
    Object.fromEntries(phenomena.map((name) => [accuracyColumn(name), valueOf(name)]));
  return table({
    path: resolve(path),
    about,
    maker,
    columns: {
      model: name("model, as named in the panel"),
      overall_accuracy: share("all pairs"),
      ...byColumn((phenomenon) => share(sentences[phenomenon] ?? `pairs of ${phenomenon}`)),
    },
    form: {
      read: ({ model, overall_accuracy, ...row }): ModelMetrics<Phenomenon> => ({
        model,
        overall: overall_accuracy,
        byPhenomenon: Object.fromEntries(
          phenomena.map((own) => [own, (row as Record<string, number>)[accuracyColumn(own)]]),
        ) as Record<Phenomenon, number>,
      }),
      write: ({ model, overall, byPhenomenon }) => ({
        model,
        overall_accuracy: overall,
        ...byColumn((phenomenon) => byPhenomenon[phenomenon]),
      }),
    },
    key: ["model"],
  });
}
