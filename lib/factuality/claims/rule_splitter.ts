import { setImmediate } from "node:timers/promises";
import { z } from "zod";
import type { Component } from "../component.ts";
import type { Claim, ClaimSplitter } from "../types.ts";
import {
  asSentence,
  type Clause,
  type ClauseParts,
  isComma,
  isCopular,
  sentenceText,
} from "./clauses.ts";
import { clauseParts, isName, isUndivided, spansOf, subjectOf, wordsText } from "./clauses.ts";
import {
  grammaticalNumber,
  hasForm,
  hasTag,
  isCountry,
  isFinite,
  isPossessive,
  plainName,
} from "./english.ts";
import { startsObject, suppliedWord, type TaggedWord, type Words, wordsOf } from "./english.ts";
import { claimKind, isImperative, notCheckable } from "./sentences.ts";
import { type Part, sentencesOf, type SentenceSpan, statementOf } from "./sentences.ts";
import * as nouns from "./split_nouns.ts";
import { isPerson } from "./split_nouns.ts";
import * as verbs from "./split_verbs.ts";

/** Lemmas that are predicated of people only. */
const PERSON_PREDICATES = new Set(
  ("bear die marry study graduate write sing paint dance compose teach attend retire star act " +
    "educate divorce debut").split(" "),
);

const RELATIVES = new Set(
  ("daughter son wife husband brother sister mother father child widow pharaoh emperor sultan king " +
    "queen prince princess referee militant cleric nobleman noblewoman descendant").split(" "),
);

const ORGANISATION =
  /^(?:Club|County|University|City|FC|AC|SC|CP|United|Group|Company|Records|Party|Army|League|Awards?|Academy|College|School|Institute|Films|Entertainment|Agency|Town|Rovers|Athletic|Sports|Team|Studios|Pictures|Music|National|Island|Islands|River|Lake|Mount|Mountains?|Republic|Kingdom|States|Union|Church|Museum|Bridge|Street|Park|Centre|Center|Foundation|Association|Council|War|Act)$/;

/**
 * Detects a person's name by form: two to four capitalised words. It has no article and names no
 * organisation or place.
 */
const isPersonName = (words: Words): boolean =>
  words.length >= 2 && words.length <= 4 && !isCountry(wordsText(words)) &&
  words.every((word) =>
    hasTag(word, "PROPN") && /^\p{Lu}/u.test(word.text) && !ORGANISATION.test(word.text) &&
    word.text !== "The" && !/^\p{Lu}{2,}$/u.test(word.text)
  ) && !/^(?:New|North|South|East|West|Saint|San|Los|Las|Great)$/.test(words[0]!.text);

/** Detects a clause about a person: "was a poet", "died", "married". */
export function isAboutPerson(words: Words): boolean {
  const parts = clauseParts(words);
  if (!parts) return false;
  if (PERSON_PREDICATES.has(words[parts.main]!.lemma)) return true;
  const predicate = words.slice(parts.main + 1);
  const end = predicate.findIndex((word) => hasTag(word, "ADP"));
  const noun = predicate.slice(0, end < 0 ? undefined : end);
  // "was isolationist" is said of countries.
  return isCopular(words, parts) && noun.some((word) => hasTag(word, "DET")) &&
    noun.some((word) => isPerson(word) || RELATIVES.has(word.normal));
}

/** Nouns before another person's name, with the pronoun that could refer to that person. */
const BEFORE_HE = /^(?:actor|king|son|husband|brother|father)$/;
const BEFORE_SHE = /^(?:actress|queen|daughter|wife|sister|mother)$/;
const BEFORE_EITHER = /^(?:married|met|singer|director|president|defeated|succeeded|replaced)$/;
const TOGETHER = /^(?:collaborated|worked|performed|starred|partnered|fought|relationship|affair)$/;
const OF_KIN = /^(?:son|daughter|wife|husband|brother|sister|father|mother|widow|nephew|niece)$/;

