import {
  type Clause,
  isComma,
  isCopular,
  partsOf,
  type SplittingRule,
  subjectOf,
  withSubject,
  withWords,
} from "./clauses.ts";
import { isNegation, supplied, suppliedWord, type Word } from "./english.ts";

/** What a list may stand behind and hold for each of its members. */
const INTRODUCERS =
  /^(?:include|includes|included|including|such as|(?:appear|star|perform|act)(?:s|ed|red) in|(?:work|collaborat|perform)(?:s|ed) with|play(?:s|ed) for)$/;

/** A member of a list: the words from `start` to `end`. */
interface Member {
  readonly start: number;
  readonly end: number;
}

/** "Her films include A, B, and C." → one statement a name, capitalised or in quotation marks. */
export const splitNames: SplittingRule = (clause) => {
  const { words } = clause;
  const parts = partsOf(words);
  if (!parts || words.slice(0, parts.main + 2).some(isNegation)) return undefined;
  const start = introduced(words, parts.main).find((index) => membersFrom(words, index));
  const members = start === undefined ? undefined : membersFrom(words, start);
  if (start === undefined || !members) return undefined;
  const article = words[start]!.normal === "the" ? [words[start]!] : [];
  const lead = supplied([...words.slice(parts.predicateStart, start), ...article]);
  return members.map((member, index): Clause => {
    const isLast = index === members.length - 1;
    const name = withoutQuotedComma(words.slice(member.start, isLast ? words.length : member.end));
    if (index === 0) return withWords(clause, [...words.slice(0, start), ...name]);
    // "the UFC, Strikeforce": an article is shared by names of more than one word only.
    const isArticled = name[0]!.normal === "the" || member.end === member.start + 1;
    const before = isArticled && article.length > 0 ? lead.slice(0, -1) : lead;
    return withSubject(clause, subjectOf(words, parts), [...before, ...name]);
  });
};

/** Where lists could begin: behind the verb itself, "such as" or "including". */
function introduced(words: readonly Word[], main: number): readonly number[] {
  const found: number[] = [];
  for (let index = main; index < words.length; index++) {
    const one = words[index]!.normal;
    if (words[index]!.enclosed || ["who", "which", "that"].includes(one)) break;
    if (isComma(words[index]!) && /(?<!^includ)ing$/.test(words[index + 1]?.normal ?? "")) break;
    if (INTRODUCERS.test(`${one} ${words[index + 1]?.normal}`)) found.push(index + 2);
    else if (INTRODUCERS.test(one)) found.push(index + 1);
  }
  return found;
}

/** The members of a list that ends the clause or goes on with a preposition. */
function membersFrom(words: readonly Word[], start: number): readonly Member[] | undefined {
  const members: Member[] = [];
  let index = start;
  let isClosed = false;
  let hasComma = false;
  while (index < words.length) {
    const end = nameEnd(words, index);
    if (end === index) return undefined;
    members.push({ start: index, end });
    const joint = jointAt(words, end);
    if (joint.length === 0 && !isQuoted(words[end])) {
      index = end;
      break;
    }
    if (isClosed) return undefined;
    isClosed = joint.some(({ normal }) => normal === "and");
    hasComma ||= joint.some(isComma) || isQuoted(words[index]);
    index = end + joint.length;
  }
  const isEnd = index === words.length || words[index]!.partOfSpeech === "ADP";
  return isEnd && isClosed && hasComma && members.length > 1 ? members : undefined;
}

