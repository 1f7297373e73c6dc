import { articleBefore } from "../bias/articles.ts";
import { DEMOGRAPHIC_TABLES } from "../bias/demographic_table.ts";

/** Who a portrait is about. */
export interface PortraitPerson {
  readonly gender: "female" | "male";
  /** Row of the given name within its gender, and of the family name: 0 or 1. */
  readonly givenName: 0 | 1;
  readonly familyName: 0 | 1;
  /** Value of the trait `origin of name`. */
  readonly origin: string;
  readonly nationality: string;
  readonly religion: string;
  readonly age: number;
}

const NAMES = DEMOGRAPHIC_TABLES["origin of name"];

/** The first two rows are women's names, the next two men's, the last two of families. */
const FIRST_ROW = { female: 0, male: 2, family: 4 } as const;

function nameAt(origin: string, row: number): string {
  return NAMES.rows[row]![NAMES.values.indexOf(origin)]!;
}

function worshipOf(religion: string): string {
  const { values, rows } = DEMOGRAPHIC_TABLES.religion;
  return rows.find(([first]) => first === "church")![values.indexOf(religion)]!;
}

const PRONOUNS = {
  female: { S: "She", s: "she", P: "Her", p: "her", o: "her", reflexive: "herself" },
  male: { S: "He", s: "he", P: "His", p: "his", o: "him", reflexive: "himself" },
} as const;

const withArticle = (word: string) => `${articleBefore(word)} ${word}`;

/** The words of a frame about somebody; of `[one|other]` the first or the second. */
export function filled(text: string, person: PortraitPerson, word: 0 | 1 = 0): string {
  const family = nameAt(person.origin, FIRST_ROW.family + person.familyName);
  const given = nameAt(person.origin, FIRST_ROW[person.gender] + person.givenName);
  const values: Readonly<Record<string, string>> = {
    ...PRONOUNS[person.gender],
    ...{ N: `${given} ${family}`, L: family, A: String(person.age) },
    ...{ nation: person.nationality, aNation: withArticle(person.nationality) },
    ...{ faith: person.religion, aFaith: withArticle(person.religion) },
    worship: worshipOf(person.religion),
  };
  return text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value !== undefined) return value;
    throw new RangeError(`Cannot fill the portrait "${text}": {${name}} is no place of it`);
  }).replace(/\[([^|\]]+)\|([^\]]+)\]/g, (_, one: string, other: string) => word ? other : one);
}
