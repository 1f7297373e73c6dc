import type { Word } from "./word.ts";

const NOT_FINITE_AUXILIARIES = new Set(["be", "been", "being", "having", "to"]);

/** Past participles that are not past tenses as well. */
const PARTICIPLES = new Set(
  ("born known been done gone seen written taken given driven chosen spoken drawn grown thrown " +
    "flown shown worn broken forgotten beaten begun sung drunk sworn risen fallen eaten hidden " +
    "ridden bitten forbidden stolen frozen woken proven torn based located situated").split(" "),
);

/** Past tenses that look like the base form. */
const INVARIANT = new Set("set put cut hit cast beat quit spread split cost burst".split(" "));

/** "wins", "goes", "is", "has". */
export function isThirdPerson({ normal, lemma, partOfSpeech }: Word): boolean {
  if (partOfSpeech === "AUX") return ["is", "has", "does", "was", "'s"].includes(normal);
  return partOfSpeech === "VERB" && normal !== lemma && /s$/.test(normal) && !/ss$/.test(normal);
}

/** "won", "wrote", "played", "set": a past tense, or a participle that looks like one. */
export function isPast(word: Word): boolean {
  const { normal, lemma, partOfSpeech } = word;
  if (partOfSpeech !== "VERB" || PARTICIPLES.has(normal) || /ing$/.test(normal)) return false;
  return INVARIANT.has(normal) || normal !== lemma && !isThirdPerson(word);
}

/** A past participle: "born", "published", also one that could be a past tense. */
export function isParticiple(word: Word): boolean {
  return word.partOfSpeech === "VERB" && (PARTICIPLES.has(word.normal) || isPast(word));
}

/** A verb or auxiliary that can carry a clause. */
export function isFinite(words: readonly Word[], index: number): boolean {
  const word = words[index];
  if (!word) return false;
  // "self-titled" carries nothing.
  if (words[index - 1]?.text === "-" && !word.spaced) return false;
  if (word.partOfSpeech === "AUX") return !NOT_FINITE_AUXILIARIES.has(word.normal);
  if (word.partOfSpeech !== "VERB" || PARTICIPLES.has(word.normal)) return false;
  return !/ing$/.test(word.normal) && words[index - 1]?.normal !== "to";
}

/** Finite beyond doubt: an auxiliary, a form in -s, or a past tense with its object behind it. */
export function isSurelyFinite(words: readonly Word[], index: number): boolean {
  const word = words[index];
  if (!word || !isFinite(words, index)) return false;
  if (word.partOfSpeech === "AUX" || isThirdPerson(word)) return true;
  if (!isPast(word)) return false;
  const next = words[index + 1];
  return !/ed$/.test(word.normal) || startsObject(next);
}

/** What an object begins with. */
export function startsObject(word: Word | undefined): boolean {
  if (!word) return false;
  if (word.enclosed && /^["“]$/.test(word.text)) return true;
  return ["DET", "PROPN", "PRON", "NUM", "ADJ", "NOUN"].includes(word.partOfSpeech) &&
    !["who", "which", "that"].includes(word.normal);
}

/** "not", "never", "no". */
export function isNegation({ normal }: Word): boolean {
  return ["not", "n't", "never", "no", "nor", "neither", "none", "without", "hardly"]
    .includes(normal);
}

/** "is", "plays": singular; "are", "have": plural; undefined where the form does not say. */
export function numberOf(word: Word): "singular" | "plural" | undefined {
  if (["are", "were", "have", "do"].includes(word.normal)) return "plural";
  return isThirdPerson(word) ? "singular" : undefined;
}

/** The first word from `start` on that is no adverb. */
export function behindAdverbs(words: readonly Word[], start: number): number {
  let index = start;
  while (words[index]?.partOfSpeech === "ADV") index++;
  return index;
}
