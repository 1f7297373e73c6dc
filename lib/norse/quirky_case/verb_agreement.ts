import type { ObliqueForm } from "./pronouns.ts";

/**
 * Which persons the finite forms of quirky-case clauses can agree with, e.g. `2sg 3sg` for líkar.
 * With a subject in the dative the verb is 3rd singular or agrees with a nominative theme; so a
 * nominative in its place may clash in person or number as well. Source: Noreen, Altisländische
 * Grammatik, verbal endings; 1st singular preterite in -a, subjunctive 1st singular in -a.
 */
const AGREEMENT = `
  er 3sg | eru 3pl | var 1sg 3sg | váru 3pl | sé 3sg | væri 3sg 3pl | varð 1sg 3sg | verðr 2sg 3sg
  verði 3sg 3pl | mun 1sg 3sg | muni 3sg 3pl | munu 3pl 1pl | mundi 3sg 3pl | skal 1sg 3sg
  hefir 2sg 3sg | kvað 1sg 3sg | þykkir 2sg 3sg | þykki 1sg 3sg 3pl | þótti 3sg | þóttu 3pl
  þœtti 3sg 3pl | sýnisk 2sg 3sg | sýnask 3pl | sýndisk 2sg 3sg | líkar 2sg 3sg | líkaði 3sg
  hugnar 2sg 3sg | hugni 3sg 3pl | samir 2sg 3sg | sœmdi 3sg | fellsk 2sg 3sg
  fellusk 3pl | tóksk 2sg 3sg | virðisk 2sg 3sg | lízk 2sg 3sg | hallkvæmisk 2sg 3sg
  fellr 2sg 3sg | hvarf 1sg 3sg | kómu 3pl | stendr 2sg 3sg | dreymdi 3sg
  dreymir 2sg 3sg | skorti 3sg | gerði 3sg | lér 2sg 3sg
`;

/** Person and number cells by finite form. */
export const FINITE_FORMS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  AGREEMENT.trim().split(/\s*[|\n]\s*/u).map((entry) => {
    const [form = "", ...cells] = entry.split(" ");
    return [form, new Set(cells)];
  }),
);

/** Does the finite form agree with the nominative of this row? A dual takes the plural's endings. */
export function agrees(finite: string, subject: ObliqueForm): boolean {
  const number = subject.number === "du" ? "pl" : subject.number;
  return FINITE_FORMS.get(finite)?.has(`${subject.person}${number}`) ?? false;
}
