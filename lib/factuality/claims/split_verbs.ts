import {
  type ClauseParts,
  isComma,
  isCopular,
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
  isParticiple,
  isPast,
  isSurelyFinite,
  isThirdPerson,
  numberOf,
  startsObject,
  supplied,
  type Word,
} from "./english.ts";

const NOMINATIVES = ["he", "she", "it", "they", "we"];

/** Verbs of a clause that hangs on the one before: what follows may belong to either. */
const SUBORDINATORS = [
  "because",
  "since",
  "while",
  "although",
  "though",
  "when",
  "after",
  "before",
];

/** "She sang, and he danced." → "She sang." "He danced." Also at a semicolon. */
export const splitClauses: SplittingRule = (clause) => {
  const { words } = clause;
  for (const [index, word] of words.entries()) {
    if (word.enclosed || !isJoint(word)) continue;
    const left = words.slice(0, index);
    const right = words.slice(index + 1);
    if (!standsAlone(left) || !follows(left, right, word.text === ";")) continue;
    return [withWords(clause, left), withWords(clause, right)];
  }
  return undefined;
};

function isJoint({ normal, text, partOfSpeech }: Word): boolean {
  return text === ";" || partOfSpeech === "CCONJ" && (normal === "and" || normal === "but");
}

function standsAlone(words: readonly Word[]): boolean {
  const last = words.findLast((word) => !isComma(word));
  return partsOf(words) !== undefined && last !== undefined &&
    !["ADP", "DET", "AUX", "CCONJ", "SCONJ"].includes(last.partOfSpeech);
}

function follows(
  left: readonly Word[],
  right: readonly Word[],
  isSemicolon: boolean,
): boolean {
  const parts = partsOf(right);
  if (!parts) return false;
  // "Bedtime Stories, and I Am Number Four": a title.
  if (/^\p{Lu}/u.test(right[parts.verb]!.text)) return false;
  const hasPronoun = NOMINATIVES.includes(right[parts.subjectStart]!.normal) &&
    parts.subjectEnd === parts.subjectStart + 1;
  const isLed = parts.subjectStart > 0;
  if (isLed && !(hasPronoun && right.slice(0, parts.subjectStart).every(isPlainLead))) return false;
  if (isSemicolon) return true;
  const hasComma = left.length > 0 && isComma(left.at(-1)!);
  const isOpen = left.some(({ normal }) => SUBORDINATORS.includes(normal));
  if (hasPronoun && isFinite(right, parts.verb)) return hasComma || !isOpen;
  return hasComma && isSurelyFinite(right, parts.verb) && !isCompound(right, parts);
}

/** "films, and television shows": a noun that was taken for a verb. */
function isCompound(words: readonly Word[], { subjectStart, verb }: ClauseParts): boolean {
  if (words[verb]!.partOfSpeech === "AUX" || !isThirdPerson(words[verb]!)) return false;
  const next = words[verb + 1];
  return words[subjectStart]!.partOfSpeech === "DET"
    ? next === undefined
    : !startsObject(next) || next?.partOfSpeech === "NOUN";
}

function isPlainLead({ partOfSpeech, text }: Word): boolean {
  return ["ADP", "DET", "ADJ", "NOUN", "PROPN", "NUM", "ADV"].includes(partOfSpeech) ||
    text === ",";
}

/** Verbs that are active even where they have no object: "was born in Kent and moved to Rome". */
const INTRANSITIVE = new Set(
  ("move die go grow work serve live play graduate retire return begin rise come become appear " +
    "perform compete participate debut remain stay travel emigrate settle continue start lead run pass study teach train act sing paint fight")
    .split(" "),
);

/** Verbs that are passive without an object behind "was …": "was born in Kent and raised in Rome". */
const PASSIVE = new Set(
  ("raise educate elect appoint name know bury inspire publish release award nominate induct " +
    "select draft cast sign direct produce write recognise recognize honor honour found establish")
    .split(" "),
);

/** "She sang and danced." → "She sang." "She danced." */
export const splitPredicates: SplittingRule = (clause) => {
  const { words } = clause;
  const parts = partsOf(words);
  if (!parts || isNegated(words, parts)) return undefined;
  for (let index = parts.main + 1; index < words.length; index++) {
    const word = words[index]!;
    if (word.enclosed) continue;
    if (isBarrier(words, index)) return undefined;
    if (!joinsPredicates(words, index)) continue;
    const second = verbBehind(words, index + 1);
    const auxiliaries = second === undefined ? undefined : sharing(words, parts, second);
    if (!auxiliaries || !isWhole(words.slice(parts.main, index))) continue;
    if (second !== undefined && sharesObject(words, index, second)) continue;
    const rest = [...auxiliaries, ...words.slice(index + 1)];
    return [
      withWords(clause, words.slice(0, index)),
      withSubject(clause, subjectOf(words, parts), rest),
    ];
  }
  return undefined;
};

/** Under a negation, what the second verb shares with the first is not certain. */
function isNegated(words: readonly Word[], parts: ClauseParts): boolean {
  return words.slice(parts.subjectStart, parts.main + 2).some(isNegation);
}

