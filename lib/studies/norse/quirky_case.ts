/** Pairs in which a dative or accusative subject is made nominative (quirky case). */
import {
  between,
  type Candidate,
  citedForm,
  findingOf,
  type Opinion,
  type PhenomenonRule,
  type Token,
  tokenise,
} from "./verdicts.ts";
import type { Sentence } from "./dataset.ts";
import {
  FINITE_FORMS,
  OBLIQUE_FORMS,
  QUIRKY_FRAMES,
  QUIRKY_LURES,
  refusalsOf,
  ROLES,
  type RuleRow,
  wordList,
  wordLists,
} from "./rules.ts";

const isIn = wordLists("quirky_case");
const refusalOf = refusalsOf("QUIRKY_CASE");

/** An oblique form with its nominative and the names of both cells. */
export type ObliqueForm = RuleRow<typeof OBLIQUE_FORMS>;

/** Exchangeable oblique forms in lower case. */
export const OBLIQUE: ReadonlyMap<string, ObliqueForm> = new Map(
  OBLIQUE_FORMS.read().map((row) => [row.form, row]),
);

/** A verb, passive or phrase with a non-nominative subject. */
type QuirkyFrame = RuleRow<typeof QUIRKY_FRAMES> & FramePattern;

/** Position of the noun phrase in a frame, quirky or not. */
interface FramePattern
  extends Pick<RuleRow<typeof QUIRKY_LURES>, "case" | "heads" | "gap" | "thing"> {
  /** Groups of companion words. One of each must be in the head's stretch. */
  readonly groups: readonly (readonly string[])[];
}

/** All frames in order of precedence, the more specific first. */
export const FRAMES: readonly QuirkyFrame[] = QUIRKY_FRAMES.read().map(withGroups);

/** Frames that only look quirky, consulted for tokens that no frame covers. */
const LURES = QUIRKY_LURES.read().map(withGroups);

function withGroups<Row extends { readonly companions: string }>(row: Row) {
  const groups = row.companions === "" ? [] : row.companions.split("+");
  // `@copulas` names a list, anything else is a word.
  const named = (word: string) =>
    word.startsWith("@") ? [...wordList("quirky_case", word.slice(1))] : [word];
  return { ...row, groups: groups.map((group) => group.split(" ").flatMap(named)) };
}

/** Makes dative and accusative subjects nominative (Faarlund 2004 and Barðdal 2001). */
export const findQuirkyCase: PhenomenonRule = (sentence) => {
  const opinions = new Map<Token, Opinion>();
  for (const stretch of stretches(sentence.normalised)) {
    for (const frame of FRAMES) {
      for (const place of placesOf(frame, stretch)) {
        if (!opinions.has(place.token)) opinions.set(place.token, judge(sentence, frame, place));
      }
    }
    for (const lure of LURES) {
      for (const { token, oblique } of placesOf(lure, stretch)) {
        if (!oblique || opinions.has(token)) continue;
        opinions.set(token, { ...lure, candidate: token.form });
      }
    }
  }
  return findingOf(sentence, "QUIRKY_CASE", [...opinions.values()]);
};

/** Words between two punctuation marks, within which a frame must be complete. */
export type Stretch = readonly Token[];

export function stretches(text: string): readonly Stretch[] {
  const stretches: Token[][] = [];
  for (const token of tokenise(text)) {
    const previous = stretches.at(-1)?.at(-1);
    if (!previous || /\S/u.test(between(text, previous, token))) stretches.push([]);
    stretches.at(-1)!.push(token);
  }
  return stretches;
}

interface SubjectContext {
  readonly stretch: Stretch;
  readonly head: number;
  readonly subject: number;
  readonly token: Token;
  /**
   * Returns the lower-case word at an offset from the subject.
   * The result is empty outside the stretch.
   */
  readonly at: (offset: number) => string;
  /** Undefined for the reflexive, which has no nominative. */
  readonly oblique: ObliqueForm | undefined;
}

/** Returns all positions of a complete frame. There is at most one per occurrence of its head. */
function placesOf(frame: FramePattern, stretch: Stretch): readonly SubjectContext[] {
  return stretch.flatMap((token, head) => {
    if (!frame.heads.includes(token.lower)) return [];
    const others = new Set(stretch.filter((_, i) => i !== head).map(({ lower }) => lower));
    const isComplete = frame.groups.every((group) => group.some((word) => others.has(word)));
    return isComplete ? likeliestPlace(frame, stretch, head) : [];
  });
}

