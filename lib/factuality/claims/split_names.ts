import { type Clause, isComma, partsOf, subjectOf } from "./clause.ts";
import { type SplittingRule, withSubject, withWords } from "./rule.ts";
import { isNegation } from "./verb_forms.ts";
import { supplied, type Word } from "./word.ts";

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
