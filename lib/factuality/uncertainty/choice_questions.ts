import { type RandomSource, randomSource } from "../../stats/random.ts";
import type { FactbookField } from "../retrieval/factbook_fields.ts";
import { KNOWLEDGE_SEED } from "../training/knowledge_claims.ts";
import { type Split, splitCountries } from "../training/country_split.ts";
import { type ChoiceQuestion, OPTIONS } from "./choice_question.ts";
import { QUESTION_KINDS, type QuestionKind } from "./question_kinds.ts";

export interface ChoiceQuestionOptions {
  /** Countries that are asked about; wrong options come from all. */
  readonly split: Split;
  /** At most; fewer where the fields give no more. */
  readonly count: number;
  /** The same seed gives the same questions. */
  readonly seed: number | string;
}

/** The file of the world as a whole, which the split leaves out; and one that is no country. */
const [WORLD, EUROPEAN_UNION] = ["xx", "ee"];

/** Tells of former rulers and neighbours that the field itself leaves out. */
const HISTORY = "Background";

/** What a text has in place of the option, in lower case. */
const ALSO_CALLED: Readonly<Record<string, readonly string[]>> = {
  Belgium: ["belgian"],
  France: ["french"],
  Netherlands: ["dutch"],
  Portugal: ["portuguese"],
  Russia: ["soviet"],
  Spain: ["spanish"],
  UK: ["brit"],
  US: ["american", "united states"],
};

/**
 * Questions about countries of one split, kind by kind in turn, each with one right option from the
 * country's own field and three wrong ones from the same field of others. An option is taken for
 * wrong only where neither the country's own field nor its history mentions it.
 */
export function choiceQuestions(
  fields: readonly FactbookField[],
  { split, count, seed }: ChoiceQuestionOptions,
): readonly ChoiceQuestion[] {
  const countries = fields.filter(({ code }) => code !== WORLD);
  const splits = splitCountries(countries.map(({ code }) => code), KNOWLEDGE_SEED);
  const isAsked = ({ code }: FactbookField) =>
    splits.get(code) === split && code !== EUROPEAN_UNION;
  const byKind = QUESTION_KINDS.map((kind) => {
    const random = randomSource(`${seed}/${kind.kind}`);
    return random.shuffle(questionsOfKind(kind, countries, isAsked, random));
  });
  const rounds = Math.max(...byKind.map(({ length }) => length));
  return Array.from({ length: rounds }, (_, round) => byKind.flatMap((own) => own[round] ?? []))
    .flat().slice(0, count);
}

function questionsOfKind(
  kind: QuestionKind,
  fields: readonly FactbookField[],
  isAsked: (field: FactbookField) => boolean,
  random: RandomSource,
): readonly ChoiceQuestion[] {
  const own = fields.filter(({ field, subfield }) =>
    field === kind.field && subfield === kind.subfield
  );
  const values = [...new Set(own.flatMap(({ text }) => valuesIn(text, kind)))].sort();
  return own.filter(isAsked).flatMap((field) => {
    const told = fields.filter((other) =>
      other.code === field.code && [kind.field, HISTORY].includes(other.field)
    );
    const said = told.map((one) => one.text).join(" ").toLowerCase();
    return questionOf(kind, field, { values, said, random });
  });
}

interface Material {
  /** Every country's value. */
  readonly values: readonly string[];
  /** What the country's own field and its history say, in lower case. */
  readonly said: string;
  readonly random: RandomSource;
}

/** None where the field has no value, the country's name gives it away, or others' are too few. */
function questionOf(
  kind: QuestionKind,
  { code, country, text }: FactbookField,
  { values, said, random }: Material,
): readonly ChoiceQuestion[] {
  const name = country.replace(/ \(.*/u, "");
  const right = random.shuffle(valuesIn(text, kind)).find((value) => !sharesWord(value, name));
  const wrong = values.filter((value) => isWrong(value, said, name));
  if (right === undefined || wrong.length < OPTIONS - 1) return [];
  return [{
    ...{ id: `${code}/${kind.kind}`, cluster: code, kind: kind.kind },
    question: kind.question.replace(/\bC\b/u, () => name),
    options: [right, ...random.sample(wrong, OPTIONS - 1)],
  }];
}

function valuesIn(text: string, { value }: QuestionKind): readonly string[] {
  return [...text.matchAll(value)].map(([, found]) => found!.trim());
}

function isWrong(value: string, said: string, country: string): boolean {
  const names = [value.toLowerCase(), ...ALSO_CALLED[value] ?? []];
  return !names.some((name) => said.includes(name)) && !sharesWord(value, country);
}

/** "Panama City" for Panama, "Tajik" for Tajikistan: who reads the question can guess them. */
function sharesWord(value: string, country: string): boolean {
  const words = wordsOf(country);
  const begins = (one: string, other: string) => one.startsWith(other.slice(0, 4));
  return wordsOf(value).some((own) => words.some((word) => begins(own, word) || begins(word, own)));
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/\p{L}{3,}/gu) ?? [];
}
