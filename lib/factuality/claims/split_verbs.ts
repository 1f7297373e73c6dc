/** Splitting rules for verbs: coordinated clauses and predicates, relative clauses, dates. */
import {
  antecedentBefore,
  type ClauseParts,
  isComma,
  isCopular,
  isReporting,
  splitClauseAt,
  wordsText,
} from "./clauses.ts";
import { clauseParts, type SplittingRule, subjectOf, withSubject, withWords } from "./clauses.ts";
import { afterAdverbs, hasTag, isFinite, isNegation, isParticiple, isPast } from "./english.ts";
import {
  grammaticalNumber,
  hasForm,
  isSurelyFinite,
  isThirdPerson,
  startsObject,
} from "./english.ts";
import { asSupplied, suppliedWord, type TaggedWord, type Words } from "./english.ts";
import { hedgeIn } from "./sentences.ts";

const isConjunction = (word: TaggedWord) => hasTag(word, "CCONJ") && hasForm(word, "and", "but");

/**
 * Splits coordinated clauses. "She sang, and he danced." → "She sang." "He danced." Also at a
 * semicolon, and at a comma without a conjunction.
 */
export const splitClauses: SplittingRule = (clause) => {
  const { words } = clause;
  const joint = words.findIndex((word, index) => {
    const isSemicolon = word.text === ";";
    if (word.enclosed || !isSemicolon && !isComma(word) && !isConjunction(word)) return false;
    const [left, right] = [words.slice(0, index), words.slice(index + 1)];
    if (isSemicolon) return isClause(left) && isClause(right) && !hasTag(right[0], "SCONJ", "VERB");
    return standsAlone(left) &&
      (isComma(word) ? isSpliced(left, right) : isSubordinated(left, right));
  });
  if (joint < 0) return undefined;
  return [withWords(clause, words.slice(0, joint)), withWords(clause, words.slice(joint + 1))];
};

function standsAlone(words: Words): boolean {
  const last = words.findLast((word) => !isComma(word));
  return clauseParts(words) !== undefined && last !== undefined &&
    !hasTag(last, "ADP", "DET", "AUX", "CCONJ", "SCONJ");
}

/** Detects an independent clause, also after "and" or with a relative clause after its subject. */
function isClause(words: Words): boolean {
  const start = words.findIndex((word) => !hasTag(word, "CCONJ"));
  const bare = words.slice(Math.max(start, 0));
  const from = bare.findIndex((word, index) =>
    isComma(word) && hasForm(bare[index + 1], "which", "who", "whose", "where")
  );
  const end = from < 0 ? from : relativeClauseEnd(bare, from) ?? -1;
  const main = end < 0 ? bare : [...bare.slice(0, from), ...bare.slice(end + 1)];
  return standsAlone(main);
}

/** Detects a comma splice: "The castle is old, it was built in 1299". */
function isSpliced(left: Words, right: Words): boolean {
  const [first, second] = [clauseParts(left), clauseParts(right)];
  if (!first || !second || second.subjectStart > 0 || right[second.verb]!.enclosed) return false;
  // "When he was two, he moved", "The day he died, she left", "First settled by Greeks, Kent is".
  const isLeadIn = hasForm(left[first.verb + 1], "by") || first.subjectStart > 0 ||
    hasTag(left[0], "ADP", "SCONJ", "ADV", "VERB") ||
    left.some(({ normal }, index) =>
      SUBORDINATORS.test(normal) || index > 0 && index < first.verb && hasTag(left[index], "PRON")
    );
  // "…, and in 1975, Angola won", "the Saud, the family that reigns, …".
  const last = left.findLastIndex((word) =>
    hasTag(word, "CCONJ", "SCONJ", "PUNCT") || hasForm(word, "that")
  );
  const hasVerb = left.some((_, index) => index > last && isFinite(left, index));
  const isWhole = first.main < left.length - 1 && second.main < right.length - 1 && hasVerb;
  if (isLeadIn || !isWhole || isReporting(right[second.main]!)) return false;
  if (right.slice(0, second.verb).some((word) => hasForm(word, "that"))) return false;
  if (right.slice(1, second.verb).some((word) => hasTag(word, "PRON"))) return false;
  // Not "the show, It's Showtime".
  const isPronoun = second.subjectEnd === 1 && /^(?:he|she|it|they|we)$/.test(right[0]!.text);
  // "It is old, the Louvre is large": is it the Louvre?
  return isPronoun || !hasTag(left[0], "PRON") &&
      hasTag(right[0], "DET", "PROPN") && second.subjectEnd <= 4 &&
      isSurelyFinite(right, second.verb) &&
      !isCompound(right, second) && !right.slice(0, second.subjectEnd).some(isComma);
}

