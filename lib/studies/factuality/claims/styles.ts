import { bernoulli, choose, sampleWeighted } from "../../../stats/random.ts";
import { type RandomSource, randomSource } from "../../../stats/random.ts";
import { readEnglish } from "../../../factuality/claims/english.ts";
import { MONTHS } from "../../../factuality/own/variants/variant.ts";
import { editWords } from "./tables.ts";
import type { Statement, StatementContrast } from "./statements.ts";

/** Styles of a claim with their weights; none changes its meaning. */
const PLAIN = { plain: 58, opener: 12, tokens: 5, "lower case": 5 };
const WEIGHTS = { ...PLAIN, question: 10, "short answer": 10 };

const OPENERS =
  ("Yes,|Yeah,|Well,|Actually,|I think|I believe|I read that|Did you know that|I heard that|" +
    "As far as I know,|That's right,|Oh,|It seems|So").split("|");

/** Applies a style to a claim. Equal random sources give equal styles. */
function dressed(
  claim: string,
  style: keyof typeof WEIGHTS,
  { question, value }: Statement,
  random: RandomSource,
) {
  if (style === "opener") return `${choose(random, OPENERS)} ${withoutCapital(claim)}`;
  if (style === "tokens") return readEnglish(claim).tokens.map(({ text }) => text).join(" ");
  if (style === "lower case") return claim.toLowerCase();
  if (style === "plain" || question === undefined) return claim;
  // Question and answer next to each other, as in transcripts and data sets.
  const answer = style === "question" ? claim : `${value}.`;
  const colon = question.replace(/\?$/u, ":");
  const forms = [`${question} ${answer}`, `${colon} ${answer}`, `Q: ${question} A: ${answer}`];
  return choose(random, [...forms, forms[1]!]);
}

/** Lower-cases an initial article: "The capital" → "the capital"; names keep their capital. */
function withoutCapital(claim: string): string {
  return /^(?:The|A|An|In|On|By|During|Since|After|About|There|It|Its|Half|Women|Many|Most|Some|One|Two|Three|Other|Its|This|These|All|At|For|From|To|With|As|Of)\b/u
      .test(claim)
    ? claim.charAt(0).toLowerCase() + claim.slice(1)
    : claim;
}

/** Opinions about a country that no source supports; `C` is the country. */
export const OPINIONS: readonly string[] = [
  "I have always wanted to go to C.",
  "I love C, it is my favorite place to visit.",
  "My family comes from C and we go there every summer.",
  "I am not sure, but I would like to learn more about C.",
  "I did not know that! I only know C from the news.",
  "I think C is the most beautiful country I have ever seen.",
  "A friend of mine used to live in C, she said it was great.",
  "That sounds interesting. I should read more about C some day.",
  "I wonder what it is like to live in C.",
  "I never liked the food when I was in C.",
  "Have you ever been to C? I went there last year.",
  "My teacher told me a lot about C, but I forgot most of it.",
  "It must be hard to live in C, I could not do it.",
  "I'm a big fan of C, I follow their football team.",
];

/**
 * Rewords a statement without a change of meaning: synonyms, formats of numbers and dates, a moved
 * or omitted adverbial, omitted parentheses and trailing clauses. Omissions only weaken the claim.
 * Equal random sources treat two versions that differ in one word alike.
 */
export function reword(claim: string, random: RandomSource): string {
  let text = claim;
  if (bernoulli(random, 0.6)) text = text.replace(/ \([^()]*\)/gu, "");
  if (bernoulli(random, 0.35)) text = text.replace(TRAIL, ".");
  if (bernoulli(random, 0.5)) text = adverbialMoved(text, bernoulli(random, 0.5));
  if (bernoulli(random, 0.6)) text = synonyms(text, random);
  if (bernoulli(random, 0.5)) text = otherFormats(text, random);
  return text;
}

