import { AGREEING_WORDS, NOMINATIVE_HOMOGRAPHS } from "./nominative_forms.ts";
import type { QuirkyCaseRejection, QuirkyFrame } from "./frame.ts";
import {
  finiteVerb,
  followsPossession,
  followsPreposition,
  hasNominativeBefore,
  type Place,
} from "./match.ts";
import { agrees } from "./verb_agreement.ts";

export interface Objection {
  readonly reason: QuirkyCaseRejection;
  readonly detail: string;
}

type Check = (frame: QuirkyFrame, place: Place) => Objection | undefined;

const HAVE = new Set([
  "hefi",
  "hefir",
  "hǫfum",
  "hafið",
  "hafa",
  "hafi",
  "hafði",
  "hǫfðu",
  "hefði",
]);
const COMPARATIVE = new Set(["betr", "verr", "fremr"]);

/** The nominative that takes the token's place, in lower case. Empty for the reflexive. */
export function nominativeOf(frame: QuirkyFrame, { token, oblique }: Place): string {
  const relative = frame.nominatives?.get(token.lower);
  return relative ?? oblique?.nominative ?? "";
}

/** Neighbours that agree with the token or stand in apposition to it and keep their case. */
export function wordsLeftBehind({ stretch, subject, oblique }: Place): readonly string[] {
  const agreeing = (i: number) => {
    const word = stretch.tokens[i];
    const numbers = word && oblique ? AGREEING_WORDS.get(word.lower) : undefined;
    return word && numbers?.includes(oblique?.number ?? "sg") ? [word.form] : [];
  };
  return [-1, 1].flatMap((side) => {
    const near = agreeing(subject + side);
    return near.length > 0 ? [...near, ...agreeing(subject + 2 * side)] : [];
  });
}

const reflexive: Check = (_, { oblique, token }) =>
  oblique === undefined
    ? { reason: "reflexive_has_no_nominative", detail: `${token.lower} has no nominative` }
    : undefined;

const syncretic: Check = (frame, place) => {
  const nominative = nominativeOf(frame, place);
  const form = place.token.lower;
  if (nominative === form) {
    return { reason: "syncretic_with_nominative", detail: `${form} is nominative too` };
  }
  return nominative === "þér"
    ? {
      reason: "syncretic_with_nominative",
      detail: "þér, nominative plural, is also the dative singular: the variant is grammatical",
    }
    : undefined;
};

const prepositional: Check = (_, { stretch, subject }) =>
  followsPreposition(stretch, subject)
    ? { reason: "after_preposition", detail: `after ${stretch.tokens[subject - 1]?.lower}` }
    : undefined;

const possessive: Check = (_, { stretch, subject }) =>
  followsPossession(stretch, subject)
    ? { reason: "possessive_dative", detail: `of ${stretch.tokens[subject - 1]?.lower}` }
    : undefined;

const nominativeBefore: Check = (_, { stretch, head, subject }) =>
  hasNominativeBefore(stretch, head, subject)
    ? {
      reason: "nominative_subject_present",
      detail: `${stretch.tokens[head - 1]?.lower} is the subject`,
    }
    : undefined;

/** 2nd plural verbs; before þér they lose -ð: munu þér, megu þér. */
const SECOND_PLURAL = /^(?:.+[iu]ð|munu|megu|eru|hafi|skulu|vitu|eigu)$/u;

const pluralYou: Check = (_, { stretch, subject, token }) =>
  token.lower === "þér" &&
    [subject - 1, subject + 1].some((i) => SECOND_PLURAL.test(stretch.tokens[i]?.lower ?? ""))
    ? { reason: "nominative_subject_present", detail: "þér is the nominative plural here" }
    : undefined;

const active: Check = (frame, { stretch }) => {
  if (frame.construction !== "passive") return undefined;
  const forms = stretch.tokens.map((token) => token.lower);
  return forms.some((form) => HAVE.has(form)) && !forms.includes("verit")
    ? { reason: "object_of_active_verb", detail: "hafa with participle is active" }
    : undefined;
};