/** Subordinators: what follows may modify either clause. */
const SUBORDINATORS = /^(?:because|since|while|although|though|when|after|before)$/;

function isSubordinated(left: Words, right: Words): boolean {
  const parts = clauseParts(right);
  if (!parts) return false;
  const { subjectStart, subjectEnd, verb } = parts;
  // "Bedtime Stories, and I Am Number Four": a title.
  if (/^\p{Lu}/u.test(right[verb]!.text)) return false;
  const hasPronoun = hasForm(right[subjectStart], "he", "she", "it", "they", "we") &&
    subjectEnd === subjectStart + 1;
  const isPlainLead = right.slice(0, subjectStart).every((word) =>
    hasTag(word, "ADP", "DET", "ADJ", "NOUN", "PROPN", "NUM", "ADV") || word.text === ","
  );
  if (subjectStart > 0 && !(hasPronoun && isPlainLead)) return false;
  const hasComma = left.length > 0 && isComma(left.at(-1)!);
  if (hasPronoun && isFinite(right, verb)) {
    return hasComma || !left.some(({ normal }) => SUBORDINATORS.test(normal));
  }
  return hasComma && isSurelyFinite(right, verb) && !isCompound(right, parts);
}

/** Detects a noun tagged as a verb: "films, and television shows". */
function isCompound(words: Words, { subjectStart, verb }: ClauseParts): boolean {
  if (hasTag(words[verb], "AUX") || !isThirdPerson(words[verb]!)) return false;
  const next = words[verb + 1];
  return hasTag(words[subjectStart], "DET")
    ? next === undefined
    : !startsObject(next) || hasTag(next, "NOUN");
}

/** Verbs that are active even without an object: "was born in Kent and moved to Rome". */
const INTRANSITIVE = new Set(
  ("move die go grow work serve live play graduate retire return begin rise come become appear " +
    "perform compete participate debut remain stay travel emigrate settle continue start lead run " +
    "pass study teach train act sing paint fight resign expire arrive depart fall collapse end occur " +
    "exist disappear erupt crash sink escape flee surrender emerge migrate").split(" "),
);

/**
 * Verbs that are passive after "was …" without an object: "was born in Kent and raised in Rome".
 */
const PASSIVE = new Set(
  ("raise educate elect appoint name know bury inspire publish release award nominate induct " +
    "select draft cast sign direct produce write recognise recognize honor honour found establish")
    .split(" "),
);

/** Splits coordinated predicates. "She sang and danced." → "She sang." "She danced." */
export const splitPredicates: SplittingRule = (clause, parts) => {
  const { words } = clause;
  if (!parts || words.slice(parts.subjectStart, parts.subjectEnd).some(isNegation)) {
    return undefined;
  }
  // Under a negation or a hedge, what the second verb shares with the first is not certain.
  const isOpen = words.slice(parts.subjectEnd, parts.main + 2).some(isNegation) ||
    hedgeIn(wordsText(words.slice(0, parts.main + 1))) !== undefined ||
    isReporting(words[parts.main]!) && hasForm(words[parts.main + 1], "to");
  for (let index = parts.main + 1; index < words.length; index++) {
    if (words[index]!.enclosed) continue;
    if (isBarrier(words, index)) return undefined;
    if (!joinsPredicates(words, index)) continue;
    const second = secondVerb(words, index + 1);
    if (second === undefined || isOpen && !hasTag(words[second], "AUX")) continue;
    // "as his brother was named prince but was deposed"
    const between = words.slice(parts.main + 1, index);
    if (isOpen && between.some((_, at) => isFinite(between, at))) continue;
    const auxiliaries = sharedAuxiliaries(words, parts, second);
    if (!auxiliaries || !isWhole(words.slice(parts.main, index))) continue;
    // "has written and directed several plays", "was born and raised in Rome".
    const next = words[second + 1];
    const isBare = hasTag(words[index - 1], "VERB") && !isComma(words[index]!) &&
      !hasTag(words[second], "AUX");
    if (isBare && next !== undefined && !isComma(next) && !hasTag(next, "CCONJ")) continue;
    return splitClauseAt(clause, parts, index, [...auxiliaries, ...words.slice(index + 1)]);
  }
  return undefined;
};

