/** "The country", "the company's": what a text calls its subject once it has been named. */
import type { Claim } from "../types.ts";
import { isCopular, isName, partsOf, subjectOf, wordsText } from "./clauses.ts";
import { is, says, type Word, type Words, wordsOf } from "./english.ts";
import { isFormOf, saysPerson } from "./rule_splitter.ts";

/** Nouns by which one and the same thing is called, a kind a line. */
const KINDS = [
  "country nation kingdom republic state territory island archipelago",
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

const kindOf = (noun: string): number | undefined => {
  const kind = KINDS.findIndex((nouns) => nouns.includes(noun.toLowerCase()));
  return kind < 0 ? undefined : kind;
};

/** "The capital" is a part of a country, "the state" as often its government: they say what a thing is. */
const NO_ANAPHORS = ["capital", "state"];
const ANAPHOR = new RegExp(
  `\\b(?:the|this) (?:${KINDS.flat().filter((noun) => !NO_ANAPHORS.includes(noun)).join("|")})\\b`,
  "i",
);

/** What a text has spoken of by name so far. */
interface Topic {
  /** In its fullest form. */
  readonly name: string;
  /** Place in {@link KINDS} of what it is said to be; undefined while the text has not said. */
  readonly kind: number | undefined;
  /** Said to lie in another named place, which "the country" could mean as well. */
  readonly isInside: boolean;
}

/**
 * Claims whose "the country", "the company" and the like are read as the one thing that the text has
 * named before and that can be meant: their text names it, a note says so. Where nobody can tell which
 * of several it is, a claim about it is marked as unresolved, so that it is not looked up.
 */
export function resolveAnaphors(claims: readonly Claim[]): readonly Claim[] {
  if (!claims.some(({ text }) => ANAPHOR.test(text))) return claims;
  let topics: readonly Topic[] = [];
  return claims.map((claim) => {
    const found = resolved(claim, topics);
    topics = withTopic(topics, wordsOf(found.text, 0));
    return found;
  });
}

function resolved(claim: Claim, topics: readonly Topic[]): Claim {
  if (!ANAPHOR.test(claim.text)) return claim;
  const words = wordsOf(claim.text, 0);
  const at = words.findIndex((_, index) => isAnaphor(words, index));
  if (at < 0) return claim;
  const [article, noun] = [words[at]!, words[at + 1]!];
  const pronoun = `the ${noun.text}`;
  const topic = antecedent(topics, kindOf(noun.normal)!);
  if (topic === undefined) {
    // "Oslo is the largest city of the country" names what it is about.
    const isAbout = at <= (partsOf(words)?.subjectStart ?? 0);
    if (!isAbout && words.some((word) => is(word, "PROPN"))) return claim;
    return { ...claim, notes: [...claim.notes, { kind: "pronoun unresolved", pronoun }] };
  }
  const names = words.map(({ text }) => text);
  if (topic.name.split(" ").every((word) => names.includes(word))) return claim;
  const { text, notes } = claim;
  const to = topic.name.replace(/^the /i, at === 0 ? "The " : "the ");
  return {
    ...claim,
    text: text.slice(0, article.start) + to + text.slice(noun.end),
    notes: [...notes, { kind: "pronoun resolved", pronoun, to }],
  };
}

/** "The country" by itself; not "the country of Norway", "the country that", "the city council". */
function isAnaphor(words: Words, at: number): boolean {
  const [article, noun, next] = words.slice(at, at + 3);
  // "The country borders Sweden": where there is no other verb, that is one.
  const isVerb = is(next, "NOUN") && next!.normal.endsWith("s") && partsOf(words) === undefined;
  return says(article, "the", "this") && noun !== undefined && !NO_ANAPHORS.includes(noun.normal) &&
    kindOf(noun.normal) !== undefined && (isVerb || !is(next, "NOUN", "PROPN", "NUM", "ADP")) &&
    !says(next, "that", "which", "where", "who", "whose", "called", "named", "known");
}

/** The one topic said to be of the kind; else the one of which the text has not said what it is. */
function antecedent(topics: readonly Topic[], wanted: number): Topic | undefined {
  const ofKind = topics.filter(({ kind }) => kind === wanted);
  const isPlace = wanted === 0;
  const possible = ofKind.length > 0
    ? ofKind
    : topics.filter(({ kind, isInside }) => kind === undefined && !(isPlace && isInside));
  return possible.length === 1 ? possible[0] : undefined;
}

/** A long text's first topics are forgotten. */
const MOST_TOPICS = 20;

/** The topics with what a claim is about, where that has a name and is no person. */
function withTopic(topics: readonly Topic[], words: Words): readonly Topic[] {
  const parts = partsOf(words);
  const name = parts && nameIn(subjectOf(words, parts));
  if (parts === undefined || name === undefined || saysPerson(words)) return topics;
  const { name: said, isWhole } = name;
  const predicate = words.slice(parts.main + 1);
  const known = topics.find((topic) => isFormOf(topic.name, said));
  const predicated = isWhole && isCopular(words, parts) ? nounOf(predicate) : undefined;
  const ofName = said.split(/\s+/).map(kindOf).find((kind) => kind !== undefined);
  const topic: Topic = {
    name: known !== undefined && known.name.length >= said.length ? known.name : said,
    kind: ofName ?? (predicated && kindOf(predicated.normal)) ?? known?.kind,
    isInside: known?.isInside === true || isWhole && liesInside(words, parts.verb),
  };
  return [...topics.filter((one) => one !== known), topic].slice(-MOST_TOPICS);
}

/** "Oslo", "the Republic of Panama"; of "Tonga's capital", "the capital of Norway" the owner's name. */
function nameIn(subject: Words): { readonly name: string; readonly isWhole: boolean } | undefined {
  const isNamed = (words: Words) =>
    isName(words) && words.every((word) => is(word, "PROPN") || says(word, "the", "of", "-", "'"));
  if (subject.some((word) => says(word, "and", "or"))) return undefined;
  const owner = subject.findIndex(({ text }) => /^['’]s$/.test(text));
  const of = subject.findIndex((word, index) =>
    says(word, "of") && !is(subject[index - 1], "PROPN")
  );
  const isWhole = owner < 0 && of < 0;
  const name = owner >= 0 ? subject.slice(0, owner) : subject.slice(of + 1);
  return isNamed(name) ? { name: wordsText(name), isWhole } : undefined;
}

/** The noun of "is a small island country in …". */
function nounOf(predicate: Words): Word | undefined {
  const end = predicate.findIndex((word) => is(word, "ADP", "VERB") || word.text === ",");
  return predicate.slice(0, end < 0 ? undefined : end).findLast((word) => is(word, "NOUN"));
}

/** "Oslo is in Norway", "lies in the south of Norway": not "Norway is a country in Europe". */
const liesInside = (words: Words, verb: number) =>
  says(words.slice(verb + 1).find((word) => !is(word, "VERB", "ADV")), "in", "within") &&
  words.slice(verb + 1).some((word) => is(word, "PROPN"));
