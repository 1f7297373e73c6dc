import { exactMcNemar, holmAdjust } from "../stats/paired_tests.ts";
import { clusteredStatistics } from "./clustered_statistic.ts";
import { share } from "./forced_choice_measures.ts";
import type { IntervalSettings } from "./resampled_sums.ts";
import { ALL, type Statistic } from "./statistics_row.ts";

/** How many of its orders a model has right on each pair, for the pairs answered in all orders. */
export interface ModelScores {
  readonly model: string;
  /** By pair id: orders right and orders asked. */
  readonly pairs: ReadonlyMap<string, { readonly right: number; readonly asked: number }>;
}

/**
 * Every two models compared on the pairs that both have answered, the pair being the unit: a pair
 * counts for the model that is right in more of its orders. The exact test is McNemar's; asked in a
 * single order it is literally that, with both orders it is the sign test on pairs. Answers are not
 * the unit, because the two orders of a pair are not independent. Nor are pairs of one lemma: the
 * test ignores that, the interval of the difference, a bootstrap over lemmas, does not; read both.
 * Holm's adjustment is over the comparisons of these models, which are those of one panel.
 */
export function compareModels(
  scores: readonly ModelScores[],
  lemmaOf: (pairId: string) => string,
  settings: IntervalSettings,
): readonly Statistic[] {
  const couples = scores.flatMap((first, index) =>
    scores.slice(index + 1).map((second) => coupleOf(first, second, lemmaOf))
  );
  const pValues = couples.map(({ onlyFirst, onlySecond }) =>
    exactMcNemar({ onlyFirst, onlySecond })
  );
  const adjusted = holmAdjust(pValues);
  return couples.flatMap((couple, index) => {
    const { model, items, onlyFirst, onlySecond } = couple;
    const clusters = new Set(items.map(({ lemma }) => lemma)).size;
    const point = (measure: string, estimate: number | undefined, method: string): Statistic => ({
      ...{ model, phenomenon: ALL, measure, n: items.length, clusters },
      ...(estimate === undefined || items.length === 0
        ? { value: { kind: "unavailable" }, method: "no pair answered by both" }
        : { value: { kind: "point", estimate }, method }),
    });
    return [
      ...clusteredStatistics({ model, phenomenon: ALL }, items, [DIFFERENCE], settings),
      point("pairs_first_better", onlyFirst, "pairs on which the first is right in more orders"),
      point("pairs_second_better", onlySecond, "pairs on which the second is right in more orders"),
      point("mcnemar_p", pValues[index], "exact McNemar on pairs, two-sided; lemmas ignored"),
      point(
        "mcnemar_p_holm",
        adjusted[index],
        `the same, Holm-adjusted over ${couples.length} comparisons`,
      ),
    ];
  });
}

const DIFFERENCE = {
  name: "accuracy_difference",
  method: "accuracy of the first minus that of the second, on pairs answered by both",
  of: ({ firstRight, secondRight, asked }: Couple["items"][number]["counts"]) =>
    share(firstRight - secondRight, asked),
  n: ({ asked }: Couple["items"][number]["counts"]) => asked,
};

type Couple = ReturnType<typeof coupleOf>;

function coupleOf(first: ModelScores, second: ModelScores, lemmaOf: (pairId: string) => string) {
  const items = [...first.pairs].flatMap(([pairId, { right, asked }]) => {
    const other = second.pairs.get(pairId);
    if (other === undefined) return [];
    const counts = { firstRight: right, secondRight: other.right, asked };
    return [{ lemma: lemmaOf(pairId), counts }];
  });
  const better = (sign: number) =>
    items.filter(({ counts }) => Math.sign(counts.firstRight - counts.secondRight) === sign).length;
  return {
    model: `${first.model} vs ${second.model}`,
    items,
    onlyFirst: better(1),
    onlySecond: better(-1),
  };
}
