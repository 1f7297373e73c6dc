import { type ClauseParts, isComma, isCopular, partsOf, subjectOf } from "./clause.ts";
import { type SplittingRule, withSubject, withWords } from "./rule.ts";
import { isFinite, isNegation, isParticiple } from "./verb_forms.ts";
import { supplied, type Word } from "./word.ts";

/**
 * "She won the cup in 2007 and the medal in 2011." → one statement a date; "He was an advocate of
 * peace and a supporter of reform." → one statement a noun with its article.
 */
export const splitSharedVerb: SplittingRule = (clause) => {
  const { words } = clause;
  const parts = partsOf(words);
  const start = parts && parts.main + 1;
  if (!parts || !start || words.slice(parts.verb, start + 1).some(isNegation)) return undefined;
  if (words.filter(isAnd).length !== 1) return undefined;
  const joint = words.findIndex(isAnd);
  const first = words.slice(start, joint);
  const second = words.slice(joint + 1);
  if (joint <= start || !isPhrase(first) || !isPhrase(second)) return undefined;
  const isSafe = isDated(first) && isDated(second) || isNamed(words, parts, first, second);
  if (!isSafe || isAmount(first) !== isAmount(second)) return undefined;
  const verb = supplied(words.slice(parts.predicateStart, start));
  return [
    withWords(clause, words.slice(0, joint)),
    withSubject(clause, subjectOf(words, parts), [...verb, ...second]),
  ];
};

function isAnd({ normal, enclosed }: Word): boolean {
  return normal === "and" && !enclosed;
}

const ARTICLES = ["the", "a", "an"];

/** "$1,600", "3.5%". */
function isAmount([first]: readonly Word[]): boolean {
  return /^[\d$€£]/.test(first?.text ?? "");
}

/** An article or amount and what goes with it, without a verb. */
function isPhrase(words: readonly Word[]): boolean {
  return (ARTICLES.includes(words[0]?.normal ?? "") || isAmount(words)) &&
    !words.some((word, index) => isFinite(words, index) || isParticiple(word)) &&
    !words.some(({ normal }) => ["between", "both", "who", "which", "that"].includes(normal));
}

/** With a year of its own at its end. */
function isDated(words: readonly Word[]): boolean {
  const bare = words.filter((word) => !isComma(word));
  return /^\d{4}$/.test(bare.at(-1)?.text ?? "") && bare.at(-2)?.normal === "in" &&
    bare.filter(({ text }) => /^\d{4}$/.test(text)).length === 1;
}

/** Behind "is", "was" or "has": the second noun must not hang on a preposition of the first phrase. */
function isNamed(
  words: readonly Word[],
  parts: ClauseParts,
  first: readonly Word[],
  second: readonly Word[],
): boolean {
  const isOwner = parts.main === parts.verb && words[parts.main]!.lemma === "have";
  if (
    !isCopular(words, parts) && !isOwner || isAmount(first) ||
    first.filter((word) => isComma(word)).length > 1
  ) return false;
  const isDefinite = second[0]!.normal === "the";
  const isRepeated = first.slice(1).some(({ normal }) =>
    isDefinite ? normal === "the" : normal === "a" || normal === "an"
  );
  const isParallel = isDefinite && first[1]?.normal === second[1]?.normal;
  return (first[0]!.normal === "the") === isDefinite && (!isRepeated || isParallel);
}