/** Pronouns that could refer to people mentioned together with the subject. */
function rivalsIn(words: Words): readonly ("he" | "she")[] {
  const main = clauseParts(words)?.main ?? words.length;
  return words.flatMap(({ enclosed }, index) => {
    if (index <= main || enclosed || !isPersonName(words.slice(index, index + 2))) return [];
    if (ORGANISATION.test(words[index + 2]?.text ?? "")) return [];
    const before = words[index - 1]?.normal ?? "";
    const further = words[index - 2]?.normal ?? "";
    if (BEFORE_HE.test(before)) return ["he"];
    if (BEFORE_SHE.test(before)) return ["she"];
    const isBeside = BEFORE_EITHER.test(before) || before === "with" && TOGETHER.test(further) ||
      before === "to" && further === "married" || before === "of" && OF_KIN.test(further);
    return isBeside ? ["he", "she"] : [];
  });
}

type Gender = "he" | "she" | "it" | "they";

/** A possible antecedent of pronouns. */
interface Focus {
  /** Name as subject, in its longest form so far. */
  readonly name: string;
  /** Gender by the text; undefined while the text gives no evidence. */
  readonly gender: Gender | undefined;
  /** Genders of subjects or people named since then: such pronouns are ambiguous. */
  readonly rivals: ReadonlySet<Gender>;
  /** Noun that the text predicates of it ("is a tablet"): "the tablet" refers to it. */
  readonly noun?: string | undefined;
}

/** The last person and the last thing named, up to the current sentence. */
interface Foci {
  readonly person: Focus | undefined;
  /** A thing or place, or a referent of unknown kind. */
  readonly thing: Focus | undefined;
  /** Names after "in" anywhere in the text; they are no persons. */
  readonly places: ReadonlySet<string>;
}

/** A clause with its pronoun resolved or marked, and the updated antecedents. */
type Resolved = Readonly<{ clause: Clause; foci: Foci }>;

const IN_PLACE =
  /\b(?:in|near|throughout|across) (?:the )?(\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+)*)/gu;

/** Antecedents at the start of a text: none. */
const noFoci = (text: string): Foci => {
  const places = new Set([...text.matchAll(IN_PLACE)].map(([, name]) => name!));
  return { person: undefined, thing: undefined, places };
};

const withRivals = (focus: Focus | undefined, ...rivals: readonly Gender[]) =>
  focus && { ...focus, rivals: new Set([...focus.rivals, ...rivals]) };

/** Adds competing genders to both antecedents. */
const withOthers = (foci: Foci, ...rivals: readonly Gender[]): Foci => ({
  ...foci,
  person: withRivals(foci.person, ...rivals),
  thing: withRivals(foci.thing, ...rivals),
});

const GENDERS: Readonly<Record<string, Gender>> = {
  he: "he",
  his: "he",
  him: "he",
  she: "she",
  her: "she",
  it: "it",
  its: "it",
  they: "they",
  their: "they",
};

const MALE = /^(?:actor|king|prince|father|son|brother|husband|sir|mr\.?|lord|man|duke|emperor)$/;

const FEMALE =
  /^(?:actress|queen|princess|mother|daughter|sister|wife|mrs\.?|ms\.?|miss|lady|woman|empress|duchess)$/;

