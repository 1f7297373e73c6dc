import { isComma, partsOf, subjectOf } from "./clause.ts";
import { type SplittingRule, withSubject, withWords } from "./rule.ts";
import { supplied, type Word } from "./word.ts";

/** "She was born on 1 May 1905, in Oslo." → "She was born on 1 May 1905." "She was born in Oslo." */
export const splitBirth: SplittingRule = (clause) => {
  const { words } = clause;
  const parts = partsOf(words);
  if (!parts || !["born", "died"].includes(words[parts.main]!.normal)) return undefined;
  const start = parts.main + 1;
  const second = words.findIndex((word, index) =>
    index > start + 1 && ["on", "in", "at"].includes(word.normal) && !word.enclosed
  );
  if (second < 0) return undefined;
  const first = phraseOf(words.slice(start, second));
  const other = phraseOf(words.slice(second));
  if (!first || !other || first === other) return undefined;
  const verb = supplied(words.slice(parts.predicateStart, parts.main + 1));
  return [
    withWords(clause, words.slice(0, second)),
    withSubject(clause, subjectOf(words, parts), [...verb, ...words.slice(second)]),
  ];
};

/** A date, a place or neither. */
function phraseOf(words: readonly Word[]): "date" | "place" | undefined {
  const [preposition, ...rest] = words;
  const bare = rest.filter((word) => !isComma(word));
  const isDate = bare.some(({ normal }) => /^\d{4}$/.test(normal)) ||
    /\d/.test(bare[0]?.text ?? "");
  if (isDate && bare.every(({ partOfSpeech }) => ["NUM", "PROPN", "NOUN"].includes(partOfSpeech))) {
    return "date";
  }
  if (!["in", "at"].includes(preposition?.normal ?? "") || /\d/.test(bare[0]?.text ?? "")) {
    return undefined;
  }
  return bare[0]?.partOfSpeech === "PROPN" ? "place" : undefined;
}
