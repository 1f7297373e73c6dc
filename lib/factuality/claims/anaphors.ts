/**
 * Resolution of definite anaphors ("the country", "the company's", "that year") to their
 * antecedents.
 */
import type { Claim, ClaimNote } from "../types.ts";
import {
  type ClauseParts,
  clauseParts,
  isCopular,
  isName,
  subjectOf,
  wordsText,
} from "./clauses.ts";
import { COUNTRIES, hasForm, hasTag, isCountry, plainName, type TaggedWord } from "./english.ts";
import { type Words, wordsOf } from "./english.ts";
import { isAboutPerson, isFormOf } from "./rule_splitter.ts";

/** Nouns that can denote the same referent, one kind per line. */
const KINDS = [
  "country nation republic",
  // "The Kingdom of Kongo" is none of today's countries.
  "kingdom",
  "territory",
  "island archipelago",
  "city town village municipality capital",
  "company firm corporation manufacturer retailer airline bank",
  "university college school institute",
  "organisation organization agency association foundation",
  "club team",
  "museum",
  "river",
  "lake",
  "mountain volcano",
  "bridge",
  "film movie",
  "book novel",
  "album",
].map((nouns) => nouns.split(" "));

const kindsOf = (...nouns: readonly string[]): readonly number[] =>
  nouns.map((noun) => KINDS.findIndex((kind) => kind.includes(noun.toLowerCase())))
    .filter((kind) => kind >= 0);

/** Indices in `KINDS` of nouns for a country of the list. */
const COUNTRY_KINDS = kindsOf("country", "kingdom");
const ISLAND = kindsOf("island");
/**
 * Kinds of referent that are founded or have headquarters. Universities and cities are recognised
 * by other evidence.
 */
const FOUNDED_KINDS = kindsOf("company", "organisation", "club");
const FOUNDED = ["founded", "headquartered", "incorporated"];
const COMPANY = /\b(?:Inc|Ltd|Corp|GmbH|AG|plc|PLC|Records)\b/;

/** All anaphoric nouns. "The capital" is excluded: it describes a part of a country. */
const NOUNS = KINDS.flat().filter((noun) => noun !== "capital");
const ANAPHOR = new RegExp(`\\b(?:the|this) (?:${NOUNS.join("|")})\\b`, "i");

/** Countries and territories that are, or are named after, one island. */
const ISLANDS = new Set(
  ("Aruba,Barbados,Bermuda,Cuba,Curacao,Cyprus,Dominica,Grenada,Greenland,Guadeloupe,Guam,Guernsey," +
    "Iceland,Ireland,Jamaica,Jersey,Madagascar,Malta,Martinique,Mauritius,Mayotte,Montserrat,Nauru," +
    "Niue,Puerto Rico,Reunion,Saint Helena,Saint Lucia,Singapore,Sint Maarten,Sri Lanka,Taiwan," +
    "Saint Barthelemy,Saint Martin").split(","),
);

const COUNTRY = new RegExp(
  `\\b(?:${[...COUNTRIES].sort((one, other) => other.length - one.length).join("|")})\\b`,
  "g",
);

/** A referent that the text has named so far. */
interface Topic {
  /** The longest form of its name so far. */
  readonly name: string;
  /**
   * Indices in {@link KINDS} of nouns that may denote it. Empty while the text gives no evidence.
   */
  readonly kinds: readonly number[];
  /** True where the text or the name states the kind. Otherwise the list of countries does. */
  readonly isStated: boolean;
  /** Number of sentences about it; 0 where it was only mentioned next to another referent. */
  readonly sentences: number;
  /** Start of the last of these sentences. */
  readonly last: number;
}

/**
 * Resolves definite anaphors of claims to the one possible antecedent in the text. The antecedent
 * must have been named before, and its kind must be known from the text, from its name or from the
 * list of countries. A resolved claim carries the name in its text and a note. "That year" becomes
 * the year of the sentence before. A claim whose antecedent is ambiguous is marked as unresolved,
 * so that it is not looked up.
 */
export function resolveAnaphors(claims: readonly Claim[]): readonly Claim[] {
  const dated: Claim[] = [];
  for (const claim of claims) dated.push(withYear(claim, dated));
  if (!dated.some(({ text }) => ANAPHOR.test(text))) return dated;
  let topics: readonly Topic[] = [];
  return dated.map((claim) => {
    const resolvedClaim = resolveClaim(claim, topics);
    topics = withTopics(topics, wordsOf(resolvedClaim.text, 0), claim.sentence.start);
    return resolvedClaim;
  });
}

