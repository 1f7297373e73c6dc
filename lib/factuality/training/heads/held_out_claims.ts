import { type Split, SPLITS } from "../country_split.ts";

/** What is asked of a case here. */
interface Placed {
  readonly claim: string;
  readonly split: Split;
}

/**
 * The cases without those whose claim, in the same words, is in a split that is held out further: what
 * is measured on is never learnt from, whatever cluster it is of. Test cases all stay.
 */
export function withoutHeldOutClaims<Case extends Placed>(
  cases: readonly Case[],
): readonly Case[] {
  const furthest = new Map<string, number>();
  for (const { claim, split } of cases) {
    const key = wordsOf(claim);
    furthest.set(key, Math.max(furthest.get(key) ?? 0, SPLITS.indexOf(split)));
  }
  return cases.filter(({ claim, split }) => furthest.get(wordsOf(claim)) === SPLITS.indexOf(split));
}

/** A claim's words, whatever its capitals and spaces. */
export function wordsOf(claim: string): string {
  return claim.toLowerCase().split(/\s+/u).join(" ").trim();
}
