import { type ClauseParts, isComma, isCopular, partsOf, subjectOf } from "./clause.ts";
import { type SplittingRule, withSubject, withWords } from "./rule.ts";
import {
  behindAdverbs,
  isFinite,
  isNegation,
  isParticiple,
  isPast,
  isThirdPerson,
  numberOf,
  startsObject,
} from "./verb_forms.ts";
import { supplied, type Word } from "./word.ts";

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
    if (!isJoint(words, index)) continue;
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

function isJoint(words: readonly Word[], index: number): boolean {
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
