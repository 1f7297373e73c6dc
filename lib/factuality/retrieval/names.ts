import { termsOf } from "./terms.ts";

/**
 * The terms of a claim that are written with a capital letter and so are names, as far as that can
 * be told: its first word is one only where there is no other. None for a claim in small letters.
 */
export function nameTerms(claim: string): ReadonlySet<string> {
  const words = [...claim.matchAll(/[\p{L}\p{M}\p{N}]+/gu)].map(([word]) => word);
  const capital = (word: string) => /^\p{Lu}/u.test(word);
  const within = words.slice(1).filter(capital).flatMap(termsOf);
  return new Set(within.length > 0 ? within : words.slice(0, 1).filter(capital).flatMap(termsOf));
}