/** Behind these another subject may be meant. */
function isBarrier(words: readonly Word[], index: number): boolean {
  const { normal, partOfSpeech } = words[index]!;
  if (["which", "who", "whose", "whom", "where"].includes(normal)) return true;
  if (normal === "that" && isFinite(words, index + 1)) return true;
  const isSubordinator = partOfSpeech === "SCONJ" ||
    ["when", "while", "because", "although", "before", "after", "until", "since"].includes(normal);
  return isSubordinator && partsOf(words.slice(index + 1)) !== undefined;
}

function joinsPredicates(words: readonly Word[], index: number): boolean {
  const word = words[index]!;
  if (word.partOfSpeech === "CCONJ") return word.normal === "and" || word.normal === "but";
  const isSerial = isComma(word) && isFinite(words, index + 1);
  return isSerial &&
    words.slice(index + 1).some((later, offset) =>
      later.normal === "and" && verbBehind(words, index + 1 + offset + 1) !== undefined
    );
}

/** The verb that begins the second predicate, behind adverbs alone. */
function verbBehind(words: readonly Word[], start: number): number | undefined {
  const index = behindAdverbs(words, start);
  const word = words[index];
  if (!word || word.enclosed || !["VERB", "AUX"].includes(word.partOfSpeech)) return undefined;
  return isFinite(words, index) || isParticiple(word) ? index : undefined;
}

/** The first predicate must not end in the middle of something. */
function isWhole(words: readonly Word[]): boolean {
  const last = words.findLast((word) => !isComma(word));
  if (!last || ["ADP", "DET", "AUX", "PART", "SCONJ"].includes(last.partOfSpeech)) return false;
  const pair = words.findLastIndex(({ normal }) => ["both", "either", "between"].includes(normal));
  return pair < 0 || words.slice(pair).some(({ partOfSpeech }) => partOfSpeech === "CCONJ");
}

/** "has written and directed several plays", "was born and raised in Rome". */
function sharesObject(words: readonly Word[], joint: number, second: number): boolean {
  const next = words[second + 1];
  const isBare = words[joint - 1]!.partOfSpeech === "VERB" && !isComma(words[joint]!);
  return isBare && next !== undefined && !isComma(next) && next.partOfSpeech !== "CCONJ";
}

/** Auxiliaries that the second verb takes over from the first; undefined where it is no partner. */
function sharing(
  words: readonly Word[],
  parts: ClauseParts,
  second: number,
): readonly Word[] | undefined {
  const verb = words[second]!;
  const first = words[parts.verb]!;
  if (verb.partOfSpeech === "AUX") return agrees(first, verb) ? [] : undefined;
  if (!isParticiple(verb)) return isThirdPerson(first) && isThirdPerson(verb) ? [] : undefined;
  if (isAttributive(words, second)) return undefined;
  if (first.partOfSpeech !== "AUX") return isPast(first) && isPast(verb) ? [] : undefined;
  if (isCopular(words, parts)) return ofCopula(words, second);
  const group = supplied(
    words.slice(parts.verb, parts.main).filter(({ partOfSpeech }) => partOfSpeech === "AUX"),
  );
  if (words[parts.main]!.partOfSpeech !== "VERB" || !isParticiple(words[parts.main]!)) {
    return undefined;
  }
  if (group.every(({ lemma }) => lemma === "have")) return group;
  return ofPassive(words, second, group);
}

/** "is a teacher and works", "was a teacher and served": a finite verb of its own. */
function ofCopula(words: readonly Word[], second: number): readonly Word[] | undefined {
  const verb = words[second]!;
  const isActive = INTRANSITIVE.has(verb.lemma) || startsObject(words[second + 1]);
  return isPast(verb) && isActive ? [] : undefined;
}

function ofPassive(
  words: readonly Word[],
  second: number,
  auxiliaries: readonly Word[],
): readonly Word[] | undefined {
  const verb = words[second]!;
  const next = words[second + 1]?.partOfSpeech ?? "PUNCT";
  const isGiven = ["award", "name", "elect", "appoint"].includes(verb.lemma);
  if (PASSIVE.has(verb.lemma) && (isGiven || ["ADP", "ADV", "PART", "PUNCT"].includes(next))) {
    return auxiliaries;
  }
  const isActive = INTRANSITIVE.has(verb.lemma) || startsObject(words[second + 1]);
  return isPast(verb) && isActive && auxiliaries.every(({ lemma }) => lemma === "be")
    ? []
    : undefined;
}

/** "novels and published poems": the participle belongs to the noun behind it. */
function isAttributive(words: readonly Word[], index: number): boolean {
  const before = words.slice(0, index).findLast(({ partOfSpeech }) =>
    partOfSpeech !== "ADV" &&
    partOfSpeech !== "CCONJ" && partOfSpeech !== "PUNCT"
  );
  const next = words[index + 1]?.partOfSpeech ?? "";
  if (!isPast(words[index]!)) return ["NOUN", "ADJ", "VERB"].includes(next);
  return next === "NOUN" && /ed$/.test(words[index]!.normal) &&
    ["NOUN", "ADJ"].includes(before?.partOfSpeech ?? "");
}

function agrees(first: Word, second: Word): boolean {
  const [one, other] = [numberOf(first), numberOf(second)];
  return one === undefined || other === undefined || one === other;
}

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
