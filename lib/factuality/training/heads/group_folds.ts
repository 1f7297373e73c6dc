import type { RandomSource } from "../../../stats/random.ts";
import type { LabelledCase } from "../../cases/labelled_case.ts";
import { entityGroups } from "./entity_split.ts";

/**
 * The fold of each case, 0 … folds − 1: unrelated groups dealt by lot, of even number.
 * @throws {RangeError} for fewer groups than folds.
 */
export function groupFolds(
  cases: readonly LabelledCase[],
  folds: number,
  random: RandomSource,
): readonly number[] {
  const groups = entityGroups(cases);
  const names = [...new Set(groups)];
  if (names.length < folds) {
    throw new RangeError(
      `Cannot deal the cases into ${folds} folds: they are ${names.length} unrelated groups.`,
    );
  }
  const dealt = new Map(random.shuffle(names).map((name, i) => [name, i % folds]));
  return groups.map((name) => dealt.get(name)!);
}
