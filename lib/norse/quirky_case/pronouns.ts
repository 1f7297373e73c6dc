/**
 * Oblique pronouns and pronominal adjectives with the nominative of the same person, number and
 * gender. Source: Noreen, Altisländische Grammatik (4th ed.), the chapters on pronouns; Barnes,
 * A New Introduction to Old Norse I, 3.2. Spelling: the normalisation of orthography.ts.
 */
export type ObliqueCase = "dative" | "accusative";
export type GrammaticalNumber = "sg" | "du" | "pl";
export type Person = 1 | 2 | 3;

/** An oblique form, the nominative that belongs to it, and what the two cells are called. */
export interface ObliqueForm {
  readonly form: string;
  /** The cases that the form can be; accusative and dative coincide in oss, okkr, ykkr, yðr. */
  readonly cases: readonly ObliqueCase[];
  readonly nominative: string;
  readonly person: Person;
  readonly number: GrammaticalNumber;
  /** Absent for the first and second person. */
  readonly gender?: "masc" | "fem" | "neut";
  /** A thing or a content, not somebody who experiences: only the object of a passive verb. */
  readonly inanimate?: boolean;
}

type Row = readonly [
  form: string,
  nominative: string,
  person: Person,
  number: GrammaticalNumber,
  gender?: ObliqueForm["gender"],
];

const DATIVE: readonly Row[] = [
  ["mér", "ek", 1, "sg"],
  ["þér", "þú", 2, "sg"],
  ["honum", "hann", 3, "sg", "masc"],
  ["henni", "hún", 3, "sg", "fem"],
  ["þeim", "þeir", 3, "pl", "masc"],
  ["þessum", "þessi", 3, "sg", "masc"],
  ["ǫllum", "allir", 3, "pl", "masc"],
  ["mǫrgum", "margir", 3, "pl", "masc"],
  ["fám", "fáir", 3, "pl", "masc"],
  ["færum", "færi", 3, "pl", "masc"],
  ["engum", "engi", 3, "sg", "masc"],
  ["hverjum", "hverr", 3, "sg", "masc"],
  ["ǫðrum", "annarr", 3, "sg", "masc"],
];

const DATIVE_THINGS: readonly Row[] = [
  ["þessu", "þetta", 3, "sg", "neut"],
  ["því", "þat", 3, "sg", "neut"],
];

const ACCUSATIVE: readonly Row[] = [
  ["mik", "ek", 1, "sg"],
  ["þik", "þú", 2, "sg"],
  ["hann", "hann", 3, "sg", "masc"],
  ["hana", "hún", 3, "sg", "fem"],
];

const BOTH_CASES: readonly Row[] = [
  ["oss", "vér", 1, "pl"],
  ["okkr", "vit", 1, "du"],
  ["ykkr", "þit", 2, "du"],
  ["yðr", "þér", 2, "pl"],
];

function paradigm(rows: readonly Row[], cases: readonly ObliqueCase[]): readonly ObliqueForm[] {
  return rows.map(([form, nominative, person, number, gender]) => ({
    form,
    cases,
    nominative,
    person,
    number,
    ...(gender ? { gender } : {}),
  }));
}

/** Every oblique pronoun the quirky-case rule can exchange. */
export const OBLIQUE_PRONOUNS: readonly ObliqueForm[] = [
  ...paradigm(DATIVE, ["dative"]),
  ...paradigm(DATIVE_THINGS, ["dative"]).map((row) => ({ ...row, inanimate: true })),
  ...paradigm(ACCUSATIVE, ["accusative"]),
  ...paradigm(BOTH_CASES, ["dative", "accusative"]),
];

/** The reflexive has no nominative at all. */
export const REFLEXIVES: ReadonlySet<string> = new Set(["sér", "sik"]);

/** Nominative personal pronouns: where one stands before the verb, the clause has its subject. */
export const NOMINATIVE_PRONOUNS: ReadonlySet<string> = new Set([
  "ek",
  "þú",
  "hann",
  "hún",
  "vit",
  "þit",
  "vér",
  "þeir",
  "þær",
  "þau",
]);
