import type { WordNet } from "../wordnet/wordnet.ts";
import { areAffixOpposites, areExclusive } from "./opposites.ts";
import { compareQuantities } from "./quantities/quantity.ts";
import type { Word } from "./word.ts";

/** From this on a word of the claim counts as found. */
export const FOUND = 0.5;

const SYNONYM = 0.9;
const NEAR = 0.7;

/** Whether both words are the same as written, number for number and thing for thing. */
export function isSameWord(claim: Word, source: Word): boolean {
  if (claim.quantity !== undefined || source.quantity !== undefined) {
    return claim.quantity !== undefined && source.quantity !== undefined &&
      compareQuantities(claim.quantity, source.quantity) === "same";
  }
  if (claim.lemma === source.lemma) return true;
  if (claim.entry !== undefined || source.entry !== undefined) return false;
  if (claim.wordClass === "name" && source.wordClass === "name") {
    return isAlias(claim, source) || isNameForm(claim.lemma, source.lemma);
  }
  return claim.text.toLowerCase() === source.text.toLowerCase();
}

/** How far a source's word accounts for a claim's, 0–1: 1 the same, less for a synonym or a number that is near. */
export function wordMatch(claim: Word, source: Word, wordnet: WordNet): number {
  if (isSameWord(claim, source)) return 1;
  if (claim.quantity !== undefined && source.quantity !== undefined) {
    return compareQuantities(claim.quantity, source.quantity) === "near" ? NEAR : 0;
  }
  if (isOutsideWordNet(claim) || isOutsideWordNet(source)) return 0;
  return wordnet.relation(claim.lemma, source.lemma) === "same" ? SYNONYM : 0;
}

const isOutsideWordNet = ({ quantity, entry, wordClass }: Word) =>
  quantity !== undefined || entry !== undefined || wordClass === "degree";

/** "UK" and a word of "United Kingdom", either way round, or two words of such. */
function isAlias(claim: Word, source: Word): boolean {
  return claim.aliases.includes(source.lemma) || source.aliases.includes(claim.lemma);
}

/** "Iran" and "Iranian", "Eisinga" and "Eisinga's". */
function isNameForm(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  const stem = short.replace(/[aeiy]$/, "");
  if (short.length >= 6 && isOneEdit(short, long)) return true;
  return stem.length >= 4 && long.startsWith(stem) && /^(?:[aeiy]?(?:'s|’s|s|n|an|ian|ese|ish)?)$/
    .test(long.slice(stem.length));
}

/** One letter more, or another: how a name is misspelt. */
function isOneEdit(short: string, long: string): boolean {
  if (long.length - short.length > 1) return false;
  let same = 0;
  while (same < short.length && short[same] === long[same]) same++;
  return short.slice(long.length > short.length ? same : same + 1) === long.slice(same + 1);
}

/** How two words stand against each other: antonyms, exclusive degrees, or members of one class. */
export type Opposition = "opposite" | "degree" | "sibling" | "none";

export function opposition(claim: Word, source: Word, wordnet: WordNet): Opposition {
  if (areExclusive(claim.lemma, source.lemma)) return "degree";
  if (isOutsideWordNet(claim) || isOutsideWordNet(source)) return "none";
  if (areAffixOpposites(claim.lemma, source.lemma)) return "opposite";
  const relation = wordnet.relation(claim.lemma, source.lemma);
  return relation === "opposite" || relation === "sibling" ? relation : "none";
}
