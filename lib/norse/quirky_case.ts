import type { RowOf } from "../files/table.ts";
import { type Candidate, type Objection, type PhenomenonRule, reject } from "./candidate.ts";
import type { Sentence } from "./dataset_tables.ts";
import {
  FINITE_FORMS,
  OBLIQUE_FORMS,
  QUIRKY_FRAMES,
  QUIRKY_LURES,
  refusalsOf,
  wordLists,
} from "./rules.ts";
import { between, type Token, tokenise } from "./tokens.ts";

const list = wordLists("quirky_case");

/** An oblique form, the nominative that belongs to it, and what the two cells are called. */
export type ObliqueForm = Readonly<RowOf<typeof OBLIQUE_FORMS>>;

/** The oblique forms that the rule can exchange, in lower case. */
export const OBLIQUE: ReadonlyMap<string, ObliqueForm> = new Map(
  OBLIQUE_FORMS.read().map((row) => [row.form, row]),
);

/** The reflexive has no nominative at all. */
export const REFLEXIVES = list("reflexives");

/** Nominative personal pronouns: where one stands before the verb, the clause has its subject. */
export const NOMINATIVE_PRONOUNS = list("nominative_pronouns");

/** Words that agree with a head of this number or are in apposition to it, and would keep their case. */
const AGREEING_WORDS = {
  sg: list("agreeing_sg"),
  pl: list("agreeing_pl"),
  du: list("agreeing_du"),
} as const;

/** What every frame, good or bad, says of where its noun phrase stands. */
interface FramePlace {
  readonly case: "dative" | "accusative";
  /** Forms of the word that carries the frame. */
  readonly heads: readonly string[];
  /** One word of each group must stand between the same punctuation marks as the head. */
  readonly groups: readonly (readonly string[])[];
  /** Most words between the noun phrase and the head. */
  readonly gap: number;
  /** The noun phrase may be a thing (the object that a passive keeps). */
  readonly thing: boolean;
}

/** A verb, passive or phrase whose subject is not in the nominative. */
type QuirkyFrame = Readonly<RowOf<typeof QUIRKY_FRAMES>> & FramePlace;

/** All frames, in the order in which they claim a token: what is more specific comes first. */
export const FRAMES: readonly QuirkyFrame[] = QUIRKY_FRAMES.read().map(withGroups);

/** What looks quirky and is not; consulted only for tokens that no frame has claimed. */
export const LURES = QUIRKY_LURES.read().map(withGroups);

function withGroups<Row extends { readonly companions: string }>(row: Row) {
  const groups = row.companions === "" ? [] : row.companions.split("+");
  return { ...row, groups: groups.map((group) => group.split(" ").flatMap(named)) };
}

/** `@copulas` names a list, anything else is a word. */
function named(word: string): readonly string[] {
  return word.startsWith("@") ? [...list(word.slice(1))] : [word];
}

/**
 * Which persons the finite forms of quirky-case clauses can agree with, e.g. `2sg 3sg` for líkar.
 * With a subject in the dative the verb is 3rd singular or agrees with a nominative theme; so a
 * nominative in its place may clash in person or number as well.
 */
export const AGREEMENT: ReadonlyMap<string, readonly string[]> = new Map(
  FINITE_FORMS.read().map(({ form, agrees }) => [form, agrees]),
);

/** Does the finite form agree with the nominative of this row? A dual takes the plural's endings. */
export function agrees(finite: string, { person, number }: ObliqueForm): boolean {
  return AGREEMENT.get(finite)?.includes(`${person}${number === "du" ? "pl" : number}`) ?? false;
}

/**
 * Dative or accusative subjects and what their nominative would be (Faarlund 2004 and Barðdal 2001 on
 * oblique subjects). A token is decided once: by the first frame that reaches it, or else by the
 * first lure.
 */
export const findQuirkyCase: PhenomenonRule = (sentence) => {
  const candidates: Candidate[] = [];
  const rejections: ReturnType<typeof reject>[] = [];
  const decided = new Set<Token>();
  const refuse = (token: Token, objection: Objection) =>
    rejections.push(reject(sentence, "QUIRKY_CASE", token.form, objection));
  for (const stretch of stretches(sentence.normalised, tokenise(sentence.normalised))) {
    for (const frame of FRAMES) {
      for (const place of placesOf(frame, stretch)) {
        if (decided.has(place.token)) continue;
        decided.add(place.token);
        const verdict = refusalOf(place.token.lower, sentence.id) ?? objectionTo(frame, place) ??
          candidateOf(sentence, frame, place);
        if ("reason" in verdict) refuse(place.token, verdict);
        else candidates.push(verdict);
      }
    }
    for (const lure of LURES) {
      for (const { token, oblique } of placesOf(lure, stretch)) {
        if (oblique === undefined || decided.has(token)) continue;
        decided.add(token);
        refuse(token, lure);
      }
    }
  }
  return { candidates, rejections };
};

