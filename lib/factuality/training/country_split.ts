import { randomSource } from "../../stats/random.ts";

export type Split = "train" | "development" | "test";

export const SPLITS: readonly Split[] = ["train", "development", "test"];

/** Shares of the countries; what is left over after rounding goes to the test split. */
const SHARES = { train: 0.6, development: 0.15 };

/**
 * Which split each country is in. By country, because claims about one country share its sources:
 * a claim of a held-out country has never been seen with any wording. Depends on the set of names
 * and the seed, not on their order.
 */
export function splitCountries(
  countries: readonly string[],
  seed: number,
): ReadonlyMap<string, Split> {
  const names = [...new Set(countries)].sort();
  const shuffled = randomSource(`${seed}/split`).shuffle(names);
  const train = Math.round(SHARES.train * names.length);
  const development = train + Math.round(SHARES.development * names.length);
  return new Map(shuffled.map((name, i) => [
    name,
    i < train ? "train" : i < development ? "development" : "test",
  ]));
}