/**
 * Returns the likeliest subject of a head: not prepositional, nearest, before rather than after.
 */
function likeliestPlace(
  frame: FramePattern,
  stretch: Stretch,
  head: number,
): readonly SubjectContext[] {
  const rank = ({ subject }: SubjectContext) =>
    (followsPreposition(stretch, subject) ? 1000 : 0) + 10 * Math.abs(subject - head) +
    (subject < head ? 0 : 1);
  return stretch
    .map((token, subject) => {
      const at = (offset: number) => wordAt(stretch, subject + offset);
      return { stretch, head, subject, token, at, oblique: OBLIQUE.get(token.lower) };
    })
    .filter(({ token, subject }) =>
      subject !== head && Math.abs(subject - head) - 1 <= frame.gap && fits(frame, token.lower) &&
      !belongsToNeighbour(stretch, subject)
    )
    .sort((a, b) => rank(a) - rank(b)).slice(0, 1);
}

/** Tests whether a word can be the noun phrase. Reflexives count despite lacking a nominative. */
function fits(frame: FramePattern, lower: string): boolean {
  const oblique = OBLIQUE.get(lower);
  return isIn("reflexives", lower) ||
    (oblique !== undefined && oblique.cases.includes(frame.case) &&
      (!oblique.thing || frame.thing));
}

function wordAt(stretch: Stretch, index: number): string {
  return stretch[index]?.lower ?? "";
}

const isNoun = (word: string) => OBLIQUE.get(word)?.kind === "noun";

/**
 * Tests for an attributive word.
 * It is a pronominal adjective before its noun, or a title after its name.
 */
function belongsToNeighbour(stretch: Stretch, index: number): boolean {
  const [word, next] = [wordAt(stretch, index), wordAt(stretch, index + 1)];
  if (isIn("titles", word) && isNoun(wordAt(stretch, index - 1))) return true;
  return isIn("determiners", word) && next !== "báðum" && (/um$/u.test(next) || isNoun(next));
}

/**
 * Tests whether a preposition precedes.
 * `at` is a conjunction at the start of a stretch and after því, otherwise the preposition.
 */
function followsPreposition(stretch: Stretch, index: number): boolean {
  const previous = wordAt(stretch, index - 1);
  return previous === "at"
    ? index > 1 && wordAt(stretch, index - 2) !== "því"
    : isIn("prepositions", previous);
}

/**
 * Persons with which finite forms can agree, e.g. `2sg 3sg` for líkar.
 * With a dative subject the verb is 3rd singular or agrees with a nominative theme; a nominative in
 * the subject's place can therefore clash in person or number too.
 */
const AGREEMENT = new Map(FINITE_FORMS.read().map(({ form, agrees }) => [form, agrees]));

/** Tests whether a finite form agrees with this nominative. Duals take plural endings. */
function agrees(finite: string, { person, number }: ObliqueForm): boolean {
  return AGREEMENT.get(finite)!.includes(`${person}${number === "du" ? "pl" : number}`);
}

/** Returns the frame's finite verb: the head, or the finite form nearest to it. */
function finiteVerb({ stretch, head }: SubjectContext): string | undefined {
  return stretch
    .map(({ lower }, i) => ({ lower, distance: Math.abs(i - head) }))
    .filter(({ lower }) => AGREEMENT.has(lower)).sort((a, b) => a.distance - b.distance)[0]?.lower;
}

function nominativeOf(frame: QuirkyFrame, { token, oblique }: SubjectContext): string {
  const nominative = frame.nominatives.find((entry) => entry.startsWith(`${token.lower}>`));
  return nominative?.split(">")[1] ?? oblique?.nominative ?? "";
}

/** Returns neighbours in agreement or apposition, which keep their case. */
function wordsLeftBehind({ stretch, subject, oblique }: SubjectContext): readonly string[] {
  const agreeing = (i: number) => {
    const word = stretch[i];
    return word && oblique && isIn(`agreeing_${oblique.number}`, word.lower) ? [word.form] : [];
  };
  return [-1, 1].flatMap((side) => {
    const near = agreeing(subject + side);
    return near.length > 0 ? [...near, ...agreeing(subject + 2 * side)] : [];
  });
}

