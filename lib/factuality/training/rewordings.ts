import type { RandomSource } from "../../stats/random.ts";
import { chance, choose } from "./random_choice.ts";
import { SAME_MEANING } from "./word_tables.ts";

/**
 * Says a statement in other words, the meaning kept: synonyms, other formats of numbers and dates,
 * the adverbial moved or left out, brackets and trailing clauses left out. What is left out makes
 * the claim say less, never more. The same random source does the same to two versions that differ
 * in one word.
 */
export function reword(claim: string, random: RandomSource): string {
  let text = claim;
  if (chance(random, 0.6)) text = text.replace(/ \([^()]*\)/gu, "");
  if (chance(random, 0.35)) text = withoutTrail(text);
  if (chance(random, 0.5)) text = adverbialMoved(text, chance(random, 0.5));
  if (chance(random, 0.6)) text = synonyms(text, random);
  if (chance(random, 0.5)) text = otherFormats(text, random);
  return text;
}

/** Up to three words by words of the same meaning. */
function synonyms(text: string, random: RandomSource): string {
  let result = text;
  let left = 3;
  for (const [word, ...others] of random.shuffle(SAME_MEANING)) {
    const place = new RegExp(`(?<=[\\p{L},] )${word!}(?= \\p{L})`, "u");
    if (left === 0) break;
    if (!place.test(result)) continue;
    result = result.replace(place, choose(random, others));
    left--;
  }
  return result;
}

const OPENING =
  /^((?:In|On|By|During|Since|After|Following|From|Until|At|Under|With) [^,.;]{3,45}), (.+)\.$/u;

/** "In 1963, Kenya …" → "Kenya … in 1963.", or without it. */
function adverbialMoved(text: string, drop: boolean): string {
  const match = OPENING.exec(text);
  if (match === null) return text;
  const [, opening, rest] = match as unknown as [string, string, string];
  const sentence = `${rest.charAt(0).toUpperCase()}${rest.slice(1)}`;
  return drop
    ? `${sentence}.`
    : `${sentence} ${opening.charAt(0).toLowerCase()}${opening.slice(1)}.`;
}

/** Leaves out what a comma and a subordinating word add at the end. */
function withoutTrail(text: string): string {
  return text.replace(
    /, (?:which|including|such as|where|while|whereas|although|as well as|followed by|leading to|with|making|resulting in|ending) [^,]*(?:, [^,]*)*\.$/u,
    ".",
  );
}

/** Units spelt out or abbreviated, scales as digits, day and month exchanged. */
function otherFormats(text: string, random: RandomSource): string {
  const percent = choose(random, [" percent", " per cent", "%"]);
  return text
    .replace(/(\d)%/gu, (_, digit) => digit + percent)
    .replace(
      /(\d) sq km/gu,
      `$1 ${choose(random, ["square kilometers", "km²", "square kilometres"])}`,
    )
    .replace(/(\d) km\b(?!²)/gu, `$1 ${choose(random, ["kilometers", "kilometres"])}`)
    .replace(/\$([\d.]+ (?:million|billion|trillion))/gu, choose(random, ["$1 dollars", "US$$$1"]))
    .replace(
      /\b(\d+)\.(\d{1,3}) million\b/gu,
      (whole, a, b) =>
        chance(random, 0.4)
          ? `${Number(a).toLocaleString("en-US")},${b.padEnd(3, "0")},000`
          : whole,
    )
    .replace(/\b(\d{1,3}),(\d)00,000\b/gu, "$1.$2 million")
    .replace(
      /\b(\d{1,2}) (January|February|March|April|May|June|July|August|September|October|November|December)\b( \d{4})?/gu,
      (_, day, month, year) => `${month} ${day}${year ? `,${year}` : ""}`,
    );
}

/** A number of many digits told to three: "about 68,500,000"; undefined where nothing is gained. */
export function rounded(text: string): string | undefined {
  const match = /(?<!\d)\d{1,3}(?:,\d{3})+(?!\d)/u.exec(text);
  if (match === null) return undefined;
  const value = Number(match[0].replaceAll(",", ""));
  const told = Number(value.toPrecision(3));
  if (told === value) return undefined;
  return text.replace(
    /(?:[Aa]bout )?\d{1,3}(?:,\d{3})+/u,
    (whole) => `${whole.startsWith("A") ? "About" : "about"} ${told.toLocaleString("en-US")}`,
  );
}
