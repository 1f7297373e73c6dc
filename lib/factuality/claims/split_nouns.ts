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
  is,
  isFinite,
  isNegation,
  isPast,
  isPossessive,
  numberOf,
  says,
  suppliedWord,
  type Word,
} from "./english.ts";

/** "Oslo, which lies on a fjord, is old." → "Oslo lies on a fjord." "Oslo is old." */
export const splitRelatives: SplittingRule = (clause) => {
  const { words } = clause;
  const comma = words.findIndex((word, index) =>
    index > 0 && index < words.length - 2 && isComma(word) &&
    says(words[index + 1], "which", "who", "whose", "where")
  );
  const end = comma < 0 ? undefined : endOf(words, comma);
  if (end === undefined) return undefined;
  const body = words.slice(comma + 2, end);
  const main = withWords(clause, [...words.slice(0, comma), ...words.slice(end + 1)]);
  if (!partsOf(main.words) || body.length === 0) return undefined;
  const pronoun = words[comma + 1]!;
  if (says(pronoun, "where")) {
    const isWhole = partsOf(body)?.subjectStart === 0;
    return isWhole ? [main, { ...withWords(clause, body), aside: true }] : undefined;
  }
  const owner = ownerOf(words, comma, end);
  const subject = owner && subjectSaid(pronoun, owner.words, body);
  return owner && subject && [main, withSubject(clause, subject, body, !owner.isSubject)];
};

/** Where the relative clause ends: at the clause's end, or before the main verb. */
function endOf(words: readonly Word[], comma: number): number | undefined {
  const isInSubject = !words.slice(0, comma).some((_, index) => isFinite(words, index));
  const commas = words.flatMap((word, index) => index > comma && isComma(word) ? [index] : []);
  if (isInSubject) {
    return commas.find((index) => isFinite(words, behindAdverbs(words, index + 1)));
  }
  // ", which … , and won": of which of the two?
  const isUnclear = commas.some((index) =>
    is(words[index + 1], "CCONJ") && isFinite(words, behindAdverbs(words, index + 2))
  );
  return isUnclear ? undefined : words.length;
}

function ownerOf(words: readonly Word[], comma: number, end: number) {
  const before = words.slice(0, comma);
  const parts = partsOf(end < words.length ? [...before, ...words.slice(end + 1)] : words);
  if (!parts) return undefined;
  const subject = { words: subjectOf(words, parts), isSubject: true };
  if (end < words.length && comma >= parts.subjectEnd) return subject;
  const predicate = before.slice(parts.main + 1);
  const isOne = isCopular(words, parts) && says(predicate[0], "a", "an") &&
    !predicate.some((word) => is(word, "ADP") || says(word, "and"));
  if (isOne && !isNegation(words[parts.verb + 1]!)) return subject;
  const antecedent = antecedentBefore(words, comma);
  if (!antecedent || isAmbiguous(words, comma, antecedent.length)) return undefined;
  return { words: antecedent, isSubject: false };
}

/** What is said of clubs, places and the like, whatever stands before them. */
const OF_NAMES = /^(?:found|form|establish|create|locate|situate|base|lie|border)$/;

/** "a war over the Strip, which ended": the war or the Strip? */
function isAmbiguous(words: readonly Word[], comma: number, length: number): boolean {
  const [noun, preposition] = words.slice(Math.max(0, comma - length - 2), comma - length);
  if (!is(preposition, "ADP") || says(preposition, "throughout", "during")) return false;
  if (!is(noun, "NOUN", "PROPN")) return false;
  if (says(words[comma + 1], "who")) return says(preposition, "of");
  const said = words.slice(comma + 2, comma + 5);
  return !is(words[comma - 1], "PROPN") || !said.some(({ lemma }) => OF_NAMES.test(lemma));
}

/** The subject that the relative pronoun stands for, where the verb agrees with it. */
function subjectSaid(pronoun: Word, owner: readonly Word[], body: readonly Word[]) {
  if (says(pronoun, "whose")) return [...owner, { ...suppliedWord("'s", "PART"), spaced: false }];
  const verb = behindAdverbs(body, 0);
  if (!isFinite(body, verb)) return undefined;
  const number = numberOf(body[verb]!);
  const last = owner.at(-1)!;
  const isPlural = /s$/.test(last.normal) && is(last, "NOUN") ||
    owner.some((word) => says(word, "and"));
  if (number && number !== (isPlural ? "plural" : "singular")) return undefined;
  const isPerson = owner.some((word) => is(word, "PROPN")) || is(owner[0], "PRON");
  return says(pronoun, "who") && !isPerson ? undefined : owner;
}