/** 2nd plural verbs; before þér they lose -ð: munu þér, megu þér. */
const SECOND_PLURAL = /^(?:.+[iu]ð|munu|megu|eru|hafi|skulu|vitu|eigu)$/u;

/** Returns an objection to a quirky subject; any other value passes. */
type Check = (
  frame: QuirkyFrame,
  place: SubjectContext,
) => readonly [reason: string, detail: string] | false | undefined;

const personal = (detail: string) => ["personal_reading_possible", detail] as const;

/** Checks of a quirky subject in order, with the wording of its certificate. */
const SUBJECT_CHECKS: readonly (readonly [name: string, objection: Check])[] = [
  [
    "the form is not reflexive",
    (_, { oblique, token }) =>
      !oblique && ["reflexive_has_no_nominative", `${token.lower} has no nominative`],
  ],
  [
    "not in a prepositional phrase",
    (_, { stretch, subject, at }) =>
      followsPreposition(stretch, subject) && ["after_preposition", `after ${at(-1)}`],
  ],
  [
    "not the possessor of a part of the body", // í hjarta mér
    (_, { at }) => isIn("inalienable", at(-1)) && ["possessive_dative", `of ${at(-1)}`],
  ],
  ["no nominative pronoun is the subject", (_, { stretch, head, subject }) => {
    const previous = wordAt(stretch, head - 1); // hann þótti
    return subject > head && AGREEMENT.has(wordAt(stretch, head)) &&
      isIn("nominative_pronouns", previous) &&
      ["nominative_subject_present", `${previous} is the subject`];
  }],
  [
    "þér is not the nominative plural",
    (_, { at }) =>
      at(0) === "þér" && [at(-1), at(1)].some((word) => SECOND_PLURAL.test(word)) &&
      ["nominative_subject_present", "þér is the nominative plural here"],
  ],
  [
    "the clause is not active with hafa",
    ({ construction }, { stretch }) =>
      construction === "passive" && stretch.some(({ lower }) => isIn("have", lower)) &&
      !stretch.some(({ lower }) => lower === "verit") &&
      ["object_of_active_verb", "hafa with participle is active"],
  ],
  [
    "not a dative of comparison",
    (_, { at }) => isIn("comparatives", at(1)) && ["dative_of_comparison", `with ${at(1)}`],
  ],
  ["the nominative differs and is no other cell of the pronoun", (frame, place) => {
    const [nominative, form] = [nominativeOf(frame, place), place.at(0)];
    const reason = "syncretic_with_nominative";
    if (nominative === form) return [reason, `${form} is nominative too`];
    return nominative === "þér" &&
      [reason, "þér, nominative plural, is also the dative singular: the variant is grammatical"];
  }],
  ["the nominative is no other word", (frame, place) => {
    const refusal = refusalOf(nominativeOf(frame, place), "");
    return refusal && [refusal.reason, refusal.detail];
  }],
  [
    "the subject is not coordinated",
    (_, { at }) =>
      at(1) === "ok" && at(2) === "svá" &&
      ["coordinated_subject", "the second conjunct would keep its case"],
  ],
  ["at most one agreeing word is left behind", (_, place) => {
    const left = wordsLeftBehind(place);
    return left.length > 1 && ["multi_token_subject", `${left.join(", ")} would keep the dative`];
  }],
  [
    "a theme keeps the personal reading out, where one is needed",
    ({ theme, lemma }, { stretch, head }) =>
      theme.length > 0 && !stretch.some(({ lower }, i) => i !== head && theme.includes(lower)) &&
      personal(`nothing else can be the theme of ${lemma}: the nominative may be it`),
  ],
  ["the nominative does not agree with a personal use of the verb", (frame, place) => {
    const { oblique, stretch, head } = place;
    const verb = finiteVerb(place);
    // "þér þykkir sem hún hafi …": þú þykkir needs a predicate, and a clause with sem is none.
    const isClause = stretch[head]?.lower === verb && wordAt(stretch, head + 1) === "sem";
    return !isClause && frame.personal_use && oblique && oblique.person !== 3 &&
      verb !== undefined &&
      agrees(verb, oblique) && personal(`${verb} ${oblique.nominative} is personal, 'I seem'`);
  }],
  [
    "no nominative that the person could seem to be",
    ({ personal_use: isPersonal }, { at }) =>
      isPersonal && isIn("likenesses", at(-2)) && personal(`as ${at(-2)} one can seem`),
  ],
  ["the form agrees with no nominative that the verb can have", (frame, place) => {
    const { oblique } = place;
    const verb = finiteVerb(place);
    return frame.agreement_only && oblique && verb !== undefined && agrees(verb, oblique) &&
      personal(`${oblique.nominative} ${verb} is attested`);
  }],
  ["the copula equates no two nominatives", (frame, place) => {
    const { oblique } = place;
    const verb = finiteVerb(place) ?? "";
    return frame.noun_predicate && oblique && ["er", "var", "váru"].includes(verb) &&
      agrees(verb, oblique) &&
      personal(`${verb} ${oblique.nominative} þat is an equation of two nominatives`);
  }],
  [
    "no neuter nominative that the participle would agree with",
    ({ construction }, { oblique }) =>
      construction === "passive" && oblique?.gender === "neut" && [
        "neuter_agrees_with_participle",
        `${oblique.nominative} agrees with the participle as its nominative subject`,
      ],
  ],
];

