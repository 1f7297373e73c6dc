import { type RandomSource, randomSource } from "../../stats/random.ts";
import type { FactbookField } from "../retrieval/factbook_fields.ts";
import { type Passage, SOURCE_TEXT } from "../retrieval/passage.ts";
import { factContrast, valuesByQuestion } from "../training/contrasts.ts";
import { splitCountries } from "../training/country_split.ts";
import { type CountryMaterial, countryMaterial } from "../training/country_material.ts";
import type { Fact } from "../training/fact_statements.ts";
import { KNOWLEDGE_SEED } from "../training/knowledge_claims.ts";
import { everyTwo } from "../every_two.ts";
import type { ScoredText } from "./panel/panel_scores.ts";

/** Sentences a text has, and the most of them that are wrong. */
export const LADDER_SENTENCES = 4;
export const MOST_ERRORS = 3;

/** The same text with 0, 1, 2 and 3 planted errors; each has the errors of the one before it. */
export interface TextLadder {
  readonly country: string;
  /** `texts[k]` has k errors. */
  readonly texts: readonly LadderText[];
}

export interface LadderText extends ScoredText {
  readonly errors: number;
}

/** A true sentence, the same with another value, and the passage that tells them apart. */
interface Rung {
  readonly right: string;
  readonly wrong: string;
  readonly passage: Passage;
}

/** In characters: a judge in this process reads some hundred tokens a second. */
const LONGEST_PASSAGE = 300;

/**
 * Texts of four sentences about countries that nothing was trained on, one ladder a country, in an
 * order drawn by lot: of each the first k errors are planted, so that the truth orders them 0 < 1 < 2
 * < 3. An error is another number, unit or capital, as the verifier met them in training about other
 * countries; its sentences come of the same templates. Countries with fewer than four such facts have
 * none.
 *
 * @param count At most so many.
 */
export function textLadders(
  fields: readonly FactbookField[],
  { count, seed }: { readonly count: number; readonly seed: number | string },
): readonly TextLadder[] {
  const countries = countryMaterial(fields);
  const splits = splitCountries(countries.map(({ code }) => code), KNOWLEDGE_SEED);
  const values = valuesByQuestion(countries.flatMap(({ facts }) => facts));
  const heldOut = countries.filter(({ code }) => splits.get(code) === "test")
    .toSorted((one, other) => one.code < other.code ? -1 : 1);
  return randomSource(`${seed}/ladders`).shuffle(heldOut)
    .flatMap((material) => {
      const random = randomSource(`${seed}/${material.code}/ladder`);
      const rungs = rungsOf(material, values, random);
      return rungs.length < LADDER_SENTENCES ? [] : [ladder(material.country, rungs, random)];
    }).slice(0, count);
}

/** Two texts of a ladder in one order; `a` has fewer errors. */
export interface OrderedPair {
  readonly country: string;
  readonly a: LadderText;
  readonly b: LadderText;
  readonly first: "a" | "b";
}

/** Every two texts of a ladder, each in both orders: twelve. */
export function orderedPairs({ country, texts }: TextLadder): readonly OrderedPair[] {
  return everyTwo(texts).flatMap(([a, b]) =>
    (["a", "b"] as const).map((first) => ({ country, a, b, first }))
  );
}

function ladder(country: string, rungs: readonly Rung[], random: RandomSource): TextLadder {
  const wrongFirst = random.shuffle(rungs);
  const passages = rungs.map(({ passage }) => passage);
  const texts = Array.from({ length: MOST_ERRORS + 1 }, (_, errors): LadderText => {
    const wrong = wrongFirst.slice(0, errors);
    const claims = rungs.map((rung) => wrong.includes(rung) ? rung.wrong : rung.right);
    return { errors, text: claims.join(" "), claims, passages };
  });
  return { country, texts };
}

/** So many sentences by lot, each on a passage of its own. */
function rungsOf(
  material: CountryMaterial,
  values: ReadonlyMap<string, readonly string[]>,
  random: RandomSource,
): readonly Rung[] {
  const rungs: Rung[] = [];
  for (const fact of random.shuffle(material.facts.filter(tellsApart))) {
    const rung = rungOf(fact, material, values, random);
    if (rung === undefined) continue;
    if (rungs.some(({ passage }) => passage.section === rung.passage.section)) continue;
    rungs.push(rung);
    if (rungs.length === LADDER_SENTENCES) break;
  }
  return rungs;
}

/** Numbers and capitals exclude one another; a government can be a republic and a presidential one. */
function tellsApart({ value, field: { field } }: Fact): boolean {
  // A coast of 0 km made one of 1 km is no error that anybody would make.
  return /[1-9]/u.test(value) && !/^0[ %]/u.test(value) || field === "Capital";
}

function rungOf(
  fact: Fact,
  { passages }: CountryMaterial,
  values: ReadonlyMap<string, readonly string[]>,
  random: RandomSource,
): Rung | undefined {
  const passage = passages.find(({ section, text }) =>
    section === fact.field.field && text.includes(fact.value) && text.length <= LONGEST_PASSAGE
  );
  const contrast = factContrast(fact, values, random);
  if (passage === undefined || contrast === undefined) return undefined;
  const [right, wrong] = contrast.versions.map(({ claim }) => claim) as [string, string];
  if (passage.text.includes(contrast.versions[1].value)) return undefined;
  // A source text has no title: without its country in the text no claim about it is borne out.
  const text = `${passage.title}. ${passage.text}`;
  return { right, wrong, passage: { ...passage, text, collection: SOURCE_TEXT } };
}
