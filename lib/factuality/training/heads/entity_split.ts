import type { RandomSource } from "../../../stats/random.ts";
import type { LabelledCase } from "../../cases/labelled_case.ts";
import { type Split, SPLITS } from "../country_split.ts";
import { wordsOf } from "./held_out_claims.ts";

/** Shares of the groups, 0–1; the rest is trained on. */
export interface SplitShares {
  readonly test: number;
  readonly development: number;
}

/**
 * For each case the number of its group: cases of one cluster, of one claim in the same words, or with
 * one source, and whatever these join. What is in one group must be in one split, or training has
 * seen what it is measured on.
 */
export function entityGroups(cases: readonly LabelledCase[]): readonly number[] {
  const parent = cases.map((_, i) => i);
  const root = (i: number): number => {
    while (parent[i] !== i) i = parent[i] = parent[parent[i]!]!;
    return i;
  };
  const firstWith = new Map<string, number>();
  cases.forEach((one, i) => {
    for (const mark of marksOf(one)) {
      const first = firstWith.get(mark);
      if (first === undefined) firstWith.set(mark, i);
      else parent[Math.max(root(i), root(first))] = Math.min(root(i), root(first));
    }
  });
  return cases.map((_, i) => root(i));
}

function marksOf({ set, cluster, claim, passages }: LabelledCase): readonly string[] {
  return [
    `cluster ${JSON.stringify([set, cluster])}`,
    `claim ${wordsOf(claim)}`,
    ...passages.map(({ text }) => `source ${text}`),
  ];
}

/**
 * The split of each case, whole groups by lot until a split has its share of them; the same for the
 * same cases, shares and seed.
 * @throws {RangeError} for fewer than three groups, or shares that leave nothing to train on.
 */
export function entitySplit(
  cases: readonly LabelledCase[],
  { test, development }: SplitShares,
  random: RandomSource,
): readonly Split[] {
  const groups = entityGroups(cases);
  const names = [...new Set(groups)];
  const [tests, developments] = [test, development].map((share) =>
    Math.max(1, Math.round(share * names.length))
  ) as [number, number];
  if (tests + developments >= names.length) {
    throw new RangeError(
      `Cannot split the cases: they are ${names.length} unrelated groups (by cluster, claim and ` +
        "source), too few for these shares of test and development. Give more, or clusters.",
    );
  }
  const order = random.shuffle(names);
  const splits = new Map(order.map((name, i): [number, Split] => [
    name,
    i < tests ? "test" : i < tests + developments ? "development" : "train",
  ]));
  return groups.map((name) => splits.get(name)!);
}

/**
 * Checks splits that came with the cases.
 * @throws {RangeError} where a split is empty, or one group is in two, naming two of its cases.
 */
export function requireNoLeak(cases: readonly LabelledCase[], splits: readonly Split[]): void {
  const empty = SPLITS.find((split) => !splits.includes(split));
  if (empty !== undefined) {
    throw new RangeError(
      `Cannot use the cases' own splits: none is in ${empty}. Name some, or leave the column out.`,
    );
  }
  const seen = new Map<number, number>();
  entityGroups(cases).forEach((group, i) => {
    const first = seen.get(group) ?? i;
    seen.set(group, first);
    if (splits[first] === splits[i]) return;
    throw new RangeError(
      `Cannot use the cases' own splits: ${cases[first]!.id} (${splits[first]}) and ` +
        `${cases[i]!.id} (${splits[i]}) share a cluster, claim or source, directly or through ` +
        "others. Put them into one split, or leave the column out.",
    );
  });
}
