import { markdownTable } from "../../figures/markdown_table.ts";
import { clusteredStatistics } from "../../pairs/clustered_statistic.ts";
import { countAnswers, FORCED_CHOICE_MEASURES } from "../../pairs/forced_choice_measures.ts";
import type { DatasetItem } from "../../pairs/number_pairs.ts";
import type { IntervalSettings } from "../../pairs/resampled_sums.ts";
import type { Response } from "../../pairs/responses.ts";
import { lookUp, percentWithInterval, type StatisticLookup } from "../../pairs/statistic_lookup.ts";
import type { Statistic } from "../../pairs/statistics_row.ts";
import { PHENOMENA, type Phenomenon } from "../candidate.ts";
import type { CompletePanel } from "../../pairs/panels/study_panels.ts";
import { PHENOMENON_NAMES } from "./evidence.ts";
import { labelledModels } from "../../pairs/report/per_panel.ts";
import { type Origin, originOf, ORIGINS } from "./source_comparison_diversity.ts";

export interface DifficultyInput {
  readonly items: readonly DatasetItem<Phenomenon>[];
  /** Of those to the questions that count for the panels. */
  readonly responses: readonly Response[];
  readonly panels: readonly CompletePanel[];
  readonly settings: IntervalSettings;
}

/** What stands as a statistic's phenomenon: a phenomenon with the origin of its pairs. */
const groupName = (phenomenon: Phenomenon, origin: Origin) => `${phenomenon} ${origin}`;

/**
 * Accuracy of each model on the pairs of each origin, apart for each phenomenon: over all of them the
 * origins would differ by their mix of easy and hard phenomena.
 */
export function accuracyByOrigin(input: DifficultyInput): readonly Statistic[] {
  const { items, panels, responses, settings } = input;
  const measures = FORCED_CHOICE_MEASURES.filter(({ name }) => name === "accuracy");
  return panels.flatMap(({ asked }) => asked).flatMap((model) => {
    const own = responses.filter((row) => row.model === model);
    const answers = Map.groupBy(own, ({ pairId }) => pairId);
    return PHENOMENA.flatMap((phenomenon) =>
      ORIGINS.flatMap((origin) => {
        const counted = items.flatMap((item) => {
          if (item.pair.phenomenon !== phenomenon || originOf(item) !== origin) return [];
          const given = answers.get(item.pair.id);
          return given ? [{ lemma: item.certificate.lemma, counts: countAnswers(given) }] : [];
        });
        const place = { model, phenomenon: groupName(phenomenon, origin) };
        return clusteredStatistics(place, counted, measures, settings);
      })
    );
  });
}

/** The same as a table in per cent with answers and lemmas; a dash where there is no such pair. */
export function difficultyTable(input: DifficultyInput): string {
  const found = lookUp(accuracyByOrigin(input));
  const asked = new Set(input.panels.flatMap((panel) => panel.asked));
  return markdownTable(
    ["accuracy, %", "phenomenon", ...ORIGINS.map((origin) => `pairs of origin ${origin}`)],
    labelledModels(input.panels).filter(({ model }) => asked.has(model)).flatMap((
      { model, label },
    ) =>
      PHENOMENA.map((phenomenon) => [
        ...[label, PHENOMENON_NAMES[phenomenon]],
        ...ORIGINS.map((origin) => cell(found, model, groupName(phenomenon, origin))),
      ])
    ),
  );
}

function cell(found: StatisticLookup, model: string, group: string): string {
  const measure = found.measure(model, "accuracy", group);
  if (measure.kind === "unavailable") return "–";
  const { n, clusters } = found.row(model, "accuracy", group);
  return `${percentWithInterval(measure)} (${n} answers, ${clusters} lemmas)`;
}
