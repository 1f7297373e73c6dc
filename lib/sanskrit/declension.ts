import type { Cell, Gender } from "./cell.ts";
import { fromIast } from "./devanagari.ts";
import { A_MASCULINE, A_NEUTER, Ā_FEMININE } from "./paradigms/a_stems.ts";
import type { EndingTable } from "./paradigms/ending_table.ts";
import { I_FEMININE, I_MASCULINE, I_NEUTER } from "./paradigms/i_stems.ts";
import { AN_MASCULINE, AN_NEUTER, IN_MASCULINE } from "./paradigms/n_stems.ts";
import {
  PRONOMINAL_FEMININE,
  PRONOMINAL_MASCULINE,
  PRONOMINAL_NEUTER,
  PRONOMINAL_NEUTER_IN_T,
} from "./paradigms/pronominal.ts";
import { U_FEMININE, U_MASCULINE, U_NEUTER } from "./paradigms/u_stems.ts";

/** What the endings take the place of. */
type StemEnd = "a" | "ā" | "i" | "u" | "an" | "in";

/** A class of nouns or adjectives as data: a further class is a table and a line below. */
export interface Declension {
  readonly gender: Gender;
  readonly stemEnd: StemEnd;
  /** As the data files name it, e.g. `a-stem`. */
  readonly label: string;
  readonly endings: EndingTable;
}

const declension = (
  gender: Gender,
  stemEnd: StemEnd,
  endings: EndingTable,
  label = `${stemEnd}-stem`,
): Declension => ({ gender, stemEnd, label, endings });

const PRONOMINAL = "pronominal a-stem";

/** Every declension that there is a table for. */
export const DECLENSIONS = {
  a_masculine: declension("masculine", "a", A_MASCULINE),
  a_neuter: declension("neuter", "a", A_NEUTER),
  ā_feminine: declension("feminine", "ā", Ā_FEMININE),
  i_masculine: declension("masculine", "i", I_MASCULINE),
  i_feminine: declension("feminine", "i", I_FEMININE),
  i_neuter: declension("neuter", "i", I_NEUTER),
  u_masculine: declension("masculine", "u", U_MASCULINE),
  u_feminine: declension("feminine", "u", U_FEMININE),
  u_neuter: declension("neuter", "u", U_NEUTER),
  an_masculine: declension("masculine", "an", AN_MASCULINE),
  an_neuter: declension("neuter", "an", AN_NEUTER),
  in_masculine: declension("masculine", "in", IN_MASCULINE),
  pronominal_masculine: declension("masculine", "a", PRONOMINAL_MASCULINE, PRONOMINAL),
  pronominal_neuter: declension("neuter", "a", PRONOMINAL_NEUTER, PRONOMINAL),
  pronominal_neuter_in_t: declension("neuter", "a", PRONOMINAL_NEUTER_IN_T, PRONOMINAL),
  pronominal_feminine: declension("feminine", "ā", PRONOMINAL_FEMININE, PRONOMINAL),
} as const satisfies Readonly<Record<string, Declension>>;

export type DeclensionClass = keyof typeof DECLENSIONS;

/** The usual ending of a cell in IAST, in place of the stem's end and before retroflexion. */
function usualEnding(name: DeclensionClass, { case: kase, number }: Cell): string {
  return DECLENSIONS[name].endings[kase][number][0]!;
}

/**
 * A cell's ending in Devanagari as the grammars print it: अस्य, ए, आनि, and ः or म् alone where
 * nothing else follows a short stem vowel (देव + ः). Where a cell has doublets, the usual one; empty
 * where the form is the bare stem (vocative देव).
 */
export function endingOf(name: DeclensionClass, cell: Cell): string {
  const ending = usualEnding(name, cell);
  const { stemEnd } = DECLENSIONS[name];
  const added = ending.startsWith(stemEnd) ? ending.slice(stemEnd.length) : ending;
  const standsAlone = stemEnd !== "ā" && ["", "ḥ", "m"].includes(added);
  return fromIast(standsAlone ? added : ending);
}

/** How an adjective is declined in each gender; its stem is given as the masculine's. */
export const ADJECTIVE_CLASSES = {
  /** priya, mahāratha. */
  nominal: { masculine: "a_masculine", feminine: "ā_feminine", neuter: "a_neuter" },
  /** sarva, eka, viśva. */
  pronominal: {
    masculine: "pronominal_masculine",
    feminine: "pronominal_feminine",
    neuter: "pronominal_neuter",
  },
  /** anya, itara, katara, katama: neuter anyat. */
  pronominal_in_t: {
    masculine: "pronominal_masculine",
    feminine: "pronominal_feminine",
    neuter: "pronominal_neuter_in_t",
  },
} as const satisfies Readonly<Record<string, Readonly<Record<Gender, DeclensionClass>>>>;

export type AdjectiveClass = keyof typeof ADJECTIVE_CLASSES;