const refusalOf = refusalsOf("QUIRKY_CASE");

// Where a frame stands

/** Words between two punctuation marks, the stretch in which a frame must be complete. */
type Stretch = readonly Token[];

/** Cuts at every mark of punctuation. */
export function stretches(text: string, tokens: readonly Token[]): readonly Stretch[] {
  const found: Token[][] = [];
  for (const [i, token] of tokens.entries()) {
    const previous = tokens[i - 1];
    if (previous === undefined || /\S/u.test(between(text, previous, token))) found.push([]);
    found.at(-1)?.push(token);
  }
  return found;
}

/** A noun phrase found at its place in a frame. */
interface Place {
  readonly stretch: Stretch;
  readonly head: number;
  readonly subject: number;
  readonly token: Token;
  /** Undefined for the reflexive, which has no nominative. */
  readonly oblique: ObliqueForm | undefined;
}

/** Every place where the frame is complete, at most one for each occurrence of its head. */
function placesOf(frame: FramePlace, stretch: Stretch): readonly Place[] {
  return stretch.flatMap((token, head) => {
    if (!frame.heads.includes(token.lower)) return [];
    const others = new Set(stretch.filter((_, i) => i !== head).map(({ lower }) => lower));
    const isComplete = frame.groups.every((group) => group.some((word) => others.has(word)));
    return isComplete ? likeliestPlace(frame, stretch, head) : [];
  });
}

/**
 * The likeliest subject within the frame's reach of one head: not in a prepositional phrase, nearest
 * to the head, before it rather than after.
 */
function likeliestPlace(frame: FramePlace, stretch: Stretch, head: number): readonly Place[] {
  const rank = ({ subject }: Place) =>
    (followsPreposition(stretch, subject) ? 1000 : 0) + 10 * Math.abs(subject - head) +
    (subject < head ? 0 : 1);
  return stretch
    .map((token, subject): Place => {
      return { stretch, head, subject, token, oblique: OBLIQUE.get(token.lower) };
    })
    .filter(({ token, subject }) =>
      subject !== head && Math.abs(subject - head) - 1 <= frame.gap && fits(frame, token.lower) &&
      !belongsToNeighbour(stretch, subject)
    )
    .sort((a, b) => rank(a) - rank(b))
    .slice(0, 1);
}

function fits(frame: FramePlace, lower: string): boolean {
  if (REFLEXIVES.has(lower)) return true;
  const oblique = OBLIQUE.get(lower);
  return oblique !== undefined && oblique.cases.includes(frame.case) &&
    (!oblique.thing || frame.thing);
}

const TITLES = list("titles");
const DETERMINERS = list("determiners");
const PREPOSITIONS = list("prepositions");
const INALIENABLE = list("inalienable");

/** The word at an index of a stretch, in lower case; empty beyond its ends. */
function wordAt(stretch: Stretch, index: number): string {
  return stretch[index]?.lower ?? "";
}

const isNoun = (word: string) => OBLIQUE.get(word)?.kind === "noun";

/** Attributive: a pronominal adjective before its noun, or a title after its name. */
function belongsToNeighbour(stretch: Stretch, index: number): boolean {
  const [word, next] = [wordAt(stretch, index), wordAt(stretch, index + 1)];
  if (TITLES.has(word) && isNoun(wordAt(stretch, index - 1))) return true;
  return DETERMINERS.has(word) && next !== "báðum" && (/um$/u.test(next) || isNoun(next));
}

/** `at` opens a clause at the start of a stretch and after því; otherwise it is the preposition. */
export function followsPreposition(stretch: Stretch, index: number): boolean {
  const previous = wordAt(stretch, index - 1);
  return previous === "at"
    ? index > 1 && wordAt(stretch, index - 2) !== "því"
    : PREPOSITIONS.has(previous);
}

/** The finite verb of the frame: the head itself, or the finite form nearest to it. */
function finiteVerb({ stretch, head }: Place): string | undefined {
  return stretch
    .map(({ lower }, i) => ({ lower, distance: Math.abs(i - head) }))
    .filter(({ lower }) => AGREEMENT.has(lower))
    .sort((a, b) => a.distance - b.distance)[0]?.lower;
}