/** Resolves a clause's pronoun to the last compatible person or thing named. */
function resolvePronoun(clause: Clause, foci: Foci): Resolved {
  const parts = clauseParts(clause.words) ?? subjectAfterLeadIn(clause.words);
  // Whatever the subject is, a later pronoun may refer to it.
  if (!parts) {
    const isOther = introducesPerson(clause.words, foci.person?.name ?? "");
    const people: readonly Gender[] = isOther ? ["he", "she"] : [];
    return { clause, foci: withOthers(foci, "it", "they", ...people) };
  }
  const { subjectStart, subjectEnd } = parts;
  const subject = subjectOf(clause.words, parts);
  const unresolved = ({ text }: TaggedWord): Resolved => {
    const notes = [...clause.notes, { kind: "pronoun unresolved", pronoun: text } as const];
    return { clause: { ...clause, notes }, foci };
  };
  if (hasForm(subject[0], "this", "that", "these", "those") && subjectEnd === subjectStart + 1) {
    return unresolved(subject[0]!);
  }
  const at = pronounIn(clause.words, parts);
  const gender = at === undefined ? undefined : GENDERS[clause.words[at]!.normal];
  if (at === undefined || gender === undefined) {
    return { clause, foci: clause.aside ? foci : updateFoci(clause.words, subject, foci) };
  }
  if (isExpletive(clause.words, parts)) return { clause, foci };
  // "Although Norway rejected it, …": this subject is nearer than that of the last sentence.
  const lead = clause.words.slice(0, subjectStart);
  const isLed = lead.some((word) => hasTag(word, "PROPN")) &&
    lead.some((_, index) => index > 0 && isFinite(lead, index));
  const slot = gender === "he" || gender === "she" ? "person" : "thing";
  const focus = foci[slot];
  // "She left Germany": whoever does is not Germany.
  const object = names(clause.words.slice(parts.main + 1, parts.main + 8))[0];
  const isThere = focus !== undefined && object === focus.name &&
    !isPossessive(clause.words[at]!.normal) &&
    hasTag(clause.words.slice(parts.main + 1).find((word) => !hasTag(word, "DET", "ADP")), "PROPN");
  if (!focus || isLed || isThere || !fits(focus, gender, slot)) {
    return unresolved(clause.words[at]!);
  }
  const named = withName(clause, at, focus.name);
  // After an action of a person, "it" may refer to the action.
  const others = slot === "person" ? { thing: withRivals(foci.thing, "it", "they") } : {};
  const made: readonly Gender[] = slot === "thing" && makes(clause.words, parts) ? ["it"] : [];
  const next = withRivals({ ...focus, gender }, ...made);
  return { clause: named, foci: { ...foci, ...others, [slot]: next } };
}

/** Names in a clause: runs of capitalised words, except before a noun ("the Oslo fjord"). */
const names = (words: Words): readonly string[] =>
  words.flatMap((word, start) => {
    if (!hasTag(word, "PROPN") || hasTag(words[start - 1], "PROPN")) return [];
    const length = words.slice(start).findIndex((one) => !hasTag(one, "PROPN"));
    const end = length < 0 ? words.length : start + length;
    return hasTag(words[end], "NOUN") ? [] : [wordsText(words.slice(start, end))];
  });

/** Detects another person introduced by role: "Its chief executive, Ada Berg". */
const introducesPerson = (words: Words, person: string): boolean =>
  words.some((word, index) => {
    const before = words[index - (index > 0 && isComma(words[index - 1]!) ? 2 : 1)];
    return hasTag(word, "PROPN") && hasTag(before, "NOUN") && !word.enclosed &&
      isPersonName(words.slice(index, index + 2)) &&
      !ORGANISATION.test(words[index + 2]?.text ?? "") &&
      !isFormOf(person, wordsText(words.slice(index, index + 2)));
  });

/** Verbs whose object often becomes the next subject: "Acme released Panes. It was popular." */
const PUBLISHING = "release launch write publish introduce record invent unveil".split(" ");

const makes = (words: Words, { main }: ClauseParts): boolean =>
  PUBLISHING.includes(words[main]!.lemma) && startsObject(words[main + 1]);

/**
 * Finds the subject after a lead-in that ends in a pronoun: "After two years she moved", "In that
 * year her father died".
 */
