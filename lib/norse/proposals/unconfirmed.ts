import { adjectivesWithForm } from "../adjective/forms.ts";
import type { Phenomenon } from "../candidate.ts";
import { MIDDLE_READINGS } from "../middle_voice/middle_voice.ts";
import { NOMINATIVE_PRONOUNS } from "../quirky_case/pronouns.ts";
import type { Token } from "../tokens.ts";
import { revertUmlaut } from "../umlaut/umlaut.ts";
import { type AdjectiveObjection, whyNoAdjective } from "./unconfirmed_adjective.ts";
import { OBLIQUE_FORMS, type SubjectObjection, whyNoSubject } from "./unconfirmed_subject.ts";

/** Why the rules cannot confirm a proposal on a word of which they say nothing. */
export type UnknownReason =
  | SubjectObjection["reason"]
  | AdjectiveObjection["reason"]
  | "no_umlaut_by_the_tables"
  | "not_a_middle_verb";

/** A reason with one line more. */
export interface Objection<Reason extends string = string> {
  readonly reason: Reason;
  readonly detail: string;
}

/** What is missing in the tables, or wrong with the word, when no rule looked at it. */
const UNKNOWN: Readonly<
  Record<Phenomenon, (token: Token, text: string) => Objection<UnknownReason>>
> = {
  QUIRKY_CASE: whyNoSubject,
  ADJECTIVE: ({ lower }, text) => whyNoAdjective(lower, text),
  UMLAUT: ({ lower }) => ({
    reason: "no_umlaut_by_the_tables",
    detail: lower.includes("ǫ") ? lower : `${lower} has no ǫ`,
  }),
  MIDDLE_VOICE: ({ lower }) => ({
    reason: "not_a_middle_verb",
    detail: `${lower} has no -sk`,
  }),
};

/** Why no rule of the phenomenon has an opinion on a word of a sentence. */
export function whyUnknown(
  phenomenon: Phenomenon,
  token: Token,
  text: string,
): Objection<UnknownReason> {
  return UNKNOWN[phenomenon](token, text);
}

/**
 * Whether a form that is not the one expected belongs to the same word (or, for pronouns, to another
 * person) in another cell, so that more than the phenomenon would change. Lower-case forms.
 */
const OTHER_FEATURE: Readonly<
  Record<Phenomenon, (target: string, replacement: string) => boolean>
> = {
  QUIRKY_CASE: (_, replacement) =>
    NOMINATIVE_PRONOUNS.has(replacement) || OBLIQUE_FORMS.has(replacement),
  ADJECTIVE: (target, replacement) => {
    const lemmas = new Set(adjectivesWithForm(target).map(({ lemma }) => lemma));
    return adjectivesWithForm(replacement).some(({ lemma }) => lemmas.has(lemma));
  },
  UMLAUT: (target, replacement) => !replacement.includes("ǫ") && sharesStem(target, replacement),
  MIDDLE_VOICE: (target, replacement) =>
    (MIDDLE_READINGS.get(target) ?? []).some(({ verb }) =>
      verb.forms.some(({ active, middle }) => active === replacement || middle === replacement)
    ),
};

/** Letters up to and with the vowel that umlaut changes are the same once it is undone. */
function sharesStem(target: string, replacement: string): boolean {
  return replacement.startsWith(revertUmlaut(target).slice(0, target.indexOf("ǫ") + 2));
}

/** See {@link OTHER_FEATURE}. */
export function changesAnotherFeature(
  phenomenon: Phenomenon,
  target: string,
  replacement: string,
): boolean {
  return OTHER_FEATURE[phenomenon](target, replacement);
}