/** Detects words after which another subject may be meant. */
function isBarrier(words: Words, index: number): boolean {
  const word = words[index]!;
  if (hasForm(word, "which", "who", "whose", "whom", "where")) return true;
  if (hasForm(word, "that") && isFinite(words, index + 1)) return true;
  const isSubordinator = hasTag(word, "SCONJ") || hasForm(word, "until") ||
    SUBORDINATORS.test(word.normal) && !hasForm(word, "though");
  return isSubordinator && clauseParts(words.slice(index + 1)) !== undefined;
}

function joinsPredicates(words: Words, index: number): boolean {
  const word = words[index]!;
  if (hasTag(word, "CCONJ")) return hasForm(word, "and", "but");
  return isComma(word) && isFinite(words, index + 1) &&
    words.some((later, at) =>
      at > index && hasForm(later, "and") && secondVerb(words, at + 1) !== undefined
    );
}

/** Index of the verb that begins the second predicate, with only adverbs before it. */
function secondVerb(words: Words, start: number): number | undefined {
  const index = afterAdverbs(words, start);
  const word = words[index];
  if (!word || word.enclosed || !hasTag(word, "VERB", "AUX")) return undefined;
  return isFinite(words, index) || isParticiple(word) ? index : undefined;
}

/** Tests that the first predicate is complete. */
function isWhole(words: Words): boolean {
  const last = words.findLast((word) => !isComma(word));
  if (!last || hasTag(last, "ADP", "DET", "AUX", "PART", "SCONJ")) return false;
  const pair = words.findLastIndex((word) => hasForm(word, "both", "either", "between"));
  return pair < 0 || words.slice(pair).some((word) => hasTag(word, "CCONJ"));
}

/** Auxiliaries that the second verb shares with the first. Undefined where the two are no pair. */
function sharedAuxiliaries(words: Words, parts: ClauseParts, second: number): Words | undefined {
  const [first, verb, main] = [words[parts.verb]!, words[second]!, words[parts.main]!];
  const withoutAuxiliary = (isPartner: boolean) => isPartner ? [] : undefined;
  if (hasTag(verb, "AUX")) {
    const [one, other] = [grammaticalNumber(first), grammaticalNumber(verb)];
    return withoutAuxiliary(one === undefined || other === undefined || one === other);
  }
  if (!isParticiple(verb)) return withoutAuxiliary(isThirdPerson(first) && isThirdPerson(verb));
  if (isAttributive(words, second)) return undefined;
  if (!hasTag(first, "AUX")) return withoutAuxiliary(isPast(first) && isPast(verb));
  const next = words[second + 1];
  const isActive = isPast(verb) && (INTRANSITIVE.has(verb.lemma) || startsObject(next));
  // "is a teacher and works", "was a teacher and served": a finite verb of its own.
  if (isCopular(words, parts)) return withoutAuxiliary(isActive);
  if (!isParticiple(main)) return undefined;
  const group = asSupplied(
    words.slice(parts.verb, parts.main).filter((word) => hasTag(word, "AUX")),
  );
  if (group.every(({ lemma }) => lemma === "have")) return group;
  const isGiven = /^(?:award|name|elect|appoint)$/.test(verb.lemma);
  const isBare = next === undefined || hasTag(next, "ADP", "ADV", "PART", "PUNCT");
  if (PASSIVE.has(verb.lemma) && (isGiven || isBare)) return group;
  return withoutAuxiliary(isActive && group.every(({ lemma }) => lemma === "be"));
}

/** Detects an attributive participle: "novels and published poems". */
function isAttributive(words: Words, index: number): boolean {
  const before = words.slice(0, index).findLast((word) => !hasTag(word, "ADV", "CCONJ", "PUNCT"));
  const next = words[index + 1];
  if (!isPast(words[index]!)) return hasTag(next, "NOUN", "ADJ", "VERB");
  return hasTag(next, "NOUN") && /ed$/.test(words[index]!.normal) && hasTag(before, "NOUN", "ADJ");
}

/**
 * Splits non-restrictive relative clauses. "Oslo, which lies on a fjord, is old." → "Oslo lies on a
 * fjord." "Oslo is old."
 */
export const splitRelatives: SplittingRule = (clause) => {
  const { words } = clause;
  const comma = words.findIndex((word, index) =>
    index > 0 && index < words.length - 2 && isComma(word) &&
    hasForm(words[index + 1], "which", "who", "whose", "where")
  );
  const end = comma < 0 ? undefined : relativeClauseEnd(words, comma);
  if (end === undefined || words.slice(comma, end).some(({ text }) => text === ";")) {
    return undefined;
  }
  const body = words.slice(comma + 2, end);
  const main = withWords(clause, [...words.slice(0, comma), ...words.slice(end + 1)]);
  if (!clauseParts(main.words) || body.length === 0) return undefined;
  const pronoun = words[comma + 1]!;
  if (hasForm(pronoun, "where")) {
    const isWhole = clauseParts(body)?.subjectStart === 0;
    return isWhole ? [main, { ...withWords(clause, body), aside: true }] : undefined;
  }
  const owner = ownerOf(words, comma, end);
  const subject = owner && antecedentOf(pronoun, owner.words, body);
  return owner && subject && [main, withSubject(clause, subject, body, !owner.isSubject)];
};

