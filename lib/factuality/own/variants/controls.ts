/** Control rules, one per kind: changes that keep a text true. */
import { choose } from "../../../stats/random.ts";
import { type EnglishToken, readEnglish } from "../../claims/english.ts";
import { readDates } from "../../features/quantities.ts";
import type { Amount } from "../../features/quantities.ts";
import { SPELLINGS, SYNONYMS } from "./tables.ts";
import {
  afterChange,
  amountsIn,
  capitalised,
  changeBetween,
  MONTHS,
  numbersIn,
  replacementAt,
  replacements,
  type TextChange,
  UNITS,
  type VariantRule,
} from "./variant.ts";

const WORD = "\\p{Lu}[\\p{L}-]*";

/** Capitalised words that begin a sentence and belong to no name, such as "Since". */
const OWNER = "(?!(?:Under|Since|After|Following|In|On|With|During|By|From|Despite|Although|When|" +
  "While|As|At|Before|Until|Through|Of|And|For|Like|Both)\\b)" +
  `(?:(?:[Tt]he )?${WORD}(?: ${WORD})*|[Tt]he \\p{Ll}+)`;

/** Nouns whose genitive and of-phrase mean the same; "the island of Bali" is not Bali's. */
const BELONGINGS = "capital|population|government|president|economy|parliament|constitution|" +
  "borders?|coast|coastline|territory|leader|people|king|army|military|flag|history|area|" +
  "inhabitants|ruler|legislature|prime minister|climate|anthem|currency|total area|land area|" +
  "highest point|mean elevation|official language|birth rate|death rate|chief export|" +
  "main agricultural product|national anthem|fertility rate|voting age|railway network";

const OF = new RegExp(
  `(?<![\\p{L}] of )[Tt]he (${BELONGINGS}) of (${OWNER})(?![\\p{L}'’-]| \\p{Lu}| and )`,
  "gu",
);

const OWNERS = new RegExp(
  `(?<![\\p{L}'’-]|\\b(?:of|and) |\\b[Tt]he |\\p{Lu}[\\p{L}-]* )(${OWNER})['’]s? (?=\\p{Ll})`,
  "gu",
);

/**
 * Paraphrases by construction: "the capital of Y" ↔ "Y's capital", "A was ruled by B" ↔ "B ruled
 * A".
 */
export const paraphrase: VariantRule = (text) => {
  const voice = otherVoice(text);
  if (voice !== undefined) return [voice];
  const ownersFirst = replacements(text, OF, (index, _, thing: string, owner: string) => {
    const name = index === 0 ? capitalised(owner) : owner;
    return `${name}${/s$/u.test(name) ? "'" : "'s"} ${thing}`;
  });
  return [...ownersFirst, ...possessorLast(text)];
};

function possessorLast(text: string): readonly TextChange[] {
  const { tokens } = readEnglish(text);
  return [...text.matchAll(OWNERS)].flatMap(({ 0: whole, 1: owner, index }) => {
    const from = index + whole.length;
    const thing = nounPhrase(tokens.filter(({ start }) => start >= from));
    if (thing === undefined || /^(?:the )?(?:it|that|there|he|she|let)$/iu.test(owner!)) return [];
    const words = text.slice(from, thing.end);
    const to = `${index === 0 ? "The" : "the"} ${words} of ${owner!.replace(/^The /u, "the ")}`;
    return [{ start: index, end: thing.end, to }];
  });
}

