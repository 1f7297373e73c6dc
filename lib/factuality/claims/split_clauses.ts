import { type ClauseParts, isComma, partsOf } from "./clause.ts";
import { type SplittingRule, withWords } from "./rule.ts";
import { isFinite, isSurelyFinite, isThirdPerson, startsObject } from "./verb_forms.ts";
import type { Word } from "./word.ts";

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