function subjectAfterLeadIn(words: Words): ClauseParts | undefined {
  const at = words.findIndex(({ normal }) => normal in GENDERS);
  if (at === 0) return subjectAfterPossessive(words);
  const lead = words.slice(0, Math.max(at, 0));
  const isLead = lead.every((word, index) =>
    hasTag(word, "ADP", "ADV", "SCONJ") || hasForm(word, "that") ||
    index > 0 && hasTag(word, "DET", "ADJ", "NUM", "NOUN")
  );
  const parts = isLead ? clauseParts(words.slice(at)) : undefined;
  // "At its height the kingdom fell": the subject stands further on.
  const isSubject = parts?.subjectStart === 0 &&
    !words.slice(at + 1, at + parts.subjectEnd).some((word) => hasTag(word, "DET", "PROPN"));
  return parts && isSubject
    ? {
      subjectStart: at,
      subjectEnd: at + parts.subjectEnd,
      predicateStart: at + parts.predicateStart,
      verb: at + parts.verb,
      main: at + parts.main,
    }
    : undefined;
}

/** Finds the subject of a possessive with an insertion: "Her tables, printed in Kent, were". */
function subjectAfterPossessive(words: Words): ClauseParts | undefined {
  const end = words.findIndex(isComma);
  const verb = words.findIndex((_, index) =>
    index > end + 1 && isComma(words[index - 1]!) && isFinite(words, index)
  );
  const isInserted = end > 1 && verb > 0 && hasTag(words[end + 1], "VERB");
  return isInserted && isPossessive(words[0]!.normal)
    ? { subjectStart: 0, subjectEnd: end, predicateStart: end, verb, main: verb }
    : undefined;
}

/**
 * Index of the pronoun in a subject: "he", or "his" where no name precedes it ("some of his
 * films").
 */
function pronounIn(words: Words, { subjectStart, subjectEnd }: ClauseParts): number | undefined {
  for (let index = subjectStart; index < subjectEnd; index++) {
    const word = words[index]!;
    if (hasTag(word, "PROPN") || word.enclosed && word.isOriginal) return undefined;
    // "That year she": the words before the pronoun state the time.
    const isWhole = index === subjectEnd - 1 && hasTag(word, "PRON") &&
      !hasTag(words[index - 1], "ADP") &&
      !words.slice(subjectStart, index).some((one) => hasTag(one, "CCONJ"));
    if (word.normal in GENDERS && (isWhole || isPossessive(word.normal))) return index;
  }
  return undefined;
}

/** Detects an expletive "it": "It was discovered that". */
const isExpletive = (words: Words, parts: ClauseParts): boolean =>
  hasForm(words[parts.subjectStart], "it") && words[parts.verb]!.lemma === "be" &&
  words.slice(parts.verb, parts.main + 4).some((word) => hasForm(word, "that", "to"));

const fits = ({ gender, rivals }: Focus, pronoun: Gender, slot: "person" | "thing"): boolean =>
  !rivals.has(pronoun) &&
  (gender === undefined ? slot === "person" || pronoun === "it" : gender === pronoun);

function withName(clause: Clause, at: number, name: string): Clause {
  const { text, normal, spaced } = clause.words[at]!;
  const word = { ...suppliedWord(name, "PROPN"), spaced };
  const possessive = { ...suppliedWord("'s", "PART"), spaced: false };
  const words = clause.words.toSpliced(at, 1, word, ...isPossessive(normal) ? [possessive] : []);
  const notes = clause.notes.map((note) =>
    note.kind === "subject supplied" && note.subject === text ? { ...note, subject: name } : note
  );
  const resolved = { kind: "pronoun resolved", pronoun: text, to: name } as const;
  return { ...clause, words, notes: [...notes, resolved] };
}