/** The nominative that takes the token's place, in lower case. Empty for the reflexive. */
function nominativeOf(frame: QuirkyFrame, { token, oblique }: Place): string {
  const own = frame.nominatives.find((entry) => entry.startsWith(`${token.lower}>`));
  return own?.split(">")[1] ?? oblique?.nominative ?? "";
}

/** Neighbours that agree with the token or stand in apposition to it and keep their case. */
function wordsLeftBehind({ stretch, subject, oblique }: Place): readonly string[] {
  const agreeing = (i: number) => {
    const word = stretch[i];
    return word && oblique && AGREEING_WORDS[oblique.number].has(word.lower) ? [word.form] : [];
  };
  return [-1, 1].flatMap((side) => {
    const near = agreeing(subject + side);
    return near.length > 0 ? [...near, ...agreeing(subject + 2 * side)] : [];
  });
}

// What speaks against a pair

/** The first check that fails, or undefined when the noun phrase is a quirky subject. */
function objectionTo(frame: QuirkyFrame, place: Place): Objection | undefined {
  for (const [, check] of SUBJECT_CHECKS) {
    const objection = check(frame, place);
    if (objection) return objection;
  }
  return undefined;
}

const HAVE = list("have");
const COMPARATIVES = list("comparatives");

/** 2nd plural verbs; before þér they lose -ð: munu þér, megu þér. */
const SECOND_PLURAL = /^(?:.+[iu]ð|munu|megu|eru|hafi|skulu|vitu|eigu)$/u;
type Check = (frame: QuirkyFrame, place: Place) => Objection | undefined;

/** Every check that a quirky subject must pass, in order, with the words of its certificate. */
const SUBJECT_CHECKS: readonly (readonly [name: string, check: Check])[] = [
  [
    "the form is not reflexive",
    (_, { oblique, token }) =>
      oblique === undefined
        ? { reason: "reflexive_has_no_nominative", detail: `${token.lower} has no nominative` }
        : undefined,
  ],
  [
    "not in a prepositional phrase",
    (_, { stretch, subject }) =>
      followsPreposition(stretch, subject)
        ? { reason: "after_preposition", detail: `after ${wordAt(stretch, subject - 1)}` }
        : undefined,
  ],
  ["not the possessor of a part of the body", (_, { stretch, subject }) =>
    // í hjarta mér
    INALIENABLE.has(wordAt(stretch, subject - 1))
      ? { reason: "possessive_dative", detail: `of ${wordAt(stretch, subject - 1)}` }
      : undefined],
  ["no nominative pronoun is the subject", (_, { stretch, head, subject }) => {
    // hann þótti
    const previous = wordAt(stretch, head - 1);
    return subject > head && AGREEMENT.has(wordAt(stretch, head)) &&
        NOMINATIVE_PRONOUNS.has(previous)
      ? { reason: "nominative_subject_present", detail: `${previous} is the subject` }
      : undefined;
  }],
  ["þér is not the nominative plural", (_, { stretch, subject, token }) =>
    token.lower === "þér" &&
      [subject - 1, subject + 1].some((i) => SECOND_PLURAL.test(wordAt(stretch, i)))
      ? { reason: "nominative_subject_present", detail: "þér is the nominative plural here" }
      : undefined],
  [
    "the clause is not active with hafa",
    ({ construction }, { stretch }) =>
      construction === "passive" && stretch.some(({ lower }) => HAVE.has(lower)) &&
        !stretch.some(({ lower }) => lower === "verit")
        ? { reason: "object_of_active_verb", detail: "hafa with participle is active" }
        : undefined,
  ],
  [
    "not a dative of comparison",
    (_, { stretch, subject }) =>
      COMPARATIVES.has(wordAt(stretch, subject + 1))
        ? { reason: "dative_of_comparison", detail: `with ${wordAt(stretch, subject + 1)}` }
        : undefined,
  ],
  ["the nominative differs and is no other cell of the pronoun", (frame, place) => {
    const [nominative, form] = [nominativeOf(frame, place), place.token.lower];
    const reason = "syncretic_with_nominative";
    if (nominative === form) return { reason, detail: `${form} is nominative too` };
    return nominative === "þér"
      ? {
        reason,
        detail: "þér, nominative plural, is also the dative singular: the variant is grammatical",
      }
      : undefined;
  }],
  ["the nominative is no other word", (frame, place) => refusalOf(nominativeOf(frame, place), "")],
  [
    "the subject is not coordinated",
    (_, { stretch, subject }) =>
      wordAt(stretch, subject + 1) === "ok" && wordAt(stretch, subject + 2) === "svá"
        ? { reason: "coordinated_subject", detail: "the second conjunct would keep its case" }
        : undefined,
  ],
  ["at most one agreeing word is left behind", (_, place) => {
    const left = wordsLeftBehind(place);
    return left.length > 1
      ? { reason: "multi_token_subject", detail: `${left.join(", ")} would keep the dative` }
      : undefined;
  }],
  [
    "a theme keeps the personal reading out, where one is needed",
    (frame, { stretch, head }) =>
      frame.theme.length === 0 ||
        stretch.some(({ lower }, i) => i !== head && frame.theme.includes(lower))
        ? undefined
        : {
          reason: "personal_reading_possible",
          detail: `nothing else can be the theme of ${frame.lemma}: the nominative may be it`,
        },
  ],
  ["the nominative does not agree with a personal use of the verb", (frame, place) => {
    const { oblique } = place;
    const verb = finiteVerb(place);
    if (!frame.personal_use || !oblique || oblique.person === 3 || verb === undefined) {
      return undefined;
    }
    return agrees(verb, oblique)
      ? {
        reason: "personal_reading_possible",
        detail: `${verb} ${oblique.nominative} is personal, 'I seem'`,
      }
      : undefined;
  }],
  ["the copula equates no two nominatives", (frame, place) => {
    const { oblique } = place;
    const verb = finiteVerb(place);
    const isCopula = verb === "er" || verb === "var" || verb === "váru";
    return frame.noun_predicate && oblique && isCopula && agrees(verb, oblique)
      ? {
        reason: "personal_reading_possible",
        detail: `${verb} ${oblique.nominative} þat is an equation of two nominatives`,
      }
      : undefined;
  }],
  [
    "no neuter nominative that the participle would agree with",
    ({ construction }, { oblique }) =>
      construction === "passive" && oblique?.gender === "neut"
        ? {
          reason: "neuter_agrees_with_participle",
          detail: `${oblique.nominative} agrees with the participle as its nominative subject`,
        }
        : undefined,
  ],
];

