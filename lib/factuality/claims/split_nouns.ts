/** Splitting rules for nominals: appositions, participles, and lists of names and occupations. */
import { type Clause, copula, isComma, isCopular, isName, splitClauseAt } from "./clauses.ts";
import { clauseParts, type SplittingRule, subjectOf, withSubject, withWords } from "./clauses.ts";
import {
  afterAdverbs,
  hasForm,
  hasTag,
  isFinite,
  isNegation,
  isPast,
  isPossessive,
} from "./english.ts";
import { asSupplied, suppliedWord, type TaggedWord, type Words } from "./english.ts";

/**
 * Splits appositions. "Oslo, the capital of Norway, is old." → "Oslo is the capital of Norway."
 * "Oslo is old." Also after a final name: "She is the sister of Ada, a painter." → "Ada is a
 * painter."
 */
export const splitAppositions: SplittingRule = (clause) =>
  splitSubjectApposition(clause) ?? splitObjectApposition(clause);

function splitSubjectApposition(clause: Clause): readonly Clause[] | undefined {
  const { words } = clause;
  const first = words.findIndex(isComma);
  const verbFirst = words.findIndex((_, index) => isFinite(words, index));
  if (first < 1 || verbFirst >= 0 && verbFirst < first) return undefined;
  const second = words.findIndex((word, index) =>
    index > first && isComma(word) && isFinite(words, afterAdverbs(words, index + 1))
  );
  if (second < 0) return undefined;
  const name = words.slice(0, first);
  const phrase = words.slice(first + 1, second);
  if (!isName(name) || !isDescription(phrase, false)) return undefined;
  const main = [...name, ...words.slice(second + 1)];
  return clauseParts(main) &&
    [descriptionClause(clause, name, phrase, main), withWords(clause, main)];
}

function splitObjectApposition(clause: Clause): readonly Clause[] | undefined {
  const { words } = clause;
  const comma = words.findLastIndex((word, index) =>
    isComma(word) && hasForm(words[index + 1], "a", "an", "the")
  );
  if (comma < 1) return undefined;
  const phrase = words.slice(comma + 1);
  const main = words.slice(0, comma);
  let start = main.findLastIndex((word) => !hasTag(word, "PROPN")) + 1;
  if (words[start - 1]?.text === "The") start--;
  const name = words.slice(start, comma);
  const before = words[start - 1];
  const isListed = !before || isComma(before) || hasTag(before, "CCONJ") ||
    main.some((word, index) => isComma(word) && !hasTag(words[index + 1], "NUM"));
  const parts = clauseParts(main);
  if (isListed || !isName(name) || !isDescription(phrase, true) || !parts) return undefined;
  // "in Paris, a city": the subject stays the subject of what comes.
  if (start < parts.main) return undefined;
  return [withWords(clause, main), descriptionClause(clause, name, phrase, main, true)];
}

/** Makes the clause that states a name's description, without a parenthesis after the name. */
function descriptionClause(
  clause: Clause,
  name: Words,
  phrase: Words,
  main: Words,
  aside = clause.aside,
) {
  const open = name.findIndex(({ text }) => text === "(");
  const bare = open > 0 ? name.slice(0, open) : name;
  return withSubject(clause, bare, [copula(tenseOf(main), false), ...phrase], aside);
}

/** Tense of the main verb. */
function tenseOf(words: Words): "past" | "present" {
  const parts = clauseParts(words);
  const verb = parts && words[parts.verb]!;
  return verb && (isPast(verb) || hasForm(verb, "was", "were", "had", "did")) ? "past" : "present";
}

/**
 * Detects a descriptive noun phrase with a common noun as head: "a painter", "the capital of
 * Norway".
 */
function isDescription(phrase: Words, onlyIndefinite: boolean): boolean {
  const [first] = phrase;
  const starts = hasForm(first, "a", "an") ||
    !onlyIndefinite && first !== undefined && (hasForm(first, "the") || isPossessive(first.normal));
  if (!starts || phrase.some((word) => isComma(word) || hasForm(word, "or"))) return false;
  const head = phrase.findIndex((word, index) =>
    index > 0 && hasTag(word, "ADP", "PRON", "PUNCT", "VERB", "CCONJ", "AUX")
  );
  const noun = phrase[(head < 0 ? phrase.length : head) - 1]!;
  return hasTag(noun, "NOUN") && !/s$/.test(noun.normal.replace(/ss$/, "")) &&
    !TIMES.has(noun.normal);
}

/** Nouns of time: "…, a week after the pact" is an adverbial and no apposition. */
const TIMES = new Set("moment minute hour day night week month year decade century".split(" "));