/** Index where the relative clause ends: at the clause's end, or before the main verb. */
function relativeClauseEnd(words: Words, comma: number): number | undefined {
  const isInSubject = !words.slice(0, comma).some((_, index) => isFinite(words, index));
  const commas = words.flatMap((word, index) => index > comma && isComma(word) ? [index] : []);
  if (isInSubject) {
    return commas.find((index) => isFinite(words, afterAdverbs(words, index + 1)));
  }
  // ", which … , and won": of which of the two?
  const isUnclear = commas.some((index) =>
    hasTag(words[index + 1], "CCONJ") && isFinite(words, afterAdverbs(words, index + 2))
  );
  return isUnclear ? undefined : words.length;
}

function ownerOf(words: Words, comma: number, end: number) {
  const before = words.slice(0, comma);
  const parts = clauseParts(end < words.length ? [...before, ...words.slice(end + 1)] : words);
  if (!parts) return undefined;
  const subject = { words: subjectOf(words, parts), isSubject: true };
  if (end < words.length && comma >= parts.subjectEnd) return subject;
  const predicate = before.slice(parts.main + 1);
  const isOne = isCopular(words, parts) && hasForm(predicate[0], "a", "an") &&
    !predicate.some((word) => hasTag(word, "ADP") || hasForm(word, "and"));
  if (isOne && !isNegation(words[parts.verb + 1]!)) return subject;
  const antecedent = antecedentBefore(words, comma);
  if (!antecedent || isAmbiguous(words, comma, antecedent.length)) return undefined;
  return { words: antecedent, isSubject: false };
}

/** Verbs predicated of clubs, places and the like after any antecedent. */
const OF_NAMES = /^(?:found|form|establish|create|locate|situate|base|lie|border)$/;

/** Detects an ambiguous antecedent: "a war over the Strip, which ended". */
function isAmbiguous(words: Words, comma: number, length: number): boolean {
  const [noun, preposition] = words.slice(Math.max(0, comma - length - 2), comma - length);
  if (!hasTag(preposition, "ADP") || hasForm(preposition, "throughout", "during")) return false;
  if (!hasTag(noun, "NOUN", "PROPN")) return false;
  if (hasForm(words[comma + 1], "who")) return hasForm(preposition, "of");
  const relativeWords = words.slice(comma + 2, comma + 5);
  return !hasTag(words[comma - 1], "PROPN") ||
    !relativeWords.some(({ lemma }) => OF_NAMES.test(lemma));
}

/** Antecedent of the relative pronoun, where the verb agrees with it. */
function antecedentOf(pronoun: TaggedWord, owner: Words, body: Words) {
  if (hasForm(pronoun, "whose")) {
    return [...owner, { ...suppliedWord("'s", "PART"), spaced: false }];
  }
  const verb = afterAdverbs(body, 0);
  if (!isFinite(body, verb)) return undefined;
  const number = grammaticalNumber(body[verb]!);
  const last = owner.at(-1)!;
  const isPlural = /s$/.test(last.normal) && hasTag(last, "NOUN") ||
    owner.some((word) => hasForm(word, "and"));
  if (number && number !== (isPlural ? "plural" : "singular")) return undefined;
  const isPerson = owner.some((word) => hasTag(word, "PROPN")) || hasTag(owner[0], "PRON");
  return hasForm(pronoun, "who") && !isPerson ? undefined : owner;
}

/**
 * Splits relative clauses of predicate nouns. "She is a poet who lives in Oslo." → "She is a poet."
 * "She lives in Oslo."
 */
export const splitPredicateRelatives: SplittingRule = (clause, parts) => {
  const { words } = clause;
  if (!parts || !isCopular(words, parts)) return undefined;
  const start = parts.main + 1 + (hasTag(words[parts.main + 1], "ADV") ? 1 : 0);
  if (!hasForm(words[start], "a", "an")) return undefined;
  const who = words.findIndex((word, index) =>
    index > start && !word.enclosed && hasForm(word, "who", "that")
  );
  if (who < 0 || !isFinite(words, afterAdverbs(words, who + 1))) return undefined;
  const isPlain = words.slice(start, who).every((word) =>
    isComma(word) || hasTag(word, "DET", "ADJ", "NOUN", "PROPN", "ADV", "NUM", "VERB") ||
    word.text === "-" || hasForm(word, "from", "and")
  );
  if (!isPlain || words.slice(parts.verb, start).some(isNegation)) return undefined;
  return splitClauseAt(clause, parts, who, words.slice(who + 1));
};

