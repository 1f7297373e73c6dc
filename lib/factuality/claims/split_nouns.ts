import {
  antecedentBefore,
  type Clause,
  copula,
  isComma,
  isCopular,
  isName,
  partsOf,
  type SplittingRule,
  subjectOf,
  withSubject,
  withWords,
} from "./clauses.ts";
import {
  behindAdverbs,
  isFinite,
  isNegation,
  isPast,
  isPossessive,
  numberOf,
  suppliedWord,
  type Word,
} from "./english.ts";

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
function tenseOf(words: readonly Word[]): "past" | "present" {
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