const comparison: Check = (_, { stretch, subject }) =>
  COMPARATIVE.has(stretch.tokens[subject + 1]?.lower ?? "")
    ? { reason: "dative_of_comparison", detail: `with ${stretch.tokens[subject + 1]?.lower}` }
    : undefined;

const coordinated: Check = (_, { stretch, subject }) =>
  stretch.tokens[subject + 1]?.lower === "ok" && stretch.tokens[subject + 2]?.lower === "svá"
    ? { reason: "coordinated_subject", detail: "the second conjunct would keep its case" }
    : undefined;

const severalWords: Check = (_, place) => {
  const left = wordsLeftBehind(place);
  return left.length > 1
    ? { reason: "multi_token_subject", detail: `${left.join(", ")} would keep the dative` }
    : undefined;
};

const missingTheme: Check = (frame, { stretch, head }) => {
  if (!frame.theme) return undefined;
  const others = stretch.tokens.filter((_, i) => i !== head).map((token) => token.lower);
  return frame.theme.some((word) => others.includes(word)) ? undefined : {
    reason: "personal_reading_possible",
    detail: `nothing else can be the theme of ${frame.lemma}: the nominative may be it`,
  };
};

const personal: Check = (frame, { stretch, head, oblique }) => {
  const verb = finiteVerb(stretch, head);
  if (!frame.personalUse || !oblique || oblique.person === 3 || verb === undefined) {
    return undefined;
  }
  return agrees(verb, oblique)
    ? {
      reason: "personal_reading_possible",
      detail: `${verb} ${oblique.nominative} is personal, 'I seem'`,
    }
    : undefined;
};

const equative: Check = (frame, { stretch, head, oblique }) => {
  const verb = finiteVerb(stretch, head);
  const isCopula = verb === "er" || verb === "var" || verb === "váru";
  return frame.nounPredicate && oblique && isCopula && agrees(verb, oblique)
    ? {
      reason: "personal_reading_possible",
      detail: `${verb} ${oblique.nominative} þat is an equation of two nominatives`,
    }
    : undefined;
};

/** The participle of a passive stands in the neuter: a neuter nominative would be its subject. */
const neuterAgreement: Check = (frame, { oblique }) =>
  frame.construction === "passive" && oblique?.gender === "neut"
    ? {
      reason: "neuter_agrees_with_participle",
      detail: `${oblique.nominative} agrees with the participle as its nominative subject`,
    }
    : undefined;

const homograph: Check = (frame, place) => {
  const detail = NOMINATIVE_HOMOGRAPHS.get(nominativeOf(frame, place));
  return detail ? { reason: "nominative_is_another_word", detail } : undefined;
};

/** Every check that a quirky subject must pass, in order, with the words of its certificate. */
export const SUBJECT_CHECKS: readonly (readonly [name: string, check: Check])[] = [
  ["the form is not reflexive", reflexive],
  ["not in a prepositional phrase", prepositional],
  ["not the possessor of a part of the body", possessive],
  ["no nominative pronoun is the subject", nominativeBefore],
  ["þér is not the nominative plural", pluralYou],
  ["the clause is not active with hafa", active],
  ["not a dative of comparison", comparison],
  ["the nominative differs and is no other cell of the pronoun", syncretic],
  ["the nominative is no other word", homograph],
  ["the subject is not coordinated", coordinated],
  ["at most one agreeing word is left behind", severalWords],
  ["a theme keeps the personal reading out, where one is needed", missingTheme],
  ["the nominative does not agree with a personal use of the verb", personal],
  ["the copula equates no two nominatives", equative],
  ["no neuter nominative that the participle would agree with", neuterAgreement],
];

/** The first check that fails, or undefined when the noun phrase is a quirky subject. */
export function objection(frame: QuirkyFrame, place: Place): Objection | undefined {
  for (const [, check] of SUBJECT_CHECKS) {
    const problem = check(frame, place);
    if (problem) return problem;
  }
  return undefined;
}
