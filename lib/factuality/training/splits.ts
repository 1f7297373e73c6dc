import { shownPath } from "../../files/atomic.ts";
import { type RandomSource, randomSource } from "../../stats/random.ts";
import type { LabelledCase } from "../datasets/labelled_case.ts";
import { type CaseSource, readLabelledCases } from "../datasets/open_cases.ts";

export type Split = "train" | "development" | "test";
export const SPLITS: readonly Split[] = ["train", "development", "test"];

/** Shares of the countries; what is left over after rounding goes to the test split. */
const SHARES = { train: 0.6, development: 0.15 };

/**
 * Which split each country is in. By country, because claims about one country share its sources:
 * a claim of a held-out country has never been seen with any wording. Depends on the set of names
 * and the seed, not on their order.
 */
export function splitCountries(countries: readonly string[], seed: number) {
  const names = [...new Set(countries)].sort();
  const shuffled = randomSource(`${seed}/split`).shuffle(names);
  const train = Math.round(SHARES.train * names.length);
  const development = train + Math.round(SHARES.development * names.length);
  const splitAt = (i: number): Split =>
    i < train ? "train" : i < development ? "development" : "test";
  return new Map(shuffled.map((name, i) => [name, splitAt(i)]));
}

/**
 * The cases without those whose claim, in the same words, is in a split that is held out further: what
 * is measured on is never learnt from, whatever cluster it is of. Test cases all stay.
 */
export function withoutHeldOutClaims<
  Case extends { readonly claim: string; readonly split: Split },
>(
  cases: readonly Case[],
): readonly Case[] {
  const furthest = new Map<string, number>();
  for (const { claim, split } of cases) {
    const key = wordsOf(claim);
    furthest.set(key, Math.max(furthest.get(key) ?? 0, SPLITS.indexOf(split)));
  }
  return cases.filter(({ claim, split }) => furthest.get(wordsOf(claim)) === SPLITS.indexOf(split));
}

/** A claim's words, whatever its capitals and spaces. */
export const wordsOf = (claim: string): string =>
  claim.toLowerCase().split(/\s+/u).join(" ").trim();

/** Shares of the groups, 0–1; the rest is trained on. */
interface SplitShares {
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
  cases.forEach(({ set, cluster, claim, passages }, i) => {
    const marks = [`cluster ${JSON.stringify([set, cluster])}`, `claim ${wordsOf(claim)}`];
    for (const mark of [...marks, ...passages.map(({ text }) => `source ${text}`)]) {
      const first = firstWith.get(mark);
      if (first === undefined) firstWith.set(mark, i);
      else parent[Math.max(root(i), root(first))] = Math.min(root(i), root(first));
    }
  });
  return cases.map((_, i) => root(i));
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
function requireNoLeak(cases: readonly LabelledCase[], splits: readonly Split[]): void {
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

/**
 * The fold of each case, 0 … folds − 1: unrelated groups dealt by lot, of even number.
 * @throws {RangeError} for fewer groups than folds.
 */
export function groupFolds(cases: readonly LabelledCase[], folds: number, random: RandomSource) {
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

/** A labelled case and what it is for. */
export interface PlacedCase {
  readonly case: LabelledCase;
  readonly split: Split;
}

/**
 * The cases of all files, each with its split: their own where they have one, else by lot so that
 * nothing related is on both sides.
 * @throws {Error} for a file without cases, or splits that leak or are given to some rows only.
 */
export async function fileCases(
  sources: readonly CaseSource[],
  shares: SplitShares,
  seed: number,
  tell: (words: string) => void,
): Promise<readonly PlacedCase[]> {
  const cases: LabelledCase[] = [];
  for (const { format, path } of sources) {
    const { cases: read, damaged, leftOut } = await readLabelledCases(format, path);
    const blank = read.filter(({ passages }) => passages.length === 0).length;
    tell(
      `${shownPath(path)}: ${read.length} cases, ${blank} of them without a source; ` +
        `${damaged.length} damaged lines, ${leftOut.length} left out.`,
    );
    if (read.length === 0) {
      const reason = damaged[0]?.reason ?? leftOut[0]?.reason ?? "It is empty";
      throw new RangeError(`Cannot train: ${path} has no case. ${reason}.`);
    }
    cases.push(...read);
  }
  if (cases.length === 0) return [];
  const own = cases.flatMap(({ split }) => split ?? []);
  if (own.length > 0 && own.length < cases.length) {
    throw new RangeError(
      `Cannot train: ${own.length} of ${cases.length} cases say what split they are in. All must, or none.`,
    );
  }
  const splits = own.length > 0 ? own : entitySplit(cases, shares, randomSource(`${seed}/split`));
  requireNoLeak(cases, splits);
  return cases.map((one, i) => ({ case: one, split: splits[i]! }));
}
