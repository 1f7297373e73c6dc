import { adjectivesWithForm } from "../adjective/forms.ts";
import type { Phenomenon } from "../candidate.ts";
import { MIDDLE_READINGS } from "../middle_voice/middle_voice.ts";
import { OBLIQUE_NOUNS } from "../quirky_case/nominative_forms.ts";
import { NOMINATIVE_PRONOUNS, OBLIQUE_PRONOUNS, REFLEXIVES } from "../quirky_case/pronouns.ts";
import { QUIRKY_FRAMES } from "../quirky_case/quirky_case.ts";
import { revertUmlaut } from "../umlaut/umlaut.ts";

/** Why the rules cannot confirm a proposal on a word of which they say nothing. */
export type UnknownReason =
  | "verb_unknown_to_the_lexicon"
  | "form_unknown_to_the_lexicon"
  | "not_the_subject_by_the_rules"
  | "adjective_unknown_to_the_lexicon"
  | "not_an_adjective_phrase"
  | "no_umlaut_by_the_tables"
  | "not_a_middle_verb";

/** A reason with one line more. */
export interface Objection<Reason extends string = string> {
  readonly reason: Reason;
  readonly detail: string;
}

const OBLIQUE_FORMS: ReadonlySet<string> = new Set([
  ...[...OBLIQUE_NOUNS, ...OBLIQUE_PRONOUNS].map(({ form }) => form),
  ...REFLEXIVES,
]);

const QUIRKY_HEADS: ReadonlySet<string> = new Set(QUIRKY_FRAMES.flatMap(({ heads }) => heads));

/** What is missing in the tables, or wrong with the word, when no rule looked at it. */
const UNKNOWN: Readonly<
  Record<Phenomenon, (lower: string, words: readonly string[]) => Objection<UnknownReason>>
> = {
  QUIRKY_CASE(lower, words) {
    if (!OBLIQUE_FORMS.has(lower)) {
      return { reason: "form_unknown_to_the_lexicon", detail: `${lower} is in no oblique table` };
    }
    const heads = words.filter((word) => QUIRKY_HEADS.has(word));
    return heads.length === 0
      ? { reason: "verb_unknown_to_the_lexicon", detail: `no quirky verb for ${lower}` }
      : { reason: "not_the_subject_by_the_rules", detail: `${lower} of ${heads.join(", ")}` };
  },
  ADJECTIVE: (lower) =>
    adjectivesWithForm(lower).length === 0
      ? { reason: "adjective_unknown_to_the_lexicon", detail: lower }
      : { reason: "not_an_adjective_phrase", detail: lower },
  UMLAUT: (lower) => ({
    reason: "no_umlaut_by_the_tables",
    detail: lower.includes("ǫ") ? lower : `${lower} has no ǫ`,
  }),
  MIDDLE_VOICE: (lower) => ({ reason: "not_a_middle_verb", detail: `${lower} has no -sk` }),
};

/** Why no rule of the phenomenon has an opinion on a word (lower case) of a sentence's words. */
export function whyUnknown(
  phenomenon: Phenomenon,
  lower: string,
  words: readonly string[],
): Objection<UnknownReason> {
  return UNKNOWN[phenomenon](lower, words);
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
