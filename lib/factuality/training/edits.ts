import { chance, choose, chooseWeighted, type RandomSource } from "../../stats/random.ts";
import { readEnglish } from "../claims/english.ts";
import {
  asSentence,
  type Contrast,
  type Fact,
  factStatement,
  type Statement,
} from "./statements.ts";
import { claimWords } from "./rules.ts";

/** Names that may take one another's place. */
export interface NamePool {
  readonly countries: readonly string[];
  /** Other names in running text: people, parties, places, organisations. */
  readonly others: readonly string[];
}

/** Names that stand within a sentence: runs of words with a capital, not at its beginning. */
function namesIn(text: string): readonly string[] {
  const found = text.matchAll(/(?<=[\p{Ll}\d,)] )(?:\p{Lu}[\p{L}'-]*)(?: \p{Lu}[\p{L}'-]*)*/gu);
  const classed = claimWords("exclusive").flat();
  const names = [...found].map(([name]) => name.replace(/'s$/u, "").replace(/-$/u, ""));
  return [...new Set(names)].filter((name) => name.length > 2 && !classed.includes(name));
}

/** The pool of a set of texts. */
export function namePool(texts: readonly string[], countries: readonly string[]): NamePool {
  const known = new Set(countries);
  const names = new Set(texts.flatMap(namesIn).filter((name) => !known.has(name)));
  return { countries: [...known].sort(), others: [...names].sort() };
}

/**
 * One name by another of its kind that the text has not: a country by a country, an abbreviation by
 * an abbreviation, a name of two words by one of two words. Undefined without a name to change.
 */
export function changeName(
  text: string,
  pool: NamePool,
  random: RandomSource,
): string | undefined {
  const names = namesIn(text);
  if (names.length === 0) return undefined;
  const name = choose(random, names);
  const kin = pool.countries.includes(name)
    ? pool.countries
    : pool.others.filter((other) => shape(other) === shape(name));
  const candidates = kin.filter((other) => !text.includes(other) && !name.includes(other));
  if (candidates.length === 0) return undefined;
  return text.replace(name, () => choose(random, candidates));
}

function shape(name: string): string {
  if (/^\p{Lu}+$/u.test(name)) return "abbreviation";
  return `${name.split(" ").length} words`;
}

const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

const DAY = new RegExp(`^\\d{1,2} (?:${MONTHS.join("|")})`, "u");

/** Whole numbers with thousands separators, decimals and years alike. */
const NUMBERS = /(?<![\p{L}\d.,-])\d+(?:,\d{3})*(?:\.\d+)?(?![\p{L}\d])/gu;

/**
 * Another number in one number's place, written in the same manner: a few per cent off, several
 * times as much, or two digits exchanged; a year is moved by 1–40. Undefined without a number.
 */
export function changeNumber(text: string, random: RandomSource): string | undefined {
  const found = [...text.matchAll(NUMBERS)];
  if (found.length === 0) return undefined;
  const match = choose(random, found);
  const day = DAY.test(text.slice(match.index, match.index + 12));
  const other = day ? otherDay(match[0], random) : otherNumber(match[0], random);
  if (other === undefined) return undefined;
  // More than the whole is no mistake that anybody makes.
  const share = text.startsWith("%", match.index + match[0].length);
  if (share && Number(other) > 100) return undefined;
  return text.slice(0, match.index) + other + text.slice(match.index + match[0].length);
}

/** Another day, month or scale ("million" for "billion"); undefined where none is named. */
function changeUnit(text: string, random: RandomSource): string | undefined {
  const month = new RegExp(`\\b(?:${MONTHS.join("|")})\\b(?= \\d|,)`, "u").exec(text)?.[0];
  if (month !== undefined) {
    const others = MONTHS.filter((other) => other !== month);
    return text.replace(month, choose(random, others));
  }
  const scales = ["million", "billion", "trillion", "thousand"];
  const scale = /(?<=\d )(?:million|billion|trillion)\b/u.exec(text)?.[0];
  if (scale === undefined) return undefined;
  return text.replace(scale, choose(random, scales.filter((other) => other !== scale)));
}

function otherDay(written: string, random: RandomSource): string {
  return String((Number(written) + random.integer(27)) % 28 + 1);
}

function otherNumber(written: string, random: RandomSource): string | undefined {
  const value = Number(written.replaceAll(",", ""));
  const year = /^(?:1\d|20)\d\d$/u.test(written);
  const decimals = written.split(".")[1]?.length ?? 0;
  const changed = year
    ? value + choose(random, [-1, 1]) * (1 + random.integer(40))
    : changedValue(written, value, decimals, random);
  const grouped = !year && (written.includes(",") || changed >= 10_000);
  const text = changed.toLocaleString("en-US", {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    useGrouping: grouped,
  });
  return text === written || changed < 0 ? undefined : text;
}

/** By 5–50 %, by a factor, or by two neighbouring digits exchanged. */
function changedValue(written: string, value: number, decimals: number, random: RandomSource) {
  const least = 10 ** -decimals;
  if (chance(random, 0.25)) {
    const digits = written.replaceAll(",", "");
    const swapped = digits.replace(/([1-9])(\d)/u, (_, a, b) => `${b}${a}`);
    if (swapped !== digits && !/^0\d/u.test(swapped)) return Number(swapped);
  }
  const factor = chance(random, 0.6)
    ? 1 + choose(random, [-1, 1]) * (0.05 + 0.45 * random.next())
    : choose(random, [0.1, 0.3, 2, 3, 5, 10]);
  const moved = Math.round(value * factor / least) * least;
  return moved === value ? value + least : moved;
}

/** Makes of a statement one that excludes it; undefined where it finds nothing to change. */
type Edit = (text: string, random: RandomSource) => string | undefined;

/** One word by its opposite: "largest" by "smallest". */
export const useOpposite: Edit = (text, random) =>
  replaceWord(text, random, (word) => {
    const pair = claimWords("opposite").find((words) => words.includes(word));
    return pair?.find((other) => other !== word);
  });

/** One word by another of its class: "northern" by "eastern", "Dutch" by "British". */
export const useSibling: Edit = (text, random) =>
  replaceWord(text, random, (word) => {
    const siblings = claimWords("exclusive").find((line) => line.includes(word));
    return siblings && choose(random, siblings.filter((other) => other !== word));
  });

function replaceWord(
  text: string,
  random: RandomSource,
  replacement: (word: string) => string | undefined,
): string | undefined {
  const words = [...text.matchAll(/\p{L}+/gu)].filter(({ 0: word }) =>
    replacement(word) !== undefined
  );
  if (words.length === 0) return undefined;
  const { 0: word, index } = choose(random, words);
  return text.slice(0, index) + replacement(word)! + text.slice(index + word.length);
}

const AUXILIARY = /\b(?:is|are|was|were|has|have|had|will|can|could|would|must|may|does|did)\b/u;

/** "not" put in or taken out at the first verb; "never" for some. */
export const negate: Edit = (text, random) => {
  const denied = /\b(?:not|never) /u.exec(text)?.[0];
  if (denied !== undefined) return text.replace(denied, "");
  const none = /\bno (?=\p{Ll})/u.exec(text)?.[0];
  if (none !== undefined) return text.replace(none, "some ");
  const auxiliary = AUXILIARY.exec(text);
  if (auxiliary !== null && auxiliary.index < text.length / 2) {
    const end = auxiliary.index + auxiliary[0].length;
    return `${text.slice(0, end)} ${chance(random, 0.8) ? "not" : "never"}${text.slice(end)}`;
  }
  return denyPast(text);
};

/** "gained" → "did not gain", where the verb follows its subject at once. */
function denyPast(text: string): string | undefined {
  const { tokens } = readEnglish(text);
  const verb = tokens.find(({ partOfSpeech, normal, lemma }, i) =>
    partOfSpeech === "VERB" && normal.endsWith("ed") && lemma !== normal &&
    tokens[i + 1]?.normal !== "by" &&
    /NOUN|PROPN/u.test(tokens[i - 1]?.partOfSpeech ?? "")
  );
  if (verb === undefined) return undefined;
  return `${text.slice(0, verb.start)}did not ${verb.lemma}${text.slice(verb.end)}`;
}

/** Two parties exchanged around what only one can do to the other; "from A to B" turned round. */
export const exchangeRoles: Edit = (text) => {
  const turned = text.replace(FROM_TO, "from $2 to $1");
  if (turned !== text) return turned;
  const exchanged = text.replace(
    ACTED,
    (_, a: string, act: string, b: string) => `${b} ${act} ${a}`,
  );
  return exchanged === text ? undefined : exchanged;
};

const NAME = "(?:the )?\\p{Lu}[\\p{L}'-]+(?: \\p{Lu}[\\p{L}'-]+)*";

const ACTS = "defeated|invaded|occupied|annexed|conquered|overthrew|succeeded|replaced|ousted|" +
  "ceded|colonized|ruled|governed|recognized|won independence from|seceded from|controls|attacked";

const ACTED = new RegExp(`(${NAME}) (${ACTS}) (${NAME})`, "u");
const FROM_TO = new RegExp(`from (${NAME}|\\d{4}) to (${NAME}|\\d{4})`, "u");

type EditName =
  | "number"
  | "unit"
  | "name"
  | "negation"
  | "opposite"
  | "sibling"
  | "role"
  | "value";

/** How often each edit is tried first; rarer chances of use weigh more. */
const WEIGHTS: Readonly<Record<Exclude<EditName, "value">, number>> = {
  number: 20,
  unit: 12,
  name: 18,
  negation: 12,
  opposite: 26,
  sibling: 26,
  role: 30,
};

/** A sentence of the source and one that excludes it; undefined where no edit finds a place. */
export function proseContrast(
  statement: Statement,
  pool: NamePool,
  random: RandomSource,
): Contrast | undefined {
  const open = { ...WEIGHTS } as Record<keyof typeof WEIGHTS, number>;
  while (Object.values(open).some((weight) => weight > 0)) {
    const edit = chooseWeighted(random, open);
    const source = edited(edit, statement.source, pool, random);
    if (source !== undefined && source !== statement.source) {
      return { edit, versions: [statement, { ...statement, source, claim: asSentence(source) }] };
    }
    open[edit] = 0;
  }
  return undefined;
}

function edited(
  edit: keyof typeof WEIGHTS,
  text: string,
  pool: NamePool,
  random: RandomSource,
): string | undefined {
  switch (edit) {
    case "number":
      return changeNumber(text, random);
    case "unit":
      return changeUnit(text, random);
    case "name":
      return changeName(text, pool, random);
    case "negation":
      return negate(text, random);
    case "opposite":
      return useOpposite(text, random);
    case "sibling":
      return useSibling(text, random);
    case "role":
      return exchangeRoles(text, random);
  }
}

/** A fact and the same with another value: a changed number, or what another country has there. */
export function factContrast(
  fact: Fact,
  values: ReadonlyMap<string, readonly string[]>,
  random: RandomSource,
): Contrast | undefined {
  const phrasing = choose(random, fact.template.phrasings);
  const [edit, value] = otherValue(fact, values, random);
  if (value === undefined || value === fact.value) return undefined;
  const versions = [fact.value, value].map((told) => factStatement(fact, told, phrasing));
  return { edit, versions: versions as [Statement, Statement] };
}

function otherValue(
  fact: Fact,
  values: ReadonlyMap<string, readonly string[]>,
  random: RandomSource,
): [EditName, string | undefined] {
  if (/\d/u.test(fact.value)) {
    const unit = random.next() < 0.3 ? changeUnit(fact.value, random) : undefined;
    if (unit !== undefined) return ["unit", unit];
    return ["number", changeNumber(fact.value, random)];
  }
  const others = (values.get(fact.template.question) ?? []).filter((other) =>
    other !== fact.value && !fact.field.text.includes(other)
  );
  return ["value", others.length > 0 ? choose(random, others) : undefined];
}

/** The values that each question has in any country. */
export function valuesByQuestion(facts: readonly Fact[]): ReadonlyMap<string, readonly string[]> {
  const groups = Map.groupBy(facts, ({ template }) => template.question);
  return new Map(
    [...groups].map(([question, group]) => [
      question,
      [...new Set(group.map(({ value }) => value))].sort(),
    ]),
  );
}

/** The versions in either order, as likely: which of them the source says is drawn by lot. */
export function inEitherOrder(
  { edit, versions: [a, b] }: Contrast,
  random: RandomSource,
): Contrast {
  return { edit, versions: chance(random, 0.5) ? [a, b] : [b, a] };
}
