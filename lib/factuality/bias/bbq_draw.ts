import type { RandomSource } from "../../stats/random.ts";
import type { BbqItem } from "./bbq.ts";

/**
 * So many items by lot of each category, kind of context and polarity, or all of them where there are
 * no more; one of each in turn, so that the first so many are a balanced draw, too.
 */
export function drawBbq(
  items: readonly BbqItem[],
  perCell: number,
  random: RandomSource,
): readonly BbqItem[] {
  const cell = ({ category, contextCondition, polarity }: BbqItem) =>
    JSON.stringify([category, contextCondition, polarity]);
  const cells = [...Map.groupBy(items, cell)].toSorted(([one], [other]) => one < other ? -1 : 1)
    .map(([, own]) => random.shuffle(own).slice(0, perCell));
  return Array.from({ length: perCell }, (_, at) => cells.flatMap((own) => own.slice(at, at + 1)))
    .flat();
}