// The pair

function candidateOf(sentence: Sentence, frame: QuirkyFrame, place: Place): Candidate {
  const { token } = place;
  const replacement = nominativeOf(frame, place);
  if (!place.oblique) {
    throw new TypeError(
      `Cannot make a pair of ${sentence.id}: ${token.form} is not in oblique_forms.csv.`,
    );
  }
  const oblique = targetCell(place.oblique, replacement);
  const cell = [oblique.number, oblique.gender, oblique.person].filter((part) => part !== "");
  const marks = marksOf(place, oblique);
  return {
    sentence,
    phenomenon: "QUIRKY_CASE",
    token,
    replacement,
    errorType: frame.case === "dative" ? "dative_to_nominative" : "accusative_to_nominative",
    rule: frame.rule,
    lemma: frame.lemma,
    construction: frame.construction,
    cellFrom: [frame.case.slice(0, 3), ...cell].join("."),
    cellTo: ["nom", ...cell].join("."),
    checks: [...SUBJECT_CHECKS.map(([name]) => name), frame.ground],
    marks,
    explanation: explain(frame, token.lower, replacement),
    tier: marks.includes("modifier_keeps_case") ? 3 : frame.tier,
  };
}

/** The row as it is once the frame has had its say about the nominative. */
function targetCell(oblique: ObliqueForm, replacement: string): ObliqueForm {
  if (replacement === "sá") return { ...oblique, number: "sg" };
  return replacement === "þau" ? { ...oblique, gender: "neut" } : oblique;
}

function marksOf(place: Place, oblique: ObliqueForm): readonly string[] {
  const marks: string[] = [];
  const verb = finiteVerb(place);
  if (verb === undefined || verb === "kvað") marks.push("accusative_with_infinitive");
  else if (!agrees(verb, oblique)) {
    marks.push(oblique.person === 3 ? "verb_number_clash" : "verb_person_clash");
  }
  if (wordsLeftBehind(place).length > 0) marks.push("modifier_keeps_case");
  return marks;
}

function explain(frame: QuirkyFrame, form: string, nominative: string): string {
  const { lemma, gloss } = frame;
  const contrast = `${form} (${frame.case}), never ${nominative} (nominative)`;
  if (frame.construction === "passive") {
    return `${lemma} '${gloss}' governs the dative and its passive keeps it: ${contrast}.`;
  }
  const what = frame.construction === "copular_phrase" ? "the person" : "its subject";
  return `${lemma} '${gloss}' has ${what} in the ${frame.case}: ${contrast}.`;
}