const THAT_YEAR = /\b(?:in )?(?:that(?: same)?|the same) year\b(?!['’])/i;
const YEAR = /\b(?:in|since|by|until|from|\p{Lu}\p{Ll}+)(?: \d{1,2},)? ((?:1\d|20)\d\d)\b(?! *%)/gu;

/** Replaces "that year" by the only year of its sentence, or of the sentence before. */
function withYear(claim: Claim, before: readonly Claim[]): Claim {
  const match = THAT_YEAR.exec(claim.text);
  // "In 1888 they signed a treaty, and left the same year".
  if (match === null || claim.text.search(YEAR) >= 0) return claim;
  const yearsIn = (start: number | undefined) =>
    new Set(
      before.filter(({ sentence }) => sentence.start === start)
        .flatMap(({ text }) => [...text.matchAll(YEAR)].map(([, year]) => year!)),
    );
  const { start } = claim.sentence;
  const sentenceYears = yearsIn(start);
  const last = before.findLast(({ sentence }) => sentence.start < start)?.sentence.start;
  const [year, ...others] = sentenceYears.size > 0 ? sentenceYears : yearsIn(last);
  const pronoun = match[0].replace(/^in /i, "");
  const isKnown = year !== undefined && others.length === 0;
  const note: ClaimNote = isKnown
    ? { kind: "pronoun resolved", pronoun, to: year }
    : { kind: "pronoun unresolved", pronoun };
  const text = isKnown
    ? claim.text.replace(THAT_YEAR, `${match.index === 0 ? "In" : "in"} ${year}`)
    : claim.text;
  return { ...claim, text, notes: [...claim.notes, note] };
}

function resolveClaim(claim: Claim, topics: readonly Topic[]): Claim {
  if (!ANAPHOR.test(claim.text)) return claim;
  const words = wordsOf(claim.text, 0);
  const at = words.findIndex((_, index) => isAnaphor(words, index));
  if (at < 0) return claim;
  const [article, noun] = [words[at]!, words[at + 1]!];
  const pronoun = `the ${noun.text}`;
  const topic = antecedent(topics, noun);
  if (topic === undefined) {
    // "Oslo is the largest city of the country" names what it is about.
    const isAbout = at <= (clauseParts(words)?.subjectStart ?? 0);
    if (!isAbout && words.some((word) => hasTag(word, "PROPN"))) return claim;
    return { ...claim, notes: [...claim.notes, { kind: "pronoun unresolved", pronoun }] };
  }
  const names = words.map(({ text }) => text);
  const isThere = topic.name.split(" ").every((word) => names.includes(word));
  if (isThere || hasSecondAntecedent(words, at)) return claim;
  const { text, notes } = claim;
  const to = topic.name.replace(/^the /i, at === 0 ? "The " : "the ");
  return {
    ...claim,
    text: text.slice(0, article.start) + to + text.slice(noun.end),
    notes: [...notes, { kind: "pronoun resolved", pronoun, to }],
  };
}

/**
 * Detects a possible second antecedent within the claim. Examples: "Howland Island: the island is
 * flat", "the war in Yemen weakened the country".
 */
const hasSecondAntecedent = (words: Words, at: number) =>
  words.some((word, index) =>
    hasTag(word, "PROPN") && index !== at + 1 &&
    (hasForm(word, words[at + 1]!.normal) || index < at && hasForm(words[index - 1], "in") &&
        isCountry(word.text))
  );

/**
 * Detects "the country" without a modifier; not "the country of Norway", "the country that", "the
 * film “Fargo”".
 */
function isAnaphor(words: Words, at: number): boolean {
  const [article, noun, ...further] = words.slice(at, at + 4);
  // "The body now known as".
  const next = hasForm(further[0], "now") ? further[1] : further[0];
  // "The country borders Sweden": where there is no other verb, that is one.
  const isVerb = hasTag(next, "NOUN") && next!.normal.endsWith("s") &&
    clauseParts(words) === undefined;
  return hasForm(article, "the", "this") && !article!.enclosed && hasForm(noun, ...NOUNS) &&
    (isVerb || !hasTag(next, "NOUN", "PROPN", "NUM", "ADP")) &&
    !/^["“‘']$/.test(next?.text ?? "") &&
    !hasForm(next, "that", "which", "where", "who", "whose", "called", "named", "known");
}

/**
 * Returns the only topic stated to be of the kind. Otherwise it returns the only country that has a
 * sentence about it.
 */
function antecedent(topics: readonly Topic[], { text, normal }: TaggedWord): Topic | undefined {
  const [wanted] = kindsOf(normal);
  // "The Institute" is what is called so.
  const ofKind = topics.filter(({ kinds, name }) =>
    kinds.includes(wanted!) && (text === normal || name.includes(text))
  );
  const stated = ofKind.filter(({ isStated }) => isStated);
  const possible = stated.length > 0 ? stated : ofKind;
  const [topic, ...others] = possible.filter(({ sentences }) => sentences > 0);
  const isInPassing = topic?.sentences === 1 && possible.length > 1;
  return others.length > 0 || isInPassing ? undefined : topic;
}

/** Maximum number of topics remembered; the first ones are forgotten. */
const MAX_TOPICS = 20;

/** Lemmas of verbs that describe a country's location. Their objects do not become topics. */
const LOCATION_VERBS = ["be", "have", "lie", "border", "share", "cover", "adjoin"];

/**
 * Updates the topics after a claim. It adds the named, non-human subject, and countries mentioned
 * with it.
 */
function withTopics(topics: readonly Topic[], words: Words, sentence: number): readonly Topic[] {
  const parts = clauseParts(words);
  const name = parts && !isAboutPerson(words) ? subjectName(subjectOf(words, parts)) : undefined;
  const isDescribed = name && LOCATION_VERBS.includes(words[parts!.verb]!.lemma);
  const mentioned = isDescribed ? [] : plainName(wordsText(words)).match(COUNTRY) ?? [];
  const named = mentioned.filter((country) =>
    !topics.some((topic) => isSameCountry(topic.name, country))
  )
    .map((name): Topic => ({ ...MENTIONED, name, kinds: countryKinds(name) }));
  const all = [...topics, ...named];
  if (name === undefined) return all.slice(-MAX_TOPICS);
  const { text } = name;
  const kinds = statedKinds(words, parts!, name);
  const known = all.find((topic) => isSameCountry(topic.name, text)) ??
    { ...MENTIONED, name: text, kinds: countryKinds(text) };
  const topic: Topic = {
    name: known.name.length >= text.length ? known.name : text,
    kinds: [...known.kinds, ...kinds],
    isStated: kinds.length > 0 || known.isStated,
    sentences: known.sentences + (known.last === sentence ? 0 : 1),
    last: sentence,
  };
  return [...all.filter((one) => one !== known), topic].slice(-MAX_TOPICS);
}

/** Values of a topic that has only been mentioned next to another. */
const MENTIONED = { isStated: false, sentences: 0, last: -1 };

/** Compares names of countries: "Guinea" is no short form of "Equatorial Guinea". */
const isSameCountry = (one: string, other: string) =>
  isCountry(one) || isCountry(other) ? plainName(one) === plainName(other) : isFormOf(one, other);

function countryKinds(name: string): readonly number[] {
  if (!isCountry(name)) return [];
  return [
    ...COUNTRY_KINDS,
    ...ISLANDS.has(plainName(name)) ? ISLAND : [],
    ...kindsOf(...name.split(" ")),
  ];
}

/** Indices in `KINDS` for a name, by its words ("Lake Volta") or its clause. */
function statedKinds(words: Words, parts: ClauseParts, { text, isWhole }: SubjectName) {
  // The "University of Oslo", not the "Administration of Navassa Island".
  const inName = text.replace(/ of .*/, "").split(/\s+/);
  const stated = text.includes(" ") && !isCountry(text) ? kindsOf(...inName) : [];
  if (stated.length > 0) return stated;
  if (COMPANY.test(text)) return kindsOf("company");
  if (!isWhole) return [];
  if (words[parts.verb]!.lemma === "be" && hasForm(words[parts.main], ...FOUNDED)) {
    return FOUNDED_KINDS;
  }
  const predicated = isCopular(words, parts)
    ? predicateNoun(words.slice(parts.main + 1))
    : undefined;
  return kindsOf(predicated?.normal ?? "");
}

/** A name found in a subject; `isWhole` where the subject consists of the name alone. */
type SubjectName = Readonly<{ text: string; isWhole: boolean }>;

/**
 * Extracts the name from a subject. It returns "Oslo" or "the Republic of Panama"; for "Tonga's
 * capital" and "the capital of Norway" it returns the owner's name.
 */
function subjectName(whole: Words): SubjectName | undefined {
  // "Siemens AG today reported".
  const subject = hasForm(whole.at(-1), "today", "yesterday") ? whole.slice(0, -1) : whole;
  const isNamed = (words: Words) =>
    isName(words) &&
    words.every((word) => hasTag(word, "PROPN") || hasForm(word, "the", "of", "-", "'"));
  if (subject.some((word) => hasForm(word, "and", "or"))) return undefined;
  const owner = subject.findIndex(({ text }) => /^['’]s$/.test(text));
  const ofIndex = subject.findIndex((word, index) =>
    hasForm(word, "of") && !hasTag(subject[index - 1], "PROPN")
  );
  const isWhole = owner < 0 && ofIndex < 0;
  const name = owner >= 0 ? subject.slice(0, owner) : subject.slice(ofIndex + 1);
  return isNamed(name) ? { text: wordsText(name), isWhole } : undefined;
}

/** Head noun of a nominal predicate: "country" in "is a small island country in …". */
function predicateNoun(predicate: Words): TaggedWord | undefined {
  const end = predicate.findIndex((word) => hasTag(word, "ADP", "VERB") || word.text === ",");
  return predicate.slice(0, end < 0 ? undefined : end).findLast((word) => hasTag(word, "NOUN"));
}