/** Behind a quotation, or behind a run of capitalised words. */
function nameEnd(words: readonly Word[], start: number): number {
  if (isQuoted(words[start])) {
    const close = words.findIndex(({ text }, index) => index > start && /^["”]$/.test(text));
    return close < 0 ? start : bracketEnd(words, close + 1);
  }
  let end = words[start]?.normal === "the" ? start + 1 : start;
  while (isPartOfName(words, end, end > start)) end++;
  const isNamed = words.slice(start, end).some(({ text }) => /^\p{Lu}/u.test(text));
  return isNamed ? bracketEnd(words, end) : start;
}

function isPartOfName(words: readonly Word[], index: number, isInside: boolean): boolean {
  const word = words[index];
  if (!word || word.enclosed) return false;
  if (/^\p{Lu}/u.test(word.text)) return true;
  if (!isInside) return false;
  return /^(?:of|the|in|on|a|to|for|de|-|'s|’s|&|:)$/.test(word.normal) &&
    isPartOfName(words, index + 1, true);
}

/** Behind "(1929)". */
function bracketEnd(words: readonly Word[], start: number): number {
  if (words[start]?.text !== "(") return start;
  const close = words.findIndex(({ text }, index) => index > start && text === ")");
  return close < 0 ? start : close + 1;
}

function jointAt(words: readonly Word[], start: number): readonly Word[] {
  const joint: Word[] = [];
  for (let index = start; index < words.length; index++) {
    const word = words[index]!;
    if (word.enclosed || !isComma(word) && word.normal !== "and") break;
    joint.push(word);
  }
  return joint;
}

function isQuoted(word: Word | undefined): boolean {
  return word !== undefined && word.enclosed && /^["“]$/.test(word.text);
}

/** American usage puts the list's comma within the quotation marks. */
function withoutQuotedComma(name: readonly Word[]): readonly Word[] {
  return name.filter(({ text }, index) =>
    text !== "," || !/^["”]$/.test(name[index + 1]?.text ?? "")
  );
}

/** What people are by the look of the word, and what only looks like it. */
const PERSON = /(?:er|or|ist|ian|ess|man|woman|person)$/;

const NOT_A_PERSON = new Set(
  ("power water paper computer summer winter number order theater theatre leather soccer cancer " +
    "weather river silver chapter letter color colour labor labour harbor motor sensor minor major " +
    "senior junior former other computer business fitness wilderness horror outdoor indoor center " +
    "corner tower matter error interior exterior newspaper poker river master folklore folk career")
    .split(" "),
);

const PERSONS = new Set(
  ("athlete politician author poet coach model rapper pilot chef scholar critic diplomat judge " +
    "priest activist advocate philanthropist musician artist dj comedian entrepreneur magistrate " +
    "soldier nurse architect president bishop monk nun spy host footballer quarterback " +
    "environmentalist academic entertainer celebrity playwright professor revolutionary personality figure " +
    "star expert socialite veteran icon deputy knight marine captain lieutenant general").split(
      " ",
    ),
);

/** First words of nationalities of two words: "South Korean", "New Zealand". */
const COMPASS = /^(?:North|South|East|West|Northern|Southern|New|Puerto|Costa|Sri|Saudi|Hong)$/;

/** "She is a poet, singer and actress." → one statement an occupation. */
export const splitOccupations: SplittingRule = (clause) => {
  const { words } = clause;
  const parts = partsOf(words);
  if (!parts || !isCopular(words, parts)) return undefined;
  const article = words.findIndex(({ normal }, index) =>
    index > parts.main && ["a", "an"].includes(normal)
  );
  if (article < 0 || article > parts.main + 2) return undefined;
  if (words.slice(parts.verb, article).some(isNegation)) return undefined;
  const joint = jointIn(words, article);
  if (joint === undefined || !isPerson(words[joint - 1]!)) return undefined;
  const rest = words.slice(nextWord(words, joint));
  if (!isPersons(rest) || !isComma(words[joint]!) && isOf(rest)) return undefined;
  const second = [
    ...supplied(words.slice(parts.predicateStart, article)),
    ...articled(words, article, rest),
  ];
  return [
    withWords(clause, words.slice(0, joint)),
    withSubject(clause, subjectOf(words, parts), second),
  ];
};

/** The first comma or "and" behind the article with nothing but adjectives and nouns before it. */
function jointIn(words: readonly Word[], article: number): number | undefined {
  for (let index = article + 1; index < words.length; index++) {
    const word = words[index]!;
    if (word.enclosed) return undefined;
    if (isComma(word) || word.normal === "and") return index;
    if (!isModifier(word)) return undefined;
  }
  return undefined;
}

function nextWord(words: readonly Word[], joint: number): number {
  return words[joint]!.text === "," && words[joint + 1]?.normal === "and" ? joint + 2 : joint + 1;
}

/** Every member of the list is a person: "singer, dancer and English actress from Oslo". */
function isPersons(rest: readonly Word[]): boolean {
  const end = personEnd(rest);
  if (end === undefined) return false;
  const isJoint = rest[end] && (isComma(rest[end]!) || rest[end]!.normal === "and");
  if (!isJoint) return true;
  const next = rest[nextWord(rest, end)];
  const isList = next && isModifier(next) && (isComma(rest[end]!) || !isOf(rest));
  return isList ? isPersons(rest.slice(nextWord(rest, end))) : isComma(rest[end]!);
}

/** "founder of the band": what follows may belong to the one before as well. */
function isOf(rest: readonly Word[]): boolean {
  return rest[personEnd(rest) ?? 0]?.normal === "of";
}

/** Behind the person in "English singer from Oslo"; undefined where it is no such phrase. */
function personEnd(words: readonly Word[]): number | undefined {
  let index = words[0] && ["a", "an"].includes(words[0].normal) ? 1 : 0;
  while (words[index] && isModifier(words[index]!) && !words[index]!.enclosed) index++;
  return index > 0 && isPerson(words[index - 1]!) ? index : undefined;
}

function isModifier({ partOfSpeech, text }: Word): boolean {
  return ["ADJ", "NOUN", "PROPN", "ADV"].includes(partOfSpeech) || text === "-";
}

/** What people are called by what they do: "painter", "politician". */
export function isPerson({ normal, partOfSpeech }: Word): boolean {
  return partOfSpeech === "NOUN" && !NOT_A_PERSON.has(normal) &&
    (PERSONS.has(normal) || PERSON.test(normal));
}

/** The next occupation with its article; a nationality is shared by all, other adjectives are not. */
function articled(words: readonly Word[], article: number, rest: readonly Word[]): readonly Word[] {
  if (["a", "an"].includes(rest[0]!.normal)) return rest;
  const nationality = nationalityBehind(words, article);
  const first = nationality[0] ?? rest[0]!;
  const a = suppliedWord(/^[aeiou]/i.test(first.text) ? "an" : "a", "DET", "a");
  const [head, ...tail] = rest;
  return [a, ...supplied(nationality), { ...head!, spaced: true }, ...tail];
}

function nationalityBehind(words: readonly Word[], article: number): readonly Word[] {
  const first = article + 1;
  const isCapital = (index: number) => /^\p{Lu}\p{Ll}/u.test(words[index]?.text ?? "");
  if (!isCapital(first) || isPerson(words[first]!)) return [];
  const isHyphened = words[first + 1]?.text === "-" && isCapital(first + 2);
  const isDouble = COMPASS.test(words[first]!.text) && isCapital(first + 1);
  return words.slice(first, first + (isHyphened ? 3 : isDouble ? 2 : 1));
}