/** Updates the possible antecedents after a clause with its subject. */
function updateFoci(words: Words, subject: Words, foci: Foci): Foci {
  if (!isNamed(subject) || subject.some((word) => hasForm(word, "and", "'s"))) {
    return withSubjectOf(words, subject, foci);
  }
  const subjectText = wordsText(subject);
  const isSame = (focus: Focus | undefined) =>
    focus !== undefined && isFormOf(focus.name, subjectText);
  const isPlace = isCountry(subjectText) || foci.places.has(subjectText);
  const gender = statedGender(words);
  const comma = subject.findIndex(isComma);
  const isNameOfPerson = isPersonName(comma < 0 ? subject : subject.slice(0, comma));
  const isThing = isPlace || gender === undefined && isAboutThing(words, isNameOfPerson);
  const isSomebody = !isThing &&
    (gender !== undefined || isSame(foci.person) || isNameOfPerson || isAboutPerson(words) ||
      isTitled(subject));
  const known = isSomebody ? foci.person : foci.thing;
  const isKnown = isSame(known);
  const isLonger = isKnown && plainName(known!.name).length < plainName(subjectText).length;
  const name = isKnown && !isLonger ? known!.name : subjectText;
  const parts = clauseParts(words);
  const rivals = new Set<Gender>(!isSomebody && parts && makes(words, parts) ? ["it"] : []);
  const noun = predicateNounOfThing(words) ?? (isKnown ? known!.noun : undefined);
  const isPlural = parts !== undefined && grammaticalNumber(words[parts.verb]!) === "plural";
  const before = isKnown ? known!.gender : undefined;
  const usual = gender ?? before ?? (isPlural && !isSomebody && !isPlace ? "they" : undefined);
  const focus = { name, gender: usual, rivals, noun };
  if (!isSomebody) {
    // A subject that is not stated to be a thing may be a person.
    const others: readonly Gender[] = isThing ? peopleIn(words) : ["he", "she"];
    const person = withRivals(foci.person, ...others);
    return { ...foci, person, thing: focus };
  }
  const isMentioned = foci.thing !== undefined && names(words).includes(foci.thing.name);
  const thing = isMentioned ? foci.thing : withRivals(foci.thing, "it", "they");
  return { ...foci, person: focus, thing };
}

/**
 * Detects a named subject: "Oslo", "the Lumo One", "Velotrin 20 mg". Something of a named thing is
 * another thing: "the capital of Chad".
 */
function isNamed(subject: Words): boolean {
  const of = subject.findIndex((word) => hasForm(word, "of"));
  if (of > 0 && hasTag(subject[of - 1], "NOUN") && !subject.some(isComma)) return false;
  const number = subject.findLastIndex(({ text }) => /^\d+$/.test(text));
  const isNumbered = number > 0 && hasTag(subject[number - 1], "PROPN") &&
    subject.length - number <= 2;
  return isName(isNumbered ? subject.slice(0, number) : subject);
}

/** Detects a name after a title: "Station manager Priya Nair". */
function isTitled(subject: Words): boolean {
  const start = subject.findLastIndex((word) => !hasTag(word, "PROPN")) + 1;
  return start > 0 && isPersonName(subject.slice(start)) && subject.slice(0, start).some(isPerson);
}

/** Lemmas that are predicated of firms, products and places only. */
const THING_PREDICATES = new Set(
  "employ manufacture headquarter border comprise weigh cost measure contain consist".split(" "),
);

/** Verbs whose objects are things only. */
const MAKING = [...PUBLISHING, ..."found establish build design create develop open".split(" ")];

/** Nouns for things that have names like persons': "Red Bull is a drink". */
const KINDS = new Set(
  ("company firm brand product phone device drink drug medicine tablet film movie series novel book " +
    "album song band game city town village country island river lake mountain moon planet club team " +
    "school college university museum bridge building restaurant newspaper magazine ship").split(
      " ",
    ),
);

/** Detects a clause about a thing: "is a phone", "was built", "employs 340 people". */
function isAboutThing(words: Words, isNameOfPerson: boolean): boolean {
  const parts = clauseParts(words);
  if (!parts) return false;
  if (THING_PREDICATES.has(words[parts.main]!.lemma)) return true;
  const isPassive = parts.main > parts.verb && words[parts.verb]!.lemma === "be";
  if (isPassive && MAKING.includes(words[parts.main]!.lemma)) return true;
  const noun = predicateNounOfThing(words);
  return noun !== undefined && !isAboutPerson(words) && (!isNameOfPerson || KINDS.has(noun));
}

/**
 * Predicate noun: "phone" in "is a small phone by Acme"; undefined for nouns that denote people.
 */
