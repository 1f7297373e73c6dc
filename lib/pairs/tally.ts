/** Counts by name; a group's are the sums of its members'. */
export type Tally<Name extends string> = Readonly<Record<Name, number>>;

/** An item's counts with the lemma it belongs to. */
export interface Counted<Name extends string> {
  readonly lemma: string;
  readonly counts: Tally<Name>;
}

/** Counts as numbers in a fixed order: sums over them take a tenth of the time of sums over names. */
export interface CountTable<Name extends string> {
  readonly names: readonly Name[];
  /** One row a lemma, lemmas in code-unit order. */
  readonly lemmas: readonly (readonly number[])[];
}

/** The counts of each lemma; none without items. */
export function countTable<Name extends string>(
  items: readonly Counted<Name>[],
): CountTable<Name> | undefined {
  const [first] = items;
  if (first === undefined) return undefined;
  const names = Object.keys(first.counts) as Name[];
  const groups = Map.groupBy(items, ({ lemma }) => lemma);
  const lemmas = [...groups.keys()].sort().map((lemma) => {
    const group = groups.get(lemma) ?? [];
    return names.map((name) => group.reduce((sum, { counts }) => sum + counts[name], 0));
  });
  return { names, lemmas };
}

/** The sums of some of a table's rows, by their index. */
export function sumRows<Name extends string>(
  { names, lemmas }: CountTable<Name>,
  rows: Iterable<number>,
): Tally<Name> {
  const sums = names.map(() => 0);
  for (const row of rows) {
    const counts = lemmas[row]!;
    for (let i = 0; i < sums.length; i++) sums[i]! += counts[i]!;
  }
  return Object.fromEntries(names.map((name, i) => [name, sums[i]])) as Record<Name, number>;
}