/** Participles of completed events. The tense of other participles follows the main verb. */
const HAPPENED = /^(?:born|founded|established|raised|educated|built|formed)$/;
const LASTING = /^(?:known|located|situated|based)$/;
const ADVERBS = /^(?:best|better|also|mainly|primarily|widely|commonly|mostly)$/;

/**
 * Splits participial phrases. "Born in Oslo, she sang." → "She was born in Oslo." "She sang." Also
 * after subject and predicate.
 */
export const splitParticiples: SplittingRule = (clause, parts) =>
  leadingParticiple(clause, parts) ?? participleAfterSubject(clause) ??
    participleAfterPredicate(clause, parts);

const leadingParticiple: SplittingRule = (clause, parts) => {
  const { words } = clause;
  if (!parts || parts.subjectStart < 2 || !beginsAt(words, 0)) return undefined;
  const phrase = words.slice(0, parts.subjectStart - 1);
  if (phrase.some((_, index) => index > 0 && isFinite(phrase, index))) return undefined;
  const main = words.slice(parts.subjectStart);
  const first = { ...phrase[0]!, text: phrase[0]!.text.toLowerCase(), spaced: true };
  const lowered = [first, ...phrase.slice(1)];
  return [
    participleClause(clause, subjectOf(words, parts), lowered, main),
    withWords(clause, main),
  ];
};

function participleAfterSubject(clause: Clause): readonly Clause[] | undefined {
  const { words } = clause;
  const first = words.findIndex(isComma);
  if (first < 1 || !beginsAt(words, first + 1)) return undefined;
  const second = words.findIndex((word, index) =>
    index > first && isComma(word) && isFinite(words, index + 1)
  );
  const name = words.slice(0, first);
  if (second < 0 || name.some((_, index) => isFinite(words, index))) return undefined;
  const main = [...name, ...words.slice(second + 1)];
  const parts = clauseParts(main);
  if (parts?.subjectStart !== 0 || parts.subjectEnd !== first) return undefined;
  const phrase = words.slice(first + 1, second);
  return [participleClause(clause, subjectOf(main, parts), phrase, main), withWords(clause, main)];
}

const participleAfterPredicate: SplittingRule = (clause, parts) => {
  const { words } = clause;
  if (!parts || !isCopular(words, parts)) return undefined;
  const isIndefinite = words.slice(parts.main + 1, parts.main + 3)
    .some((word) => hasForm(word, "a", "an"));
  const start = words.findIndex((_, index) =>
    index > parts.main + 1 && beginsAt(words, index) &&
    (isComma(words[index - 1]!) || isIndefinite && hasTag(words[index - 1], "NOUN", "PROPN"))
  );
  if (start < 0) return undefined;
  const isOfSubject = words.slice(parts.main + 1, start).every((word) =>
    !hasForm(word, "of", "to", "who", "which", "that") && !hasTag(word, "VERB") && !isNegation(word)
  );
  if (!isOfSubject) return undefined;
  const main = words.slice(0, start);
  const subject = subjectOf(words, parts);
  return [withWords(clause, main), participleClause(clause, subject, words.slice(start), main)];
};

function participleClause(clause: Clause, subject: Words, phrase: Words, main: Words) {
  const participle = phrase.find(({ normal }) => !ADVERBS.test(normal))!;
  const tense = HAPPENED.test(participle.normal) ? "past" : tenseOf(main);
  const isPlural = hasForm(subject[0], "they", "we", "these", "those");
  return withSubject(clause, subject, [copula(tense, isPlural), ...phrase]);
}

/** Tests that a participle, perhaps after adverbs, can safely become a statement. */
function beginsAt(words: Words, start: number): boolean {
  let index = start;
  while (ADVERBS.test(words[index]?.normal ?? "")) index++;
  const participle = words[index]?.normal ?? "";
  const next = words[index + 1];
  const behind = hasTag(next, "ADV") ? words[index + 2] : next;
  return hasTag(behind, "ADP") && (LASTING.test(participle) || HAPPENED.test(participle)) ||
    participle === "born" && hasTag(next, "PROPN");
}

/** Words that introduce a list whose members share the predicate. */
const INTRODUCERS =
  /^(?:include|includes|included|including|such as|(?:appear|star|perform|act)(?:s|ed|red) in|(?:work|collaborat|perform)(?:s|ed) with|play(?:s|ed) for)$/;

/**
 * Splits lists of names. "Her films include A, B, and C." → one statement for each name,
 * capitalised or in quotation marks.
 */
