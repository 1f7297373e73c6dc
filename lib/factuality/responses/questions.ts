import { randomSource } from "../../stats/random.ts";
import type { FactbookField } from "../retrieval/factbook_fields.ts";
import { splitCountries } from "../training/country_split.ts";
import { KNOWLEDGE_SEED } from "../training/knowledge_claims.ts";

/** What every system is asked about one country. */
export interface CountryQuestion {
  /** The factbook's code of the country. */
  readonly id: string;
  /** As the factbook names it: the title of its passages. */
  readonly country: string;
  readonly question: string;
}

/** The file of the world as a whole. */
const WORLD = "xx";

/** Without these there is nothing to check an answer against: uninhabited islands, the Union. */
const NEEDED = ["Location", "Government type", "Economic overview"];

/** "Falkland Islands (Islas Malvinas)": asked for by what stands before the bracket. */
export function usualName(country: string): string {
  return country.replace(/ \([^()]*\)$/u, "");
}

/** The task, without its beginning: both prompts say it in the same words. */
export function taskOf(country: string): string {
  return `three sentences about the geography, government and economy of ${usualName(country)}`;
}

/**
 * Countries of the test split, on which nothing was trained, drawn by lot.
 *
 * @param count From 1; the same seed gives the first of more.
 * @throws {RangeError} where there are not so many.
 */
export function countryQuestions(
  fields: readonly FactbookField[],
  { count, seed }: { readonly count: number; readonly seed: number | string },
): readonly CountryQuestion[] {
  const byCode = Map.groupBy(fields.filter(({ code }) => code !== WORLD), ({ code }) => code);
  const splits = splitCountries([...byCode.keys()], KNOWLEDGE_SEED);
  const heldOut = [...byCode].filter(([code, own]) =>
    splits.get(code) === "test" &&
    NEEDED.every((name) => own.some(({ field }) => field === name))
  ).toSorted(([one], [other]) => one < other ? -1 : 1);
  if (count > heldOut.length) {
    throw new RangeError(
      `Cannot ask about ${count} countries: ${heldOut.length} are held out and described`,
    );
  }
  return randomSource(`${seed}/questions`).shuffle(heldOut).slice(0, count)
    .map(([id, own]) => {
      const country = own[0]!.country;
      return { id, country, question: `Write ${taskOf(country)}.` };
    });
}
