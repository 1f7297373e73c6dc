import { type Clause, isComma, partsOf } from "./clause.ts";
import { isName } from "./noun_phrase.ts";
import { copula, type SplittingRule, withSubject, withWords } from "./rule.ts";
import { behindAdverbs, isFinite, isPast } from "./verb_forms.ts";
import { isPossessive, type Word } from "./word.ts";

/**
 * "Oslo, the capital of Norway, is old." → "Oslo is the capital of Norway." "Oslo is old." Also
 * after a name at the end: "She is the sister of Ada, a painter." → "Ada is a painter."
 */
export const splitAppositions: SplittingRule = (clause) => ofSubject(clause) ?? ofObject(clause);

function ofSubject(clause: Clause): readonly Clause[] | undefined {
  const { words } = clause;
  const first = words.findIndex(isComma);
  const verbFirst = words.findIndex((_, index) => isFinite(words, index));
  if (first < 1 || verbFirst >= 0 && verbFirst < first) return undefined;
  const second = words.findIndex((word, index) =>
    index > first && isComma(word) && isFinite(words, behindAdverbs(words, index + 1))
  );
  if (second < 0) return undefined;
  const name = words.slice(0, first);
  const phrase = words.slice(first + 1, second);
  if (!isName(name) || !isDescription(phrase, false)) return undefined;
  const main = [...name, ...words.slice(second + 1)];
  return partsOf(main) && described(clause, name, phrase, main);
}

function ofObject(clause: Clause): readonly Clause[] | undefined {
  const { words } = clause;
  const comma = words.findLastIndex((word, index) => isComma(word) && isArticle(words[index + 1]));
  if (comma < 1) return undefined;
  const phrase = words.slice(comma + 1);
  let start = comma;
  while (start > 0 && words[start - 1]!.partOfSpeech === "PROPN") start--;
  if (words[start - 1]?.text === "The") start--;
  const name = words.slice(start, comma);
  const before = words[start - 1];
  const main = words.slice(0, comma);
  const isListed = !before || isComma(before) || before.partOfSpeech === "CCONJ" ||
    main.some((word, index) => isComma(word) && words[index + 1]?.partOfSpeech !== "NUM");
  if (isListed || name.length === 0 || !isName(name)) return undefined;
  if (!isDescription(phrase, true) || !partsOf(main)) return undefined;
  // "in Paris, a city": the subject stays the subject of what comes.
  const parts = partsOf(main)!;
  if (start < parts.main) return undefined;
  return described(clause, name, phrase, main, true);
}

function described(
  clause: Clause,
  name: readonly Word[],
  phrase: readonly Word[],
  main: readonly Word[],
  aside = clause.aside,
): readonly Clause[] {
  const is = copula(tenseOf(main), false);
  const said = withSubject(clause, withoutBrackets(name), [is, ...phrase], aside);
  return aside === clause.aside ? [said, withWords(clause, main)] : [withWords(clause, main), said];
}

function withoutBrackets(name: readonly Word[]): readonly Word[] {
  const open = name.findIndex(({ text }) => text === "(");
  return open > 0 ? name.slice(0, open) : name;
}

/** The tense of the main verb. */
export function tenseOf(words: readonly Word[]): "past" | "present" {
  const parts = partsOf(words);
  const verb = parts && words[parts.verb]!;
  return verb && (isPast(verb) || ["was", "were", "had", "did"].includes(verb.normal))
    ? "past"
    : "present";
}

/** "a painter", "the capital of Norway": one noun phrase with a common noun as its head. */
function isDescription(phrase: readonly Word[], onlyIndefinite: boolean): boolean {
  const [first] = phrase;
  const starts = isArticle(first) && !(onlyIndefinite && first!.normal === "the") ||
    first !== undefined && isPossessive(first.normal) && !onlyIndefinite;
  if (!starts || phrase.some((word) => isComma(word) || word.normal === "or")) return false;
  const head = phrase.findIndex(({ partOfSpeech }, index) =>
    index > 0 && ["ADP", "PRON", "PUNCT", "VERB", "CCONJ", "AUX"].includes(partOfSpeech)
  );
  const noun = phrase[(head < 0 ? phrase.length : head) - 1]!;
  return noun.partOfSpeech === "NOUN" && !/s$/.test(noun.normal.replace(/ss$/, ""));
}

function isArticle(word: Word | undefined): boolean {
  return word !== undefined && ["a", "an", "the"].includes(word.normal);
}