function predicateNounOfThing(words: Words): string | undefined {
  const parts = clauseParts(words);
  if (!parts || !isCopular(words, parts)) return undefined;
  const predicate = words.slice(parts.main + 1);
  const end = predicate.findIndex((word) => hasTag(word, "ADP", "VERB", "PUNCT", "PRON"));
  const head = predicate.slice(0, end < 0 ? undefined : end).at(-1);
  const isThing = head && hasTag(head, "NOUN") && !isPerson(head) && !RELATIVES.has(head.normal);
  return isThing && hasTag(predicate[0], "DET") ? head.normal : undefined;
}

/**
 * Updates the antecedents after a common noun as subject: "it" and "they" may refer to it, "he" and
 * "she" to people of the clause.
 */
function withSubjectOf(words: Words, subject: Words, foci: Foci): Foci {
  const last = subject.at(-1)!;
  const isThing = subject.length === 2 && hasForm(subject[0], "the", "this") &&
    last.normal === foci.thing?.noun;
  const others: readonly Gender[] = isThing || !hasTag(last, "NOUN", "PROPN") ? [] : ["it", "they"];
  const several: readonly Gender[] = subject.some((word) => hasForm(word, "and"))
    ? ["he", "she"]
    : [];
  // "Berg's time as a manager", "Berg herself was an actress": of the person that is spoken of.
  const { person } = foci;
  const isOwn = person && names(words).some((name) => isFormOf(person.name, name));
  return withOthers(foci, ...others, ...several, ...isOwn ? [] : peopleIn(words));
}

/** Genders of people that a clause mentions without a name: "a woman", "the king". */
const peopleIn = (words: Words): readonly Gender[] =>
  words.flatMap((word, index): readonly Gender[] => {
    if (!hasTag(word, "NOUN", "PROPN") || hasTag(words[index + 1], "NOUN", "PROPN")) return [];
    if (MALE.test(word.normal)) return ["he"];
    if (FEMALE.test(word.normal)) return ["she"];
    return isPerson(word) && words.slice(0, index).some((one) => hasTag(one, "DET"))
      ? ["he", "she"]
      : [];
  });

/** Gender that a predicate states: "is an actress", "was a king". */
function statedGender(words: Words): Gender | undefined {
  const parts = clauseParts(words);
  if (!parts || words[parts.verb]!.lemma !== "be") return undefined;
  const noun = words.slice(parts.main + 1).find((word, index, rest) =>
    hasTag(word, "NOUN") && !hasTag(rest[index + 1], "NOUN")
  );
  if (noun && FEMALE.test(noun.normal)) return "she";
  return noun && MALE.test(noun.normal) && noun.normal !== "actor" ? "he" : undefined;
}

/** Tests that one name is a form of the other: "Ada Lovelace" and "Lovelace". */
export function isFormOf(one: string, other: string): boolean {
  const plain = (name: string) => name.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  const [long, short] = [one, other].map((name) => plain(name).split(/\s+/))
    .sort((first, second) => second.length - first.length);
  return short!.every((word) => long!.includes(word));
}

/** Splitting rules in the order of application. Each works on the output of those before it. */
const RULES = [
  verbs.splitClauses,
  verbs.splitRelatives,
  verbs.splitPredicateRelatives,
  nouns.splitAppositions,
  nouns.splitParticiples,
  verbs.splitPredicates,
  verbs.splitBirth,
  verbs.splitSharedVerb,
  nouns.splitNames,
  nouns.splitOccupations,
];

/**
 * Version of the rules, raised whenever a text could yield other claims (see the golden claims).
 */
export const RULES_VERSION = 5;

/** Maximum sentence length in words and marks. A longer one, a list or no prose, is left whole. */
const MAX_WORDS = 150;

const WINK = { sentences: "wink-nlp 2.4.0", model: "wink-eng-lite-web-model 1.8.1" };

const SENTENCES_PER_TURN = 100;