/** Last noun of a noun phrase of adjectives and nouns. Undefined where the phrase continues. */
function nounPhrase(tokens: readonly EnglishToken[]): EnglishToken | undefined {
  const end = tokens.findIndex(({ partOfSpeech }) => !/^(?:ADJ|NOUN)$/u.test(partOfSpeech));
  const last = tokens.at(end < 0 ? -1 : end - 1);
  if (end === 0 || last?.partOfSpeech !== "NOUN") return undefined;
  const next = tokens[end];
  const endsThere = next === undefined || /^(?:AUX|VERB|PUNCT|ADP)$/u.test(next.partOfSpeech) &&
      !/^(?:of|for|-|['’]s?)$/u.test(next.normal);
  return endsThere ? last : undefined;
}

const THING = "(?:(?:[Tt]he |[Aa]n? )?[\\p{L}'’.-]+(?: [\\p{L}'’.-]+){0,4})";
const WHEN = "( (?:in|on|during|until|since) [^,;]{3,30})?";
const PASSIVE = new RegExp(
  `^(${THING}) (?:was|were) (\\p{Ll}+ed|held|led|built|won|overthrown) by (${THING}?)${WHEN}\\.$`,
  "u",
);

const ACTIVE = new RegExp(
  `^(${THING}) (\\p{Ll}+ed|held|led|built|won) (the \\p{Lu}?[\\p{L} -]+?|\\p{Lu}[\\p{L} -]+?)${WHEN}\\.$`,
  "u",
);

const TRANSITIVE =
  /^(?:colonized|annexed|occupied|invaded|defeated|ruled|conquered|captured|seized|recognized|discovered|founded|settled|controlled|administered|won|held|built|led|adopted|established|purchased|acquired|designed|composed|explored|destroyed|overthrown|introduced|launched|signed|hosted|created|developed|operated|claimed|abolished)$/u;

function otherVoice(text: string): TextChange | undefined {
  const passive = PASSIVE.exec(text);
  const isPassive = passive !== null && TRANSITIVE.test(passive[2]!);
  const clause = isPassive ? passive : ACTIVE.exec(text);
  if (clause === null || !TRANSITIVE.test(clause[2]!)) return undefined;
  const [, one, verb, other, when = ""] = clause as unknown as string[];
  if (!isPlain(one!) || !isPlain(other!)) return undefined;
  const be = /s$/u.test(other!) && !/ss$/u.test(other!) ? "were" : "was";
  const done = isPassive ? verb === "overthrown" ? "overthrew" : verb : `${be} ${verb} by`;
  const rest = one!.replace(/^(?:The|A|An) /u, (article) => article.toLowerCase());
  return changeBetween(text, `${capitalised(other!)} ${done} ${rest}${when}.`);
}

/** Tests that words contain no verb or clause. */
const isPlain = (words: string) =>
  !/\b(?:and|or|which|that|who|is|was|were|be|to|by|not|been|being|after|when|it|from|into|with|for|as|at|on|in)\b/u
    .test(words) &&
  readEnglish(words).tokens.every(({ partOfSpeech }) =>
    !/^(?:VERB|AUX|PRON|ADV)$/u.test(partOfSpeech)
  );

const SYNONYMS_OF = Map.groupBy(SYNONYMS.read(), ({ word }) => word);
const WITH_SYNONYM = new RegExp(
  `(?<![\\p{L}-])(?:${[...SYNONYMS_OF.keys()].join("|")})(?![\\p{L}-])`,
  "gu",
);

/** Replaces a word with one meaning by its synonym. */
export const useSynonym: VariantRule = (text, _tools, random) =>
  replacements(text, WITH_SYNONYM, (index, word) => {
    const before = text.slice(0, index);
    const fitting = SYNONYMS_OF.get(word)!.map(({ synonym }) => synonym).filter((other) =>
      !text.includes(other) && !(/^[aeiou]/u.test(other) ? /\ba $/u : /\ban $/u).test(before)
    );
    return fitting.length === 0 ? undefined : choose(random, fitting);
  });

/**
 * Reorders: "In 1963, Kenya …" ↔ "Kenya … in 1963.", "A and B" ↔ "B and A", "oil, gas, and gold".
 */
export const reorder: VariantRule = (text, { gazetteer }) => {
  const moved = [moveToEnd(text), moveToFront(text)].filter((change) => change !== undefined);
  if (moved.length > 0) return moved;
  if (ORDERED.test(text)) return [];
  const isCountry = (name: string) =>
    gazetteer.find(name).some(({ start, end }) => start === 0 && end === name.length);
  const pairs = replacements(text, PAIR, (_index, _whole, a: string, b: string) => {
    return isCountry(a) && isCountry(b) ? `${b} and ${a}` : undefined;
  });
  // The last of a list of single words moves to the front.
  const lists = replacements(
    text,
    LIST,
    (_index, _whole, first: string, next: string, last: string) => `${last}, ${first}and ${next}`,
  );
  return [...pairs, ...lists];
};

const OPENING = /^((?:In|On|During|Since|After|Following|Until|At) [^,.;]{3,40}), ([^,;:]+)\.$/u;
const CLOSING =
  /^([^,;:]+) ((?:in|on|since|during) (?:the )?(?:\d{1,2} )?(?:\p{Lu}\p{Ll}+ )?\d{4}s?)\.$/u;

function moveToEnd(text: string): TextChange | undefined {
  const [, opening, rest] = OPENING.exec(text) ?? [];
  if (opening === undefined || !takesAdverbial(rest!) || /\b(?:it|its|they|their)\b/u.test(rest!)) {
    return undefined;
  }
  const sentence = `${capitalised(rest!)} ${opening.charAt(0).toLowerCase()}${opening.slice(1)}.`;
  return changeBetween(text, sentence);
}

function moveToFront(text: string): TextChange | undefined {
  const [, rest, closing] = CLOSING.exec(text) ?? [];
  if (rest === undefined || !takesAdverbial(rest)) return undefined;
  const [first, second] = readEnglish(rest).tokens;
  const isCommon = /^(?:NOUN|DET|ADJ|PRON)$/u.test(first!.partOfSpeech) ||
    /^(?:Inflation|Consumer|Economic|Output|Unemployment|Missionaries)$/u.test(first!.text);
  const isName = !isCommon || /^\p{Lu}|^['’]s?$/u.test(second?.text ?? "");
  const start = /^The /u.test(rest) || !isName ? rest.charAt(0).toLowerCase() : rest.charAt(0);
  return changeBetween(text, `${capitalised(closing!)}, ${start}${rest.slice(1)}.`);
}

/** Tests that an adverbial can move. With a second clause or time it might modify the wrong one. */
function takesAdverbial(text: string): boolean {
  const { tokens } = readEnglish(text);
  const verbs = tokens.filter(({ partOfSpeech }, i) =>
    partOfSpeech === "VERB" || partOfSpeech === "AUX" && tokens[i + 1]?.partOfSpeech !== "VERB"
  );
  return verbs.length === 1 && readDates(text).length === 0 && !TAKEN.test(text);
}

const TAKEN =
  /\b(?:and|but|which|who|that|when|where|while|not|by the end|until|since|after|before|during|lasted|for \p{L}+ (?:years|months))\b/u;

/** Words that make an order meaningful: stripes, rankings, "respectively". */
const ORDERED =
  /\b(?:respectively|between|both|from|stripes?|bands?|top|bottom|left|right|order|followed|then|former|latter|either|first)\b/u;
const NAME = "\\p{Lu}[\\p{L}-]+(?: \\p{Lu}[\\p{L}-]+)*";
const PAIR = new RegExp(
  `(?<=\\b(?:of|with|in|by|to|for|including|as|like) )(${NAME}) and (${NAME})(?=[,.;]|$)`,
  "gu",
);

const MEMBER = "[\\p{L}'’-]+";
const LIST = new RegExp(
  `(?<=\\b(?:including|as|of|in|with|by|for|to|against|are|were) )((?:${MEMBER}, )+)(${MEMBER}),? and (${MEMBER})(?=[.;])`,
  "gu",
);

const SMALL = ("zero one two three four five six seven eight nine ten eleven twelve thirteen " +
  "fourteen fifteen sixteen seventeen eighteen nineteen twenty").split(" ");

/** Rewrites a number: "39.2 million" ↔ "39,200,000", "12" ↔ "twelve", "45%" ↔ "45 percent". */
export const reformatNumber: VariantRule = (text) =>
  amountsIn(text).flatMap((amount) =>
    WAYS.flatMap((way) => {
      const [from, to] = way(amount) ?? [];
      if (from === undefined || to === undefined) return [];
      const start = amount.start + amount.text.lastIndexOf(from);
      return [replacementAt(start, from, start === 0 ? capitalised(to) : to)];
    }).filter((change) => afterChange(text, change, amount) === "same")
  );

const MILLIONS: Readonly<Record<string, number>> = { million: 1e6, billion: 1e9 };

/** Alternative spellings of an amount: the part replaced and its replacement. */
const WAYS: readonly ((amount: Amount) => readonly [from: string, to: string] | undefined)[] = [
  ({ text }) => {
    const [from, digits, scale] = /(\d+(?:\.\d+)?) (million|billion)/u.exec(text) ?? [];
    if (from === undefined) return undefined;
    return [from, Math.round(Number(digits) * MILLIONS[scale!]!).toLocaleString("en-US")];
  },
  ({ text }) => {
    const [from] = /\d{1,3}(?:,\d{3})+/u.exec(text) ?? [];
    const value = Number(from?.replaceAll(",", ""));
    const scale = value >= 1e9 ? "billion" : "million";
    const scaled = value / MILLIONS[scale]!;
    const isShort = value >= 1e6 && Number(scaled.toFixed(3)) === scaled;
    return from !== undefined && isShort ? [from, `${scaled} ${scale}`] : undefined;
  },
  ({ text, dimension, currency }) => {
    const [from] = /^\d{1,2}(?![\d.,%])/u.exec(text) ?? [];
    const word = SMALL[Number(from)];
    if (from === undefined || word === undefined || currency !== "") return undefined;
    return Number(from) > 1 && dimension !== "percent" ? [from, word] : undefined;
  },
  ({ text }) => {
    const [from] = /^\p{L}+/u.exec(text) ?? [];
    const value = SMALL.indexOf(from?.toLowerCase() ?? "");
    return from === undefined || value < 2 ? undefined : [from, String(value)];
  },
  ({ text }) => {
    const [sign] = /%$| per ?cent$/u.exec(text) ?? [];
    return sign === undefined ? undefined : [sign, sign === "%" ? " percent" : "%"];
  },
];

const MONTH = `(${MONTHS.join("|")})`;

/** Date formats with conversions to others. */
const DATE_FORMS: readonly (readonly [RegExp, (parts: readonly string[]) => readonly string[]])[] =
  [
    [
      new RegExp(`^(\\d{1,2}) ${MONTH},? (\\d{4})$`, "u"),
      ([day, month, year]) => [
        `${month} ${day}, ${year}`,
        `${year}-${twoDigits(MONTHS.indexOf(month!) + 1)}-${twoDigits(Number(day))}`,
      ],
    ],
    [new RegExp(`^${MONTH} (\\d{1,2}), (\\d{4})$`, "u"), ([m, d, y]) => [`${d} ${m} ${y}`]],
    [new RegExp(`^(\\d{1,2}) ${MONTH}$`, "u"), ([day, month]) => [`${month} ${day}`]],
    [new RegExp(`^${MONTH} (\\d{1,2})$`, "u"), ([month, day]) => [`${day} ${month}`]],
    [
      new RegExp(`^${MONTH} (\\d{4})$`, "u"),
      ([month, year]) =>
        [`${month} of ${year}`, `${month!.slice(0, 3)}. ${year}`].slice(
          0,
          month!.length > 4 ? 2 : 1,
        ),
    ],
  ];

const twoDigits = (value: number) => String(value).padStart(2, "0");

/** Rewrites a date: "18 February 1965" ↔ "February 18, 1965", "March 1990" as "March of 1990". */
export const reformatDate: VariantRule = (text) =>
  readDates(text).flatMap((date) => {
    // The sentence's full stop may have been read as that of an abbreviated month.
    const written = date.text.replace(/\.$/u, "");
    return DATE_FORMS.flatMap(([pattern, otherwise]) => {
      const [, ...parts] = pattern.exec(written) ?? [];
      const others = parts.length === 0 ? [] : otherwise(parts);
      return others.map((to) => replacementAt(date.start, written, to));
    }).filter((change) => afterChange(text, change, date) === "same");
  });

/** Minimum number of significant digits after conversion, to keep rounding errors small. */
const MIN_DIGITS = 3;

/** Converts a length, area or mass to another unit. */
export const convertUnit: VariantRule = (text) =>
  numbersIn(text).flatMap(({ amount, start, digits, value }) =>
    UNITS.flatMap(([written, to, factor]) => {
      const unit = written.exec(amount.text);
      if (unit === null || factor === undefined || start !== amount.start) return [];
      if (amount.text.slice(digits.length, unit.index).trim() !== "") return [];
      const significant = digits.replace(/\D/gu, "").replace(/^0+|0+$/gu, "").length;
      const most = Math.max(significant, MIN_DIGITS);
      const number = Number((value * factor).toPrecision(most))
        .toLocaleString("en-US", { maximumSignificantDigits: most });
      return [{ start, end: amount.end, to: `${number} ${to}` }];
    }).filter((change) => afterChange(text, change, amount) === "same")
  );

const RESPELT = SPELLINGS.read()
  .flatMap(({ american, british }) => [[american, british], [british, american]] as const)
  .map(([from, to]) => [from, to, new RegExp(`(?<![\\p{L}-])${from}(?![\\p{L}-])`, "u")] as const);

/**
 * Respells without a change of meaning: labor ↔ labour, ' ↔ ’, "In 1963, …" without its comma, no
 * full stop.
 */
export const respell: VariantRule = (text) => {
  const words = RESPELT.flatMap(([from, to, pattern]) => {
    const match = text.includes(from) && pattern.exec(text);
    return match ? [replacementAt(match.index, from, to)] : [];
  });
  const some = [
    ...words,
    ...replacements(text, /(?<=\p{L})['’](?=s\b)/gu, (_, mark) => mark === "'" ? "’" : "'"),
    // "oil, gas, and gold" ↔ "oil, gas and gold".
    ...replacements(text, /(?<=, [\p{L}-]+), and (?=[\p{L}-]+[.,;])/gu, () => " and "),
    ...replacements(text, /(?<=^In \d{4}),/gu, () => ""),
  ];
  return some.length > 0 ? some : replacements(text, /\.$/gu, () => "");
};
