import { type Clause, isComma, isCopular, partsOf, subjectOf } from "./clause.ts";
import { copula, type SplittingRule, withSubject, withWords } from "./rule.ts";
import { tenseOf } from "./split_appositions.ts";
import { isFinite, isNegation } from "./verb_forms.ts";
import type { Word } from "./word.ts";

/** What is over once it has happened, and what lasts as long as the main verb says. */
const HAPPENED = ["born", "founded", "established", "raised", "educated", "built", "formed"];
const LASTING = ["known", "located", "situated", "based"];
const ADVERBS = ["best", "better", "also", "mainly", "primarily", "widely", "commonly", "mostly"];

/** "Born in Oslo, she sang." → "She was born in Oslo." "She sang." Also behind subject and predicate. */
export const splitParticiples: SplittingRule = (clause) =>
  leading(clause) ?? behindSubject(clause) ?? behindPredicate(clause);

function leading(clause: Clause): readonly Clause[] | undefined {
  const { words } = clause;
  const parts = partsOf(words);
  if (!parts || parts.subjectStart < 2 || !beginsAt(words, 0)) return undefined;
  const phrase = words.slice(0, parts.subjectStart - 1);
  if (phrase.some((_, index) => index > 0 && isFinite(phrase, index))) return undefined;
  const main = words.slice(parts.subjectStart);
  return [said(clause, subjectOf(words, parts), lowered(phrase), main), withWords(clause, main)];
}

function behindSubject(clause: Clause): readonly Clause[] | undefined {
  const { words } = clause;
  const first = words.findIndex(isComma);
  if (first < 1 || !beginsAt(words, first + 1)) return undefined;
  const second = words.findIndex((word, index) =>
    index > first && isComma(word) && isFinite(words, index + 1)
  );
  const name = words.slice(0, first);
  if (second < 0 || name.some((_, index) => isFinite(words, index))) return undefined;
  const main = [...name, ...words.slice(second + 1)];
  const parts = partsOf(main);
  if (parts?.subjectStart !== 0 || parts.subjectEnd !== first) return undefined;
  const phrase = words.slice(first + 1, second);
  return [said(clause, subjectOf(main, parts), phrase, main), withWords(clause, main)];
}

function behindPredicate(clause: Clause): readonly Clause[] | undefined {
  const { words } = clause;
  const parts = partsOf(words);
  if (!parts || !isCopular(words, parts)) return undefined;
  const isIndefinite = words.slice(parts.main + 1, parts.main + 3)
    .some(({ normal }) => normal === "a" || normal === "an");
  const start = words.findIndex((_, index) =>
    index > parts.main + 1 && beginsAt(words, index) &&
    (isComma(words[index - 1]!) || isIndefinite && isHead(words[index - 1]!))
  );
  if (start < 0) return undefined;
  const predicate = words.slice(parts.main + 1, start);
  const isOfSubject = predicate.every(({ normal, partOfSpeech }) =>
    !["of", "to", "who", "which", "that"].includes(normal) && partOfSpeech !== "VERB"
  );
  if (!isOfSubject || predicate.some(isNegation)) return undefined;
  const main = words.slice(0, start);
  return [
    withWords(clause, main),
    said(clause, subjectOf(words, parts), words.slice(start), main),
  ];
}

function said(
  clause: Clause,
  subject: readonly Word[],
  phrase: readonly Word[],
  main: readonly Word[],
): Clause {
  const participle = phrase.find(({ normal }) => !ADVERBS.includes(normal))!;
  const tense = HAPPENED.includes(participle.normal) ? "past" : tenseOf(main);
  const isPlural = /^(?:they|we|these|those)$/.test(subject[0]!.normal);
  return withSubject(clause, subject, [copula(tense, isPlural), ...phrase]);
}

/** A participle that is safe to make a statement of, or adverbs and such a participle. */
function beginsAt(words: readonly Word[], start: number): boolean {
  let index = start;
  while (ADVERBS.includes(words[index]?.normal ?? "")) index++;
  const participle = words[index]?.normal ?? "";
  const behind = words[index + 1]?.partOfSpeech === "ADV" ? index + 2 : index + 1;
  return words[behind]?.partOfSpeech === "ADP" &&
      (LASTING.includes(participle) || HAPPENED.includes(participle)) ||
    participle === "born" && words[index + 1]?.partOfSpeech === "PROPN";
}

function isHead({ partOfSpeech }: Word): boolean {
  return partOfSpeech === "NOUN" || partOfSpeech === "PROPN";
}

function lowered([first, ...rest]: readonly Word[]): readonly Word[] {
  return [{ ...first!, text: first!.text.toLowerCase(), spaced: true }, ...rest];
}
