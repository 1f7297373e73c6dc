import { formatCsv } from "../files/csv.ts";
import { minimumDetectableEffect } from "../stats/power.ts";
import { AGREEMENT_MEASURES, countAgreement } from "./agreement_measures.ts";
import { clusteredStatistics } from "./clustered_statistic.ts";
import { type Order, ORDERS } from "./forced_choice.ts";
import { countAnswers, FORCED_CHOICE_MEASURES } from "./forced_choice_measures.ts";
import { countLikelihood, LIKELIHOOD_MEASURES, preference } from "./likelihood_measures.ts";
import type { PairLikelihood } from "./likelihood_rows.ts";
import { compareModels } from "./model_comparison.ts";
import type { DatasetItem } from "./number_pairs.ts";
import type { IntervalSettings } from "./resampled_sums.ts";
import type { Response } from "./responses.ts";
import { ALL, DESIGN, type Statistic, STATISTIC_TABLE } from "./statistics_row.ts";

export interface StatisticsOptions<Phenomenon extends string> extends IntervalSettings {
  readonly items: readonly DatasetItem<Phenomenon>[];
  /** In the order of the rows. */
  readonly phenomena: readonly Phenomenon[];
  readonly responses: readonly Response[];
  readonly likelihoods: readonly PairLikelihood[];
  /** In the order of the rows; each with what there is of it. */
  readonly models: readonly string[];
  /** Both orders unless told. */
  readonly orders?: readonly Order[];
}

/** What is known of one pair, whatever the model. */
interface Item {
  readonly id: string;
  readonly lemma: string;
  readonly phenomenon: string;
}

/**
 * Every row of `statistics.csv`: for each model, over all pairs and for each phenomenon, the
 * measures of forced choice and likelihood with their agreement; then every two models compared;
 * then the smallest accuracy that the design would tell from guessing.
 */
export function computeStatistics<Phenomenon extends string>(
  options: StatisticsOptions<Phenomenon>,
): readonly Statistic[] {
  const { models, phenomena, orders = ORDERS } = options;
  const items = options.items.map(({ pair, certificate }) => ({
    id: pair.id,
    lemma: certificate.lemma,
    phenomenon: pair.phenomenon,
  }));
  const groups = [ALL, ...phenomena].map((name) => ({
    phenomenon: name,
    items: items.filter(({ phenomenon }) => name === ALL || name === phenomenon),
  }));
  const answered = models.map((model) => answersOf(model, options.responses));
  const rows = models.flatMap((model, index) => {
    const answers = answered[index] ?? new Map();
    const scored = likelihoodsOf(model, options.likelihoods);
    return groups.flatMap((group) => modelRows({ model, ...group }, answers, scored, options));
  });
  const lemmas = new Map(items.map(({ id, lemma }) => [id, lemma]));
  const scores = models.flatMap((model, index) => {
    const pairs = scoresOf(items, answered[index] ?? new Map(), orders.length);
    return pairs.size === 0 ? [] : [{ model, pairs }];
  });
  const comparisons = compareModels(scores, (id) => lemmas.get(id) ?? id, options);
  return [...rows, ...comparisons, ...groups.flatMap(designRows)];
}

/** `statistics.csv` as text. */
export function formatStatistics(statistics: readonly Statistic[]): string {
  return formatCsv(STATISTIC_TABLE.columns, statistics.map(STATISTIC_TABLE.format));
}

type Answers = ReadonlyMap<string, readonly Response[]>;
type Scored = ReadonlyMap<string, PairLikelihood>;

function answersOf(model: string, responses: readonly Response[]): Answers {
  return Map.groupBy(responses.filter((row) => row.model === model), ({ pairId }) => pairId);
}

function likelihoodsOf(model: string, rows: readonly PairLikelihood[]): Scored {
  return new Map(rows.filter((row) => row.model === model).map((row) => [row.pairId, row]));
}

function scoresOf(items: readonly Item[], answers: Answers, asked: number) {
  return new Map(items.flatMap(({ id }) => {
    const own = answers.get(id) ?? [];
    const right = own.filter(({ correct }) => correct).length;
    return own.length === asked ? [[id, { right, asked }]] : [];
  }));
}

interface Group {
  readonly model: string;
  readonly phenomenon: string;
  readonly items: readonly Item[];
}

function modelRows<Phenomenon extends string>(
  { model, phenomenon, items }: Group,
  answers: Answers,
  scored: Scored,
  settings: StatisticsOptions<Phenomenon>,
): readonly Statistic[] {
  const place = { model, phenomenon };
  const asked = (settings.orders ?? ORDERS).length;
  const choices = items.flatMap(({ id, lemma }) => {
    const own = answers.get(id);
    return own ? [{ lemma, counts: countAnswers(own) }] : [];
  });
  const likelihoods = items.flatMap(({ id, lemma }) => {
    const row = scored.get(id);
    return row ? [{ lemma, counts: countLikelihood(row) }] : [];
  });
  const both = items.flatMap(({ id, lemma }) => {
    const [own, row] = [answers.get(id), scored.get(id)];
    if (own?.length !== asked || row === undefined) return [];
    const forcedChoice = own.every(({ correct }) => correct);
    return [{ lemma, counts: countAgreement(forcedChoice, isRight(row)) }];
  });
  const asksBoth = answers.size > 0 && scored.size > 0;
  return [
    ...(answers.size > 0
      ? clusteredStatistics(place, choices, FORCED_CHOICE_MEASURES, settings)
      : []),
    ...(scored.size > 0
      ? clusteredStatistics(place, likelihoods, LIKELIHOOD_MEASURES, settings)
      : []),
    ...(asksBoth ? clusteredStatistics(place, both, AGREEMENT_MEASURES, settings) : []),
  ];
}

const isRight = (row: PairLikelihood) => preference(row, "total") === "grammatical";

/** Once with every pair a trial of its own, once with every lemma one: the truth lies between. */
function designRows(group: Omit<Group, "model">): readonly Statistic[] {
  const { phenomenon, items } = group;
  const n = items.length;
  const clusters = new Set(items.map(({ lemma }) => lemma)).size;
  const place = { model: DESIGN, phenomenon, n, clusters };
  const row = (measure: string, trials: number, meaning: string): Statistic => {
    const found = trials === 0
      ? { kind: "unavailable" as const, reason: "no pairs" }
      : minimumDetectableEffect({ n: trials });
    if (found.kind === "unavailable") {
      return { ...place, measure, value: { kind: "unavailable" }, method: found.reason };
    }
    const method = "smallest accuracy told from guessing, exact binomial, two-sided 0.05, " +
      `power 0.8; ${meaning}`;
    return { ...place, measure, value: { kind: "point", estimate: found.accuracy }, method };
  };
  return [
    row("minimum_detectable_accuracy", n, "pairs taken as independent"),
    row("minimum_detectable_accuracy_by_lemma", clusters, "pairs of a lemma taken as one trial"),
  ];
}
