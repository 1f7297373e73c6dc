import type { Comparison } from "./comparison.ts";
import { type FamilyResult, type WeighedFinding, WORTH_TELLING } from "./features.ts";
import { type Rival, strongestOf, strongestRival } from "./rival.ts";
import type { Word } from "./word.ts";
import { FOUND } from "./word_match.ts";

/** Named things of the claim: in the evidence, in the sources, or another in their place. */
export function nameFeatures(comparison: Comparison): FamilyResult<"name"> {
  const { claim, sentences, anywhere } = comparison;
  const names = claim.flatMap((word, index) => word.wordClass === "name" ? [index] : []);
  const notHere = names.filter((index) => !sentences.some((one) => one.matches[index]! >= FOUND));
  const nowhere = notHere.filter((index) => !anywhere[index]);
  const share = (some: readonly number[]) => names.length === 0 ? 0 : some.length / names.length;
  const rivals = nowhere.flatMap((index) => strongestRival(comparison, index, isOtherName) ?? []);
  const swap = strongestOf(rivals);
  return {
    values: {
      "name.absent": share(nowhere),
      "name.absent_here": share(notHere),
      "name.swapped": swap?.strength ?? 0,
    },
    findings: [...swapped(swap), ...absent(nowhere.map((index) => claim[index]!), share(nowhere))],
  };
}

/** Of one type where the gazetteer knows both; a country is no rival of a person. */
const isOtherName = (claim: Word, source: Word) =>
  claim.wordClass === "name" && source.wordClass === "name" &&
  claim.entry?.type === source.entry?.type;

function swapped(swap: Rival | undefined): readonly WeighedFinding[] {
  if (swap === undefined || swap.strength < WORTH_TELLING) return [];
  return [{
    feature: "name.swapped",
    words: `source says ${swap.source.text}, claim says ${swap.claim.text}`,
    speaksFor: "refuted",
    strength: swap.strength,
  }];
}

function absent(names: readonly Word[], strength: number): readonly WeighedFinding[] {
  if (names.length === 0) return [];
  return [{
    feature: "name.absent",
    words: `the sources do not name ${names.map(({ text }) => text).join(", ")}`,
    speaksFor: "not enough info",
    strength,
  }];
}