/** "She is a poet who lives in Oslo." → "She is a poet." "She lives in Oslo." */
export const splitPredicateRelatives: SplittingRule = (clause) => {
  const { words } = clause;
  const parts = partsOf(words);
  if (!parts || !isCopular(words, parts)) return undefined;
  const start = parts.main + 1 + (is(words[parts.main + 1], "ADV") ? 1 : 0);
  if (!says(words[start], "a", "an")) return undefined;
  const who = words.findIndex((word, index) =>
    index > start && !word.enclosed && says(word, "who", "that")
  );
  if (who < 0 || !isFinite(words, behindAdverbs(words, who + 1))) return undefined;
  const isPlain = words.slice(start, who).every((word) =>
    isComma(word) || is(word, "DET", "ADJ", "NOUN", "PROPN", "ADV", "NUM", "VERB") ||
    word.text === "-" || says(word, "from", "and")
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
  return partsOf(main) && [described(clause, name, phrase, main), withWords(clause, main)];
}

function ofObject(clause: Clause): readonly Clause[] | undefined {
  const { words } = clause;
  const comma = words.findLastIndex((word, index) =>
    isComma(word) && says(words[index + 1], "a", "an", "the")
  );
  if (comma < 1) return undefined;
  const phrase = words.slice(comma + 1);
  const main = words.slice(0, comma);
  let start = main.findLastIndex((word) => !is(word, "PROPN")) + 1;
  if (words[start - 1]?.text === "The") start--;
  const name = words.slice(start, comma);
  const before = words[start - 1];
  const isListed = !before || isComma(before) || is(before, "CCONJ") ||
    main.some((word, index) => isComma(word) && !is(words[index + 1], "NUM"));
  const parts = partsOf(main);
  if (isListed || !isName(name) || !isDescription(phrase, true) || !parts) return undefined;
  // "in Paris, a city": the subject stays the subject of what comes.
  if (start < parts.main) return undefined;
  return [withWords(clause, main), described(clause, name, phrase, main, true)];
}

/** What is said of a name, without what is in brackets behind it. */
function described(
  clause: Clause,
  name: readonly Word[],
  phrase: readonly Word[],
  main: readonly Word[],
  aside = clause.aside,
): Clause {
  const open = name.findIndex(({ text }) => text === "(");
  const bare = open > 0 ? name.slice(0, open) : name;
  return withSubject(clause, bare, [copula(tenseOf(main), false), ...phrase], aside);
}

/** The tense of the main verb. */
function tenseOf(words: readonly Word[]): "past" | "present" {
  const parts = partsOf(words);
  const verb = parts && words[parts.verb]!;
  return verb && (isPast(verb) || says(verb, "was", "were", "had", "did")) ? "past" : "present";
}

/** "a painter", "the capital of Norway": one noun phrase with a common noun as its head. */
function isDescription(phrase: readonly Word[], onlyIndefinite: boolean): boolean {
  const [first] = phrase;
  const starts = says(first, "a", "an") ||
    !onlyIndefinite && first !== undefined && (says(first, "the") || isPossessive(first.normal));
  if (!starts || phrase.some((word) => isComma(word) || says(word, "or"))) return false;
  const head = phrase.findIndex((word, index) =>
    index > 0 && is(word, "ADP", "PRON", "PUNCT", "VERB", "CCONJ", "AUX")
  );
  const noun = phrase[(head < 0 ? phrase.length : head) - 1]!;
  return is(noun, "NOUN") && !/s$/.test(noun.normal.replace(/ss$/, ""));
}

/** What is over once it has happened, what lasts as long as the main verb says, and how. */
const HAPPENED = /^(?:born|founded|established|raised|educated|built|formed)$/;
const LASTING = /^(?:known|located|situated|based)$/;
const ADVERBS = /^(?:best|better|also|mainly|primarily|widely|commonly|mostly)$/;

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
  const first = { ...phrase[0]!, text: phrase[0]!.text.toLowerCase(), spaced: true };
  const lowered = [first, ...phrase.slice(1)];
  return [said(clause, subjectOf(words, parts), lowered, main), withWords(clause, main)];
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
    .some((word) => says(word, "a", "an"));
  const start = words.findIndex((_, index) =>
    index > parts.main + 1 && beginsAt(words, index) &&
    (isComma(words[index - 1]!) || isIndefinite && is(words[index - 1], "NOUN", "PROPN"))
  );
  if (start < 0) return undefined;
  const isOfSubject = words.slice(parts.main + 1, start).every((word) =>
    !says(word, "of", "to", "who", "which", "that") && !is(word, "VERB") && !isNegation(word)
  );
  if (!isOfSubject) return undefined;
  const main = words.slice(0, start);
  const subject = subjectOf(words, parts);
  return [withWords(clause, main), said(clause, subject, words.slice(start), main)];
}

function said(
  clause: Clause,
  subject: readonly Word[],
  phrase: readonly Word[],
  main: readonly Word[],
): Clause {
  const participle = phrase.find(({ normal }) => !ADVERBS.test(normal))!;
  const tense = HAPPENED.test(participle.normal) ? "past" : tenseOf(main);
  const isPlural = says(subject[0], "they", "we", "these", "those");
  return withSubject(clause, subject, [copula(tense, isPlural), ...phrase]);
}

/** A participle that is safe to make a statement of, or adverbs and such a participle. */
function beginsAt(words: readonly Word[], start: number): boolean {
  let index = start;
  while (ADVERBS.test(words[index]?.normal ?? "")) index++;
  const participle = words[index]?.normal ?? "";
  const next = words[index + 1];
  const behind = is(next, "ADV") ? words[index + 2] : next;
  return is(behind, "ADP") && (LASTING.test(participle) || HAPPENED.test(participle)) ||
    participle === "born" && is(next, "PROPN");
}