/** Replaces up to three words by synonyms. */
function synonyms(text: string, random: RandomSource): string {
  let result = text;
  let left = 3;
  for (const [word, ...others] of random.shuffle(editWords("same meaning"))) {
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

/** Moves or drops an adverbial: "In 1963, Kenya …" → "Kenya … in 1963." */
function adverbialMoved(text: string, drop: boolean): string {
  const [, opening, rest] = OPENING.exec(text) ?? [];
  if (opening === undefined || rest === undefined) return text;
  const moved = drop ? "" : ` ${opening.charAt(0).toLowerCase()}${opening.slice(1)}`;
  return `${rest.charAt(0).toUpperCase()}${rest.slice(1)}${moved}.`;
}

/** Trailing clauses after a comma and a subordinator. */
const TRAIL =
  /, (?:which|including|such as|where|while|whereas|although|as well as|followed by|leading to|with|making|resulting in|ending) [^,]*(?:, [^,]*)*\.$/u;
const SQUARE_KILOMETERS = ["square kilometers", "km²", "square kilometres"];
const DAY_AND_MONTH = new RegExp(`\\b(\\d{1,2}) (${MONTHS.join("|")})\\b( \\d{4})?`, "gu");

/**
 * Changes formats: units spelt out or abbreviated, scale words as digits, day and month exchanged.
 */
function otherFormats(text: string, random: RandomSource): string {
  const percent = choose(random, [" percent", " per cent", "%"]);
  return text
    .replace(/(\d)%/gu, (_, digit) => digit + percent)
    .replace(/(\d) sq km/gu, `$1 ${choose(random, SQUARE_KILOMETERS)}`)
    .replace(/(\d) km\b(?!²)/gu, `$1 ${choose(random, ["kilometers", "kilometres"])}`)
    .replace(/\$([\d.]+ (?:million|billion|trillion))/gu, choose(random, ["$1 dollars", "US$$$1"]))
    .replace(
      /\b(\d+)\.(\d{1,3}) million\b/gu,
      (whole, a, b) =>
        bernoulli(random, 0.4)
          ? `${Number(a).toLocaleString("en-US")},${b.padEnd(3, "0")},000`
          : whole,
    )
    .replace(/\b(\d{1,3}),(\d)00,000\b/gu, "$1.$2 million")
    .replace(DAY_AND_MONTH, (_, day, month, year) => `${month} ${day}${year ? `,${year}` : ""}`);
}

/** Rounds a long number to three digits: "about 68,500,000". Undefined where nothing is gained. */
export function rounded(text: string): string | undefined {
  const [number] = /(?<!\d)\d{1,3}(?:,\d{3})+(?!\d)/u.exec(text) ?? [];
  const value = Number(number?.replaceAll(",", ""));
  const roundedValue = Number(value.toPrecision(3));
  if (number === undefined || roundedValue === value) return undefined;
  return text.replace(
    /(?:[Aa]bout )?\d{1,3}(?:,\d{3})+/u,
    (whole) =>
      `${whole.startsWith("A") ? "About" : "about"} ${roundedValue.toLocaleString("en-US")}`,
  );
}

/** Rewords and styles both versions alike; unchanged where rewording made them equal. */
export function claimPair({ versions }: StatementContrast, random: RandomSource): [string, string] {
  const style = sampleWeighted(random, WEIGHTS);
  const seed = random.integer(0x100000000);
  const bothVersions = (change: (claim: string, random: RandomSource) => string) =>
    versions.map((version) =>
      dressed(change(version.claim, randomSource(seed)), style, version, randomSource(seed + 1))
    ) as [string, string];
  const [a, b] = versions.map(({ claim }) => rounded(claim));
  if (a !== undefined && b !== undefined && farApart(a, b) && bernoulli(random, 0.25)) {
    return bothVersions((claim) => rounded(claim)!);
  }
  const changed = bothVersions(reword);
  return changed[0] === changed[1] ? bothVersions((claim) => claim) : changed;
}

/** Tests that rounding cannot make a true statement false. */
function farApart(a: string, b: string): boolean {
  const [x, y] = [a, b].map((text) => Number(/\d[\d,]*/u.exec(text)![0].replaceAll(",", "")));
  return Math.abs(x! - y!) > 0.05 * Math.max(x!, y!);
}