/**
 * Splits objects that share a verb. "She won the cup in 2007 and the medal in 2011." → one
 * statement for each date; "He was an advocate of peace and a supporter of reform." → one for each
 * noun with its article.
 */
export const splitSharedVerb: SplittingRule = (clause, parts) => {
  const { words } = clause;
  const start = parts && parts.main + 1;
  if (!parts || !start || words.slice(parts.verb, start + 1).some(isNegation)) return undefined;
  const isAnd = (word: TaggedWord) => hasForm(word, "and") && !word.enclosed;
  if (words.filter(isAnd).length !== 1) return undefined;
  const joint = words.findIndex(isAnd);
  const first = words.slice(start, joint);
  const second = words.slice(joint + 1);
  if (joint <= start || !isPhrase(first) || !isPhrase(second)) return undefined;
  const isSafe = isDated(first) && isDated(second) || isNamed(words, parts, first, second);
  if (!isSafe || isAmount(first) !== isAmount(second)) return undefined;
  const verb = asSupplied(words.slice(parts.predicateStart, start));
  return splitClauseAt(clause, parts, joint, [...verb, ...second]);
};

/** Detects an amount: "$1,600", "3.5%". */
const isAmount = ([first]: Words): boolean => /^[\d$€£]/.test(first?.text ?? "");

/** Detects an article or amount with its phrase, without a verb. */
const isPhrase = (words: Words): boolean =>
  (hasForm(words[0], "the", "a", "an") || isAmount(words)) &&
  !words.some((word, index) =>
    isFinite(words, index) || isParticiple(word) ||
    hasForm(word, "between", "both", "who", "which", "that")
  );

/** Tests for a final year. */
function isDated(words: Words): boolean {
  const bare = words.filter((word) => !isComma(word));
  const years = bare.filter(({ text }) => /^\d{4}$/.test(text));
  return years.length === 1 && years[0] === bare.at(-1) && hasForm(bare.at(-2), "in");
}

/**
 * Tests for an independent second noun after "is", "was" or "has". It must not depend on a
 * preposition of the first phrase.
 */
function isNamed(words: Words, parts: ClauseParts, first: Words, second: Words): boolean {
  const isOwner = parts.main === parts.verb && words[parts.main]!.lemma === "have";
  if (!isCopular(words, parts) && !isOwner || isAmount(first)) return false;
  if (first.filter(isComma).length > 1) return false;
  const isDefinite = hasForm(second[0], "the");
  const articles = isDefinite ? ["the"] : ["a", "an"];
  const isRepeated = first.slice(1).some((word) => hasForm(word, ...articles));
  const isParallel = isDefinite && first[1]?.normal === second[1]?.normal;
  return hasForm(first[0], "the") === isDefinite && (!isRepeated || isParallel);
}

/**
 * Splits date and place of birth. "She was born on 1 May 1905, in Oslo." → "She was born on 1 May
 * 1905." "She was born in Oslo."
 */
export const splitBirth: SplittingRule = (clause, parts) => {
  const { words } = clause;
  if (!parts || !hasForm(words[parts.main], "born", "died")) return undefined;
  const start = parts.main + 1;
  const second = words.findIndex((word, index) =>
    index > start + 1 && hasForm(word, "on", "in", "at") && !word.enclosed
  );
  if (second < 0) return undefined;
  const first = phraseOf(words.slice(start, second));
  const other = phraseOf(words.slice(second));
  if (!first || !other || first === other) return undefined;
  const verb = asSupplied(words.slice(parts.predicateStart, start));
  return splitClauseAt(clause, parts, second, [...verb, ...words.slice(second)]);
};

/** Kind of a prepositional phrase: a date, a place or neither. */
function phraseOf([preposition, ...rest]: Words): "date" | "place" | undefined {
  const bare = rest.filter((word) => !isComma(word));
  const isNumber = /\d/.test(bare[0]?.text ?? "");
  const isDate = isNumber || bare.some(({ normal }) => /^\d{4}$/.test(normal));
  if (isDate && bare.every((word) => hasTag(word, "NUM", "PROPN", "NOUN"))) return "date";
  return hasForm(preposition, "in", "at") && !isNumber && hasTag(bare[0], "PROPN")
    ? "place"
    : undefined;
}