/** Marks of the oblique's role in its clause, by which accuracies are reported. */
export const ROLE_MARKS = ROLES.map((role) => `role_${role}`);

/**
 * Mark of a variant that violates case alone.
 * The verb agrees with it, and no modifier is left behind.
 */
export const ONLY_CASE = "only_case";

/** Returns the pair of a frame, or the first objection. */
function judge(sentence: Sentence, frame: QuirkyFrame, place: SubjectContext): Opinion {
  const { form, lower } = place.token;
  const refusal = refusalOf(lower, sentence.id);
  if (refusal) return { ...refusal, candidate: form };
  for (const [, check] of SUBJECT_CHECKS) {
    const objection = check(frame, place);
    if (objection) return { candidate: form, reason: objection[0], detail: objection[1] };
  }
  return candidateOf(sentence, frame, place);
}

function candidateOf(sentence: Sentence, frame: QuirkyFrame, place: SubjectContext): Candidate {
  const { token } = place;
  const { lemma, gloss, construction, role } = frame;
  const replacement = nominativeOf(frame, place);
  // The first check has refused the reflexive. The frame may have a nominative of another cell.
  const oblique = {
    ...place.oblique!,
    ...(replacement === "sá" ? { number: "sg" as const } : {}),
    ...(replacement === "þau" ? { gender: "neut" as const } : {}),
  };
  const verb = finiteVerb(place);
  const isInfinitive = verb === undefined || verb === "kvað";
  const clash = oblique.person === 3 ? "verb_number_clash" : "verb_person_clash";
  const clashes = isInfinitive || agrees(verb, oblique) ? [] : [clash];
  const isLeftBehind = wordsLeftBehind(place).length > 0;
  const broken = [...clashes, ...(isLeftBehind ? ["modifier_keeps_case"] : [])];
  const cell = [oblique.number, oblique.gender, oblique.person].filter((part) => part !== "");
  // If the verb agrees with a nominative, the dative is not called the subject.
  const fact = construction === "passive"
    ? "governs the dative and its passive keeps it"
    : `has its ${role} in the ${frame.case}`;
  return {
    sentence,
    phenomenon: "QUIRKY_CASE",
    token,
    replacement,
    errorType: frame.case === "dative" ? "dative_to_nominative" : "accusative_to_nominative",
    rule: frame.rule,
    lemma,
    construction,
    cellFrom: [frame.case.slice(0, 3), ...cell].join("."),
    cellTo: ["nom", ...cell].join("."),
    checks: [...SUBJECT_CHECKS.map(([name]) => name), frame.ground],
    marks: [
      `role_${role}`,
      ...(isInfinitive ? ["accusative_with_infinitive"] : []),
      ...(broken.length > 0 ? broken : [ONLY_CASE]),
    ],
    explanation: `${lemma} '${gloss}' ${fact}: ${citedForm(token.lower)} (${frame.case}), never ` +
      `${citedForm(replacement)} (nominative)${
        clashes.length > 0 ? `, with which ${verb} does not agree` : ""
      }.`,
    tier: isLeftBehind ? 3 : frame.tier,
  };
}
