import { markdownTable } from "../../figures/markdown_table.ts";
import { clusteredStatistics, type Measure } from "../../pairs/clustered_statistic.ts";
import { countAnswers, FORCED_CHOICE_MEASURES, share } from "../../pairs/forced_choice_measures.ts";
import type { DatasetItem } from "../../pairs/number_pairs.ts";
import type { IntervalSettings } from "../../pairs/resampled_sums.ts";
import type { Response } from "../../pairs/responses.ts";
import { type DrawnMeasure, lookUp, percentWithInterval } from "../../pairs/statistic_lookup.ts";
import type { Statistic } from "../../pairs/statistics_row.ts";
import type { Tally } from "../../pairs/tally.ts";
import { unavailable } from "../../stats/unavailable.ts";
import { type Origin, originOf, ORIGINS } from "./source_comparison_diversity.ts";

export interface DifficultyInput {
  readonly items: readonly DatasetItem[];
  readonly responses: readonly Response[];
  /** Of one panel, in the order of the rows. */
  readonly models: readonly string[];
  readonly settings: IntervalSettings;
}

/** Accuracy of each model on the pairs of each origin; the origin stands as the phenomenon. */
export function accuracyByOrigin(input: DifficultyInput): readonly Statistic[] {
  const { items, models, settings } = input;
  const measures = FORCED_CHOICE_MEASURES.filter(({ name }) => name === "accuracy");
  return models.flatMap((model) => {
    const answers = answersOf(model, input.responses);
    return ORIGINS.flatMap((origin) => {
      const counted = items.filter((item) => originOf(item) === origin).flatMap((item) => {
        const own = answers.get(item.pair.id);
        return own ? [{ lemma: item.certificate.lemma, counts: countAnswers(own) }] : [];
      });
      return clusteredStatistics({ model, phenomenon: origin }, counted, measures, settings);
    });
  });
}

/** The same as a table in per cent; a dash where a model has not answered. */
export function difficultyTable(input: DifficultyInput): string {
  const found = lookUp(accuracyByOrigin(input));
  return markdownTable(
    ["accuracy, %", ...ORIGINS.map((origin) => `pairs of origin ${origin}`)],
    input.models.map((model) => [
      model,
      ...ORIGINS.map((origin) => percentWithInterval(found.measure(model, "accuracy", origin))),
    ]),
  );
}

const answersOf = (model: string, responses: readonly Response[]) =>
  Map.groupBy(responses.filter((row) => row.model === model), ({ pairId }) => pairId);

type Party = "own" | "others";
type Count = `${Party} ${Origin} ${"right" | "asked"}`;

const DIFFERENCE_IN_DIFFERENCES: Measure<Tally<Count>> = {
  name: "own_advantage",
  method: "(accuracy on proposed − on rules' pairs) of the proposer, minus the same of the others",
  of: (counts) => {
    const accuracy = (party: Party, origin: Origin) =>
      share(counts[`${party} ${origin} right`], counts[`${party} ${origin} asked`]);
    const gap = (party: Party) => {
      const [proposed, rules] = [accuracy(party, "proposed"), accuracy(party, "rules")];
      return proposed === undefined || rules === undefined ? undefined : proposed - rules;
    };
    const [own, others] = [gap("own"), gap("others")];
    return own === undefined || others === undefined ? undefined : own - others;
  },
  n: (counts) => counts["own proposed asked"] + counts["own rules asked"],
};

/**
 * Whether the proposing model does better on its own pairs than their difficulty explains: a
 * difference in differences (0 = no favour, 0.1 = ten points), with a bootstrap interval over lemmas,
 * on the pairs that it and every other model that answered at all have answered.
 */
export function ownAdvantage(input: DifficultyInput & { readonly proposer: string }): DrawnMeasure {
  const { items, responses, models, proposer, settings } = input;
  const own = answersOf(proposer, responses);
  const others = models.filter((model) => model !== proposer)
    .map((model) => answersOf(model, responses)).filter(({ size }) => size > 0);
  if (own.size === 0) return unavailable(`${proposer} has not been asked about the pairs`);
  if (others.length === 0) return unavailable("no other model of its panel has answered");
  const counted = items.flatMap((item) => {
    const rows = [own, ...others].map((answers) => answers.get(item.pair.id));
    if (!rows.every((row) => row !== undefined)) return [];
    const [first = [], ...more] = rows;
    // In both orders by one and in a single one by another they would not be alike.
    if (more.some(({ length }) => length !== first.length)) return [];
    const counts = countParties(originOf(item), first, more.flat());
    return [{ lemma: item.certificate.lemma, counts }];
  });
  const place = { model: proposer, phenomenon: "ALL" };
  const rows = clusteredStatistics(place, counted, [DIFFERENCE_IN_DIFFERENCES], settings);
  return lookUp(rows).measure(proposer, DIFFERENCE_IN_DIFFERENCES.name);
}

function countParties(
  origin: Origin,
  own: readonly Response[],
  others: readonly Response[],
): Tally<Count> {
  const right = (rows: readonly Response[]) => rows.filter(({ correct }) => correct).length;
  const zero = { right: 0, asked: 0 };
  const of = (party: readonly Response[], wanted: Origin) =>
    origin === wanted ? { right: right(party), asked: party.length } : zero;
  return {
    "own rules right": of(own, "rules").right,
    "own rules asked": of(own, "rules").asked,
    "own proposed right": of(own, "proposed").right,
    "own proposed asked": of(own, "proposed").asked,
    "others rules right": of(others, "rules").right,
    "others rules asked": of(others, "rules").asked,
    "others proposed right": of(others, "proposed").right,
    "others proposed asked": of(others, "proposed").asked,
  };
}
