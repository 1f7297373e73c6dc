import type { Amount } from "../features/quantities/quantity.ts";
import { readQuantities } from "../features/quantities/read_quantities.ts";

/** A number as digits within an amount: `39.2` of "$39.2 million". */
export interface WrittenNumber {
  readonly amount: Amount;
  /** Of the digits, in the text. */
  readonly start: number;
  readonly digits: string;
  readonly value: number;
}

/** "Resolution 1701", "Boeing 737", "F-16": names, not amounts. */
const IN_NAME = /(?:\p{Lu}[\p{L}.]*|[-#/])\s?$/u;
const OPENS_SENTENCE = /^(?:In|On|About|Over|Some|Nearly|With|The|At|By|From|For|Of|Only|Its)\s$/u;

/** Numbers in digits that measure or count something: neither dates nor ordinals nor ranges. */
export function numbersIn(text: string): readonly WrittenNumber[] {
  return readQuantities(text).flatMap((amount) => {
    if (amount.kind !== "amount" || amount.dimension === "ordinal") return [];
    const written = [...amount.text.matchAll(/\d[\d,]*(?:\.\d+)?/gu)];
    if (written.length !== 1 || isUnfit(text, amount)) return [];
    const [{ 0: digits, index }] = written as [RegExpExecArray];
    const value = Number(digits.replaceAll(",", ""));
    return [{ amount, start: amount.start + index, digits, value }];
  });
}

/** "Between 50 and 60" is true where "between 40 and 60" is, and "per 1,000" is no measurement. */
const LOOSE = /\b(?:between|between [\d.,]+ and|per|every|as (?:many|much|few|little) as) $/iu;

/** Whether an amount is part of a name, or says too little for another to exclude it. */
export function isUnfit(text: string, { start, text: written }: Amount): boolean {
  const before = text.slice(0, start);
  // "An 11-day conflict": another number may need another article.
  if (text.charAt(start + written.length) === "-" || LOOSE.test(before)) return true;
  return IN_NAME.test(before) && !OPENS_SENTENCE.test(before) && !/^\p{Sc}|^US\$/u.test(written);
}