export const splitNames: SplittingRule = (clause, parts) => {
  const { words } = clause;
  if (!parts || words.slice(0, parts.main + 2).some(isNegation)) return undefined;
  const start = listStarts(words, parts.main).find((index) => memberRanges(words, index));
  const members = start === undefined ? undefined : memberRanges(words, start);
  if (start === undefined || !members) return undefined;
  const article = hasForm(words[start], "the") ? [words[start]!] : [];
  const lead = asSupplied([...words.slice(parts.predicateStart, start), ...article]);
  return members.map((member, index): Clause => {
    const isLast = index === members.length - 1;
    // American usage puts the list's comma within the quotation marks.
    const name = words.slice(member.start, isLast ? words.length : member.end)
      .filter(({ text }, at, all) => text !== "," || !/^["”]$/.test(all[at + 1]?.text ?? ""));
    if (index === 0) return withWords(clause, [...words.slice(0, start), ...name]);
    // "the UFC, Strikeforce": an article is shared by names of more than one word only.
    const isArticled = hasForm(name[0], "the") || member.end === member.start + 1;
    const before = isArticled && article.length > 0 ? lead.slice(0, -1) : lead;
    return withSubject(clause, subjectOf(words, parts), [...before, ...name]);
  });
};

/** Indices where lists may begin: after the verb, "such as" or "including". */
function listStarts(words: Words, main: number): readonly number[] {
  const starts: number[] = [];
  for (let index = main; index < words.length; index++) {
    const word = words[index]!;
    const next = words[index + 1]?.normal;
    if (word.enclosed || hasForm(word, "who", "which", "that")) break;
    if (isComma(word) && /(?<!^includ)ing$/.test(next ?? "")) break;
    if (INTRODUCERS.test(`${word.normal} ${next}`)) starts.push(index + 2);
    else if (INTRODUCERS.test(word.normal)) starts.push(index + 1);
  }
  return starts;
}

/** Index ranges of a list's members. The list ends the clause or continues with a preposition. */
function memberRanges(words: Words, start: number) {
  const members: { readonly start: number; readonly end: number }[] = [];
  let index = start;
  let [isClosed, hasComma] = [false, false];
  while (index < words.length) {
    const end = nameEnd(words, index);
    if (end === index) return undefined;
    members.push({ start: index, end });
    const behind = words.slice(end);
    const length = behind.findIndex((word) => word.enclosed || !isComma(word) && !isAnd(word));
    const joint = behind.slice(0, length < 0 ? undefined : length);
    if (joint.length === 0 && !isQuoted(words[end])) {
      index = end;
      break;
    }
    if (isClosed) return undefined;
    isClosed = joint.some(isAnd);
    hasComma ||= joint.some(isComma) || isQuoted(words[index]);
    index = end + joint.length;
  }
  const isEnd = index === words.length || hasTag(words[index], "ADP");
  return isEnd && isClosed && hasComma && members.length > 1 ? members : undefined;
}

const isAnd = (word: TaggedWord) => hasForm(word, "and");

/** Index after a name: after a quotation, a run of capitalised words, or "(1929)". */
function nameEnd(words: Words, start: number): number {
  const behind = (mark: RegExp, from: number) =>
    words.findIndex(({ text }, index) => index > from && mark.test(text)) + 1;
  const bracketEnd = (end: number) => words[end]?.text === "(" ? behind(/^\)$/, end) || end : end;
  if (isQuoted(words[start])) {
    const close = behind(/^["”]$/, start);
    return close === 0 ? start : bracketEnd(close);
  }
  let end = hasForm(words[start], "the") ? start + 1 : start;
  while (isPartOfName(words, end, end > start)) end++;
  const isNamed = words.slice(start, end).some(({ text }) => /^\p{Lu}/u.test(text));
  return isNamed ? bracketEnd(end) : start;
}

function isPartOfName(words: Words, index: number, isInside: boolean): boolean {
  const word = words[index];
  if (!word || word.enclosed) return false;
  if (/^\p{Lu}/u.test(word.text)) return true;
  return isInside && /^(?:of|the|in|on|a|to|for|de|-|'s|’s|&|:)$/.test(word.normal) &&
    isPartOfName(words, index + 1, true);
}

const isQuoted = (word: TaggedWord | undefined) =>
  word !== undefined && word.enclosed && /^["“]$/.test(word.text);

/** Suffixes of nouns for people, with exceptions. */
const PERSON = /(?:er|or|ist|ian|ess|man|woman|person)$/;

const NOT_A_PERSON = new Set(
  ("power water paper computer summer winter number order theater theatre leather soccer cancer " +
    "weather river silver chapter letter color colour labor labour harbor motor sensor minor major " +
    "senior junior former other computer business fitness wilderness horror outdoor indoor center " +
    "corner tower matter error interior exterior newspaper poker river master folklore folk career")
    .split(" "),
);

const PERSONS = new Set(
  ("athlete politician servant author poet coach model rapper pilot chef scholar critic diplomat judge " +
    "priest activist advocate philanthropist musician artist dj comedian entrepreneur magistrate " +
    "soldier nurse architect president bishop monk nun spy host footballer quarterback " +
    "environmentalist academic entertainer celebrity playwright professor revolutionary personality " +
    "figure star expert socialite veteran icon deputy knight marine captain lieutenant general")
    .split(" "),
);

/** Detects a noun of occupation: "painter", "politician". */
export function isPerson(word: TaggedWord): boolean {
  const { normal } = word;
  return hasTag(word, "NOUN") && !NOT_A_PERSON.has(normal) &&
    (PERSONS.has(normal) || PERSON.test(normal));
}

/**
 * Splits lists of occupations. "She is a poet, singer and actress." → one statement for each
 * occupation.
 */
export const splitOccupations: SplittingRule = (clause, parts) => {
  const { words } = clause;
  if (!parts || !isCopular(words, parts)) return undefined;
  const article = words.findIndex((word, index) => index > parts.main && hasForm(word, "a", "an"));
  if (article < 0 || article > parts.main + 2) return undefined;
  if (words.slice(parts.verb, article).some(isNegation)) return undefined;
  // The first comma or "and" behind the article with nothing but adjectives and nouns before it.
  const joint = words.findIndex((word, index) => index > article && (isJoint(word) || !fits(word)));
  if (joint < 0 || words[joint]!.enclosed || !isJoint(words[joint]!)) return undefined;
  if (!isPerson(words[joint - 1]!)) return undefined;
  const laterMembers = words.slice(afterConjunction(words, joint));
  if (!isPersons(laterMembers) || !isComma(words[joint]!) && isOf(laterMembers)) return undefined;
  const lead = asSupplied(words.slice(parts.predicateStart, article));
  return splitClauseAt(clause, parts, joint, [
    ...lead,
    ...withArticle(words, article, laterMembers),
  ]);
};

const isJoint = (word: TaggedWord) => isComma(word) || isAnd(word);
const isModifier = (word: TaggedWord) =>
  hasTag(word, "ADJ", "NOUN", "PROPN", "ADV") || word.text === "-";
const fits = (word: TaggedWord) => !word.enclosed && isModifier(word);

const afterConjunction = (words: Words, joint: number): number =>
  words[joint]!.text === "," && hasForm(words[joint + 1], "and") ? joint + 2 : joint + 1;

/**
 * Tests that every member of a list denotes a person: "singer, dancer and English actress from
 * Oslo".
 */
function isPersons(laterMembers: Words): boolean {
  const end = personEnd(laterMembers);
  if (end === undefined) return false;
  const joint = laterMembers[end];
  if (!joint || !isJoint(joint)) return true;
  const next = laterMembers[afterConjunction(laterMembers, end)];
  const isList = next && isModifier(next) && (isComma(joint) || !isOf(laterMembers));
  return isList
    ? isPersons(laterMembers.slice(afterConjunction(laterMembers, end)))
    : isComma(joint);
}

/**
 * Detects "of" after a person noun ("founder of the band"), which may modify the earlier members
 * too.
 */
const isOf = (laterMembers: Words) => hasForm(laterMembers[personEnd(laterMembers) ?? 0], "of");

/** Index after the person noun in "English singer from Oslo"; undefined in other phrases. */
function personEnd(words: Words): number | undefined {
  let index = hasForm(words[0], "a", "an") ? 1 : 0;
  while (words[index] && fits(words[index]!)) index++;
  return index > 0 && isPerson(words[index - 1]!) ? index : undefined;
}

/** First words of two-word nationalities: "South Korean", "New Zealand". */
const COMPASS = /^(?:North|South|East|West|Northern|Southern|New|Puerto|Costa|Sri|Saudi|Hong)$/;

/**
 * Adds the article to the next occupation. A nationality is shared by all members, other adjectives
 * are not.
 */
function withArticle(words: Words, article: number, laterMembers: Words): Words {
  if (hasForm(laterMembers[0], "a", "an")) return laterMembers;
  const nationality = nationalityEnd(words, article);
  const { text } = nationality[0] ?? laterMembers[0]!;
  const a = suppliedWord(/^[aeiou]/i.test(text) ? "an" : "a", "DET", "a");
  const [head, ...tail] = laterMembers;
  return [a, ...asSupplied(nationality), { ...head!, spaced: true }, ...tail];
}

function nationalityEnd(words: Words, article: number): Words {
  const first = article + 1;
  const isCapital = (index: number) => /^\p{Lu}\p{Ll}/u.test(words[index]?.text ?? "");
  if (!isCapital(first) || isPerson(words[first]!)) return [];
  const isHyphened = words[first + 1]?.text === "-" && isCapital(first + 2);
  const isDouble = COMPASS.test(words[first]!.text) && isCapital(first + 1);
  return words.slice(first, first + (isHyphened ? 3 : isDouble ? 2 : 1));
}
