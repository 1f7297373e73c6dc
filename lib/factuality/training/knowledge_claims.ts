import { type RandomSource, randomSource } from "../../stats/random.ts";
import type { ClaimSplitter } from "../claims/claim.ts";
import type { FactbookField } from "../retrieval/factbook_fields.ts";
import { type Split, splitCountries } from "./country_split.ts";
import { type CountryMaterial, countryMaterial } from "./country_material.ts";
import { valuesByQuestion } from "./contrasts.ts";
import { factCases } from "./fact_cases.ts";
import { combinedCases, opinionCases } from "./further_cases.ts";
import type { KnowledgeCase } from "./knowledge_case.ts";
import { namePool } from "./name_edits.ts";
import type { Making } from "./making.ts";
import { proseCases } from "./prose_cases.ts";

/** Deals the countries; the same wherever something is trained, calibrated or measured. */
export const KNOWLEDGE_SEED = 41;

export interface KnowledgeClaimsOptions {
  /** A whole number; the same gives the same cases. */
  readonly seed: number;
  /** Sentences of running text a country, each giving four cases or six. */
  readonly prosePerCountry: number;
  /** Values of structured fields a country, each giving four cases. */
  readonly factsPerCountry: number;
  /** Takes long sentences apart into the claims that people are asked about. */
  readonly splitter: ClaimSplitter;
}

/**
 * Labelled cases made out of the knowledge base, by country into train, development and test.
 *
 * Each statement is paired with one that excludes it (another number, name or word, a negation), and
 * either may be what the source says, by lot. The claim of what stands there is supported, the
 * other's is refuted; with the other in its place that is supported too; and with the statement taken
 * out there is not enough info. So half the claims are supported, whatever their words are: from the
 * claim alone next to nothing can be learnt. Edited sources say what is not so; they are for training
 * and measuring only.
 */
export async function knowledgeClaims(
  fields: readonly FactbookField[],
  options: KnowledgeClaimsOptions,
): Promise<readonly KnowledgeCase[]> {
  const countries = countryMaterial(fields);
  const splits = splitCountries(countries.map(({ code }) => code), options.seed);
  const values = valuesByQuestion(countries.flatMap(({ facts }) => facts));
  const pool = namePool(
    countries.flatMap(({ prose }) => prose.map(({ statement }) => statement.source)),
    countries.map(({ country }) => country),
  );
  const cases: KnowledgeCase[] = [];
  for (const [index, material] of countries.entries()) {
    const split = splits.get(material.code)!;
    const making = { split, values, pool, material, kin: kinOf(countries, splits, index) };
    cases.push(...await casesOfCountry(making, options));
  }
  return cases;
}

/** Another country of the same split: what it says must not cross over. */
function kinOf(
  countries: readonly CountryMaterial[],
  splits: ReadonlyMap<string, Split>,
  index: number,
): CountryMaterial {
  const split = splits.get(countries[index]!.code);
  const turned = [...countries.slice(index + 1), ...countries.slice(0, index + 1)];
  return turned.find(({ code }) => splits.get(code) === split)!;
}

async function casesOfCountry(
  making: Omit<Making, "splitter">,
  { seed, prosePerCountry, factsPerCountry, splitter }: KnowledgeClaimsOptions,
): Promise<readonly KnowledgeCase[]> {
  const { material } = making;
  const random = (what: string): RandomSource => randomSource(`${seed}/${material.code}/${what}`);
  const complete = { ...making, splitter };
  const prose = drawn(material.prose, prosePerCountry, random("prose"));
  const facts = drawn(material.facts, factsPerCountry, random("facts"));
  const made: (readonly KnowledgeCase[])[] = [];
  for (const [i, placed] of prose.entries()) {
    made.push(await proseCases(complete, placed, `p${i}`, random(`prose ${i}`)));
  }
  facts.forEach((fact, i) => made.push(factCases(complete, fact, `f${i}`, random(`fact ${i}`))));
  const groups = made.filter((group) => group.length > 0);
  return [
    ...groups.flat(),
    ...combinedCases(groups, random("two statements")),
    ...opinionCases(groups, material.country, random("opinions")),
  ];
}

function drawn<T>(items: readonly T[], most: number, random: RandomSource): readonly T[] {
  return random.sample(items, Math.min(items.length, most));
}