const ENTRY = z.strictObject({ kind: z.literal("rules") });

export const rules: Component<typeof ENTRY, ClaimSplitter> = {
  schema: ENTRY,
  open: () => ruleSplitter(),
};

/**
 * A deterministic claim splitter by rules. It asks no model and adds no word that is not in the
 * text.
 */
export const ruleSplitter = (): ClaimSplitter => ({
  name: "rules",
  settings: { version: RULES_VERSION, ...WINK },
  split: async (text, { signal, onProgress } = {}) => {
    signal?.throwIfAborted();
    const claims: Omit<Claim, "id">[] = [];
    let foci = noFoci(text);
    const sentences = sentencesOf(text);
    for (const [index, sentence] of sentences.entries()) {
      // A book takes minutes, during which Ctrl-C must be noticed.
      if (index > 0 && index % SENTENCES_PER_TURN === 0) {
        onProgress?.(index, sentences.length);
        await setImmediate();
        signal?.throwIfAborted();
      }
      const sentenceClaims = claimsOf(text, sentence, foci);
      claims.push(...sentenceClaims.claims);
      foci = sentenceClaims.foci;
    }
    const numbered = claims.map((claim, index) => ({ id: `c${index + 1}`, ...claim }));
    return { claims: numbered, dropped: [] };
  },
});

function claimsOf(text: string, sentence: SentenceSpan, foci: Foci) {
  const [part] = sentence.parts;
  const isProse = part?.lead === "" && part.start === sentence.start;
  if (isProse) return claimsOfProse(text, sentence, foci);
  return { claims: sentence.parts.map((part) => claimWithLeadIn(text, sentence, part)), foci };
}

/** Makes one claim of a table's cell or list's item with its lead-in. */
function claimWithLeadIn(text: string, sentence: SentenceSpan, part: Part): Omit<Claim, "id"> {
  const statement = asSentence(statementOf(text, part));
  const reason = notCheckable(statement);
  const words = part.lead.trim();
  return {
    text: statement,
    spans: spansOf(text, wordsOf(text.slice(part.start, part.end), part.start)),
    sentence: { start: sentence.start, end: sentence.end },
    kind: claimKind(statement),
    notCheckable: reason === "fragment" && words !== "" ? undefined : reason,
    notes: words === "" ? [] : [{ kind: "lead-in supplied", words }],
  };
}

function claimsOfProse(text: string, sentence: SentenceSpan, before: Foci) {
  const words = wordsOf(sentence.text, sentence.start);
  // The final full stop is added when a claim is written; rules need not handle it.
  const bare = words.at(-1)?.text === "." ? words.slice(0, -1) : words;
  const whole: Clause = { words: bare, notes: [], aside: false };
  const reason = notCheckable(sentence.text);
  const isWhole = words.length > MAX_WORDS || reason === "question" || reason === "instruction" ||
    reason === "fragment";
  const clauses = isWhole || isUndivided(words) || isImperative(words)
    ? [whole]
    : splitByRules(whole);
  let foci = before;
  const claims = clauses.map((clause): Omit<Claim, "id"> => {
    const resolved = isWhole ? { clause, foci } : resolvePronoun(clause, foci);
    foci = resolved.foci;
    const { words, notes } = resolved.clause;
    const statement = sentenceText(words);
    return {
      text: statement,
      spans: spansOf(text, words),
      sentence: { start: sentence.start, end: sentence.end },
      kind: claimKind(statement),
      notCheckable: isWhole && reason !== undefined || statement === sentence.text
        ? reason
        : notCheckable(statement),
      notes,
    };
  });
  if (!isWhole) foci = { ...foci, person: withRivals(foci.person, ...rivalsIn(words)) };
  return { claims, foci };
}

function splitByRules(clause: Clause): readonly Clause[] {
  const parts = clauseParts(clause.words);
  for (const rule of RULES) {
    const made = rule(clause, parts);
    if (made) return made.flatMap(splitByRules);
  }
  return [clause];
}
