import { type Clause, isComma, isCopular, partsOf, subjectOf } from "./clause.ts";
import { antecedentBefore } from "./noun_phrase.ts";
import { type SplittingRule, withSubject, withWords } from "./rule.ts";
import { behindAdverbs, isFinite, isNegation, numberOf } from "./verb_forms.ts";
import { suppliedWord, type Word } from "./word.ts";

/** "Oslo, which lies on a fjord, is old." → "Oslo lies on a fjord." "Oslo is old." */
export const splitRelatives: SplittingRule = (clause) => {
  const { words } = clause;
  for (let comma = 1; comma < words.length - 2; comma++) {
    if (!isComma(words[comma]!)) continue;
    const pronoun = words[comma + 1]!;
    if (!["which", "who", "whose", "where"].includes(pronoun.normal)) continue;
    return relative(clause, comma);
  }
  return undefined;
};

function relative(clause: Clause, comma: number): readonly Clause[] | undefined {
  const { words } = clause;
  const end = endOf(words, comma);
  if (end === undefined) return undefined;
  const body = words.slice(comma + 2, end);
  const main = withWords(clause, [...words.slice(0, comma), ...words.slice(end + 1)]);
  if (!partsOf(main.words) || body.length === 0) return undefined;
  if (words[comma + 1]!.normal === "where") {
    return partsOf(body)?.subjectStart === 0
      ? [main, { ...withWords(clause, body), aside: true }]
      : undefined;
  }
  const owner = ownerOf(words, comma, end);
  const said = owner && sayOf(words[comma + 1]!, owner.words, body);
  if (!owner || !said) return undefined;
  return [main, withSubject(clause, said.subject, body, !owner.isSubject)];
}

/** Where the relative clause ends: at the clause's end, or before the main verb. */
function endOf(words: readonly Word[], comma: number): number | undefined {
  const isInSubject = !words.slice(0, comma).some((_, index) => isFinite(words, index));
  const commas = words.flatMap((word, index) => index > comma && isComma(word) ? [index] : []);
  if (isInSubject) {
    return commas.find((index) => isFinite(words, behindAdverbs(words, index + 1)));
  }
  // ", which … , and won": of which of the two?
  const isUnclear = commas.some((index) =>
    words[index + 1]?.partOfSpeech === "CCONJ" && isFinite(words, behindAdverbs(words, index + 2))
  );
  return isUnclear ? undefined : words.length;
}

function ownerOf(words: readonly Word[], comma: number, end: number) {
  const before = words.slice(0, comma);
  const parts = partsOf(end < words.length ? [...before, ...words.slice(end + 1)] : words);
  if (!parts) return undefined;
  const subject = subjectOf(words, parts);
  if (end < words.length && comma >= parts.subjectEnd) return { words: subject, isSubject: true };
  const predicate = before.slice(parts.main + 1);
  const isOne = isCopular(words, parts) && ["a", "an"].includes(predicate[0]?.normal ?? "") &&
    !predicate.some(({ partOfSpeech, normal }) => partOfSpeech === "ADP" || normal === "and");
  if (isOne && !isNegation(words[parts.verb + 1]!)) return { words: subject, isSubject: true };
  const antecedent = antecedentBefore(words, comma);
  if (antecedent && isAmbiguous(words, comma, antecedent.length)) return undefined;
  return antecedent && { words: antecedent, isSubject: false };
}

/** What is said of clubs, places and the like, whatever stands before them. */
const OF_NAMES = /^(?:found|form|establish|create|locate|situate|base|lie|border)$/;

/** "a war over the Strip, which ended": the war or the Strip? */
function isAmbiguous(words: readonly Word[], comma: number, length: number): boolean {
  const [noun, preposition] = words.slice(Math.max(0, comma - length - 2), comma - length);
  if (preposition?.partOfSpeech !== "ADP" || /^(?:throughout|during)$/.test(preposition.normal)) {
    return false;
  }
  if (!["NOUN", "PROPN"].includes(noun!.partOfSpeech)) return false;
  if (words[comma + 1]!.normal === "who") return preposition.normal === "of";
  const said = words.slice(comma + 2, comma + 5);
  return words[comma - 1]!.partOfSpeech !== "PROPN" ||
    !said.some(({ lemma }) => OF_NAMES.test(lemma));
}

function sayOf(pronoun: Word, owner: readonly Word[], body: readonly Word[]) {
  if (pronoun.normal === "whose") {
    return { subject: [...owner, { ...suppliedWord("'s", "PART"), spaced: false }] };
  }
  const verb = behindAdverbs(body, 0);
  if (!isFinite(body, verb)) return undefined;
  const number = numberOf(body[verb]!);
  const isPlural = /s$/.test(owner.at(-1)!.normal) && owner.at(-1)!.partOfSpeech === "NOUN" ||
    owner.some(({ normal }) => normal === "and");
  if (number && number !== (isPlural ? "plural" : "singular")) return undefined;
  if (pronoun.normal === "who" && !owner.some(({ partOfSpeech }) => partOfSpeech === "PROPN")) {
    if (owner[0]?.partOfSpeech !== "PRON") return undefined;
  }
  return { subject: owner };
}

/** "She is a poet who lives in Oslo." → "She is a poet." "She lives in Oslo." */
export const splitPredicateRelatives: SplittingRule = (clause) => {
  const { words } = clause;
  const parts = partsOf(words);
  if (!parts || !isCopular(words, parts)) return undefined;
  const start = parts.main + 1 + (words[parts.main + 1]?.partOfSpeech === "ADV" ? 1 : 0);
  if (!["a", "an"].includes(words[start]?.normal ?? "")) return undefined;
  const who = words.findIndex(({ normal, enclosed }, index) =>
    index > start && !enclosed && (normal === "who" || normal === "that")
  );
  if (who < 0 || !isFinite(words, behindAdverbs(words, who + 1))) return undefined;
  const phrase = words.slice(start, who).filter((word) => !isComma(word));
  const isPlain = phrase.every(({ partOfSpeech, normal, text }) =>
    ["DET", "ADJ", "NOUN", "PROPN", "ADV", "NUM", "VERB"].includes(partOfSpeech) || text === "-" ||
    ["from", "and"].includes(normal)
  );
  if (!isPlain || words.slice(parts.verb, start).some(isNegation)) return undefined;
  return [
    withWords(clause, words.slice(0, who)),
    withSubject(clause, subjectOf(words, parts), words.slice(who + 1)),
  ];
};
