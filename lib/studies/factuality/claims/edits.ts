/** Edits that make a contradictory statement by changing a word, name, number or value. */
import { bernoulli, choose, type RandomSource, sampleWeighted } from "../../../stats/random.ts";
import { readEnglish } from "../../../factuality/claims/english.ts";
import { MONTHS } from "../../../factuality/own/variants/variant.ts";
import { editWords } from "./tables.ts";
import { factStatement, withCapitalAndStop } from "./statements.ts";
import type { Fact, Statement, StatementContrast } from "./statements.ts";

/** Names that can replace each other. */
export interface NamePool {
  readonly countries: readonly string[];
  /** Names in running text: people, parties, places, organisations. */
  readonly others: readonly string[];
}

/** Names within a sentence: runs of capitalised words, except at its beginning. */
function namesIn(text: string): readonly string[] {
  const matches = text.matchAll(/(?<=[\p{Ll}\d,)] )(?:\p{Lu}[\p{L}'-]*)(?: \p{Lu}[\p{L}'-]*)*/gu);
  const classed = editWords("exclusive").flat();
  const names = [...matches].map(([name]) => name.replace(/'s$/u, "").replace(/-$/u, ""));
  return [...new Set(names)].filter((name) => name.length > 2 && !classed.includes(name));
}

/** Collects the names of a set of texts. */
export function namePool(texts: readonly string[], countries: readonly string[]): NamePool {
  const known = new Set(countries);
  const names = new Set(texts.flatMap(namesIn).filter((name) => !known.has(name)));
  return { countries: [...known].sort(), others: [...names].sort() };
}

/** Edits a statement into one that contradicts it. Undefined where it does not apply. */
type Edit = (text: string, random: RandomSource, pool: NamePool) => string | undefined;

/**
 * Replaces a name by another of its kind that the text does not contain: a country, an
 * abbreviation, ….
 */
const changeName: Edit = (text, random, { countries, others }) => {
  const names = namesIn(text);
  if (names.length === 0) return undefined;
  const name = choose(random, names);
  const shape = (one: string) => /^\p{Lu}+$/u.test(one) ? 0 : one.split(" ").length;
  const kin = countries.includes(name)
    ? countries
    : others.filter((other) => shape(other) === shape(name));
  const candidates = kin.filter((other) => !text.includes(other) && !name.includes(other));
  if (candidates.length === 0) return undefined;
  return text.replace(name, () => choose(random, candidates));
};

const DAY = new RegExp(`^\\d{1,2} (?:${MONTHS.join("|")})`, "u");

/** Numbers with thousands separators, decimals, and years. */
const NUMBERS = /(?<![\p{L}\d.,-])\d+(?:,\d{3})*(?:\.\d+)?(?![\p{L}\d])/gu;

/** Replaces a number by another in the same format. A year moves by 1–40. */
function changeNumber(text: string, random: RandomSource): string | undefined {
  const matches = [...text.matchAll(NUMBERS)];
  if (matches.length === 0) return undefined;
  const { 0: written, index } = choose(random, matches);
  const end = index + written.length;
  const other = DAY.test(text.slice(index, index + 12))
    ? String((Number(written) + random.integer(27)) % 28 + 1)
    : otherNumber(written, random);
  if (other === undefined) return undefined;
  // No one writes more than 100 % by mistake.
  if (text.startsWith("%", end) && Number(other) > 100) return undefined;
  return text.slice(0, index) + other + text.slice(end);
}

/** Replaces a day, month or scale ("million" by "billion"); undefined where there is none. */
function changeUnit(text: string, random: RandomSource): string | undefined {
  const month = new RegExp(`\\b(?:${MONTHS.join("|")})\\b(?= \\d|,)`, "u").exec(text)?.[0];
  const scale = /(?<=\d )(?:million|billion|trillion)\b/u.exec(text)?.[0];
  const unit = month ?? scale;
  if (unit === undefined) return undefined;
  const units = month ? MONTHS : ["million", "billion", "trillion", "thousand"];
  return text.replace(unit, choose(random, units.filter((other) => other !== unit)));
}

function otherNumber(written: string, random: RandomSource): string | undefined {
  const value = Number(written.replaceAll(",", ""));
  const isYear = /^(?:1\d|20)\d\d$/u.test(written);
  const decimals = written.split(".")[1]?.length ?? 0;
  const changed = isYear
    ? value + choose(random, [-1, 1]) * (1 + random.integer(40))
    : changedValue(written, value, decimals, random);
  const text = changed.toLocaleString("en-US", {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    useGrouping: !isYear && (written.includes(",") || changed >= 10_000),
  });
  return text === written || changed < 0 ? undefined : text;
}

/** Changes a value by 5–50 %, by a factor, or by swapped digits. */
function changedValue(written: string, value: number, decimals: number, random: RandomSource) {
  const least = 10 ** -decimals;
  if (bernoulli(random, 0.25)) {
    const digits = written.replaceAll(",", "");
    const swapped = digits.replace(/([1-9])(\d)/u, "$2$1");
    if (swapped !== digits && !/^0\d/u.test(swapped)) return Number(swapped);
  }
  const factor = bernoulli(random, 0.6)
    ? 1 + choose(random, [-1, 1]) * (0.05 + 0.45 * random.next())
    : choose(random, [0.1, 0.3, 2, 3, 5, 10]);
  const moved = Math.round(value * factor / least) * least;
  return moved === value ? value + least : moved;
}

/** Replaces a word by its opposite: "largest" by "smallest". */
const useOpposite: Edit = (text, random) =>
  replaceWord(text, random, (word) => {
    const pair = editWords("opposite").find((words) => words.includes(word));
    return pair?.find((other) => other !== word);
  });

/** Replaces a word by another of its class: "northern" by "eastern", "Dutch" by "British". */
const useSibling: Edit = (text, random) =>
  replaceWord(text, random, (word) => {
    const siblings = editWords("exclusive").find((line) => line.includes(word));
    return siblings && choose(random, siblings.filter((other) => other !== word));
  });

function replaceWord(
  text: string,
  random: RandomSource,
  replacement: (word: string) => string | undefined,
): string | undefined {
  const words = [...text.matchAll(/\p{L}+/gu)]
    .filter(([word]) => replacement(word) !== undefined);
  if (words.length === 0) return undefined;
  const { 0: word, index } = choose(random, words);
  return text.slice(0, index) + replacement(word)! + text.slice(index + word.length);
}

const AUXILIARY = /\b(?:is|are|was|were|has|have|had|will|can|could|would|must|may|does|did)\b/u;

/** Inserts or removes "not" at the first verb, sometimes "never": "gained" → "did not gain". */
const negate: Edit = (text, random) => {
  const denied = /\b(?:not|never) /u.exec(text)?.[0];
  if (denied !== undefined) return text.replace(denied, "");
  const none = /\bno (?=\p{Ll})/u.exec(text)?.[0];
  if (none !== undefined) return text.replace(none, "some ");
  const auxiliary = AUXILIARY.exec(text);
  if (auxiliary !== null && auxiliary.index < text.length / 2) {
    const end = auxiliary.index + auxiliary[0].length;
    return `${text.slice(0, end)} ${bernoulli(random, 0.8) ? "not" : "never"}${text.slice(end)}`;
  }
  const { tokens } = readEnglish(text);
  // Where the verb directly follows its subject.
  const verb = tokens.find(({ partOfSpeech, normal, lemma }, i) =>
    partOfSpeech === "VERB" && normal.endsWith("ed") && lemma !== normal &&
    tokens[i + 1]?.normal !== "by" &&
    /NOUN|PROPN/u.test(tokens[i - 1]?.partOfSpeech ?? "")
  );
  return verb && `${text.slice(0, verb.start)}did not ${verb.lemma}${text.slice(verb.end)}`;
};

/** Exchanges the parties of an asymmetric relation, or reverses "from A to B". */
const exchangeRoles: Edit = (text) => {
  const turned = text.replace(FROM_TO, "from $2 to $1");
  if (turned !== text) return turned;
  const exchanged = text.replace(ACTED, "$3 $2 $1");
  return exchanged === text ? undefined : exchanged;
};

const NAME = "(?:the )?\\p{Lu}[\\p{L}'-]+(?: \\p{Lu}[\\p{L}'-]+)*";
const ACTS = "defeated|invaded|occupied|annexed|conquered|overthrew|succeeded|replaced|ousted|" +
  "ceded|colonized|ruled|governed|recognized|won independence from|seceded from|controls|attacked";
const ACTED = new RegExp(`(${NAME}) (${ACTS}) (${NAME})`, "u");
const FROM_TO = new RegExp(`from (${NAME}|\\d{4}) to (${NAME}|\\d{4})`, "u");

/** Edits by kind. */
export const EDITS = {
  number: changeNumber,
  unit: changeUnit,
  name: changeName,
  negation: negate,
  opposite: useOpposite,
  sibling: useSibling,
  role: exchangeRoles,
} as const satisfies Readonly<Record<string, Edit>>;

/** Weights for trying each edit first; rarely applicable ones weigh more. */
const OF_WORDS = { negation: 12, opposite: 26, sibling: 26, role: 30 };
const WEIGHTS = { number: 20, unit: 12, name: 18, ...OF_WORDS };

/** Makes a contrast from a sentence of the source. Undefined where no edit applies. */
export function proseContrast(
  statement: Statement,
  pool: NamePool,
  random: RandomSource,
): StatementContrast | undefined {
  const open: Record<keyof typeof EDITS, number> = { ...WEIGHTS };
  while (Object.values(open).some((weight) => weight > 0)) {
    const edit = sampleWeighted(random, open);
    const source = EDITS[edit](statement.source, random, pool);
    if (source !== undefined && source !== statement.source) {
      return {
        edit,
        versions: [statement, { ...statement, source, claim: withCapitalAndStop(source) }],
      };
    }
    open[edit] = 0;
  }
  return undefined;
}

/**
 * Makes a contrast from a fact with another value: a changed number, or another country's value.
 */
export function factContrast(
  fact: Fact,
  values: ReadonlyMap<string, readonly string[]>,
  random: RandomSource,
): StatementContrast | undefined {
  const phrasing = choose(random, fact.template.phrasings);
  const [edit, value] = otherValue(fact, values, random);
  if (value === undefined || value === fact.value) return undefined;
  const version = (shownValue: string) => factStatement(fact, shownValue, phrasing);
  return { edit, versions: [version(fact.value), version(value)] };
}

function otherValue(
  { value, field, template }: Fact,
  values: ReadonlyMap<string, readonly string[]>,
  random: RandomSource,
): [string, string | undefined] {
  if (/\d/u.test(value)) {
    const unit = random.next() < 0.3 ? changeUnit(value, random) : undefined;
    return unit === undefined ? ["number", changeNumber(value, random)] : ["unit", unit];
  }
  const others = (values.get(template.question) ?? [])
    .filter((other) => other !== value && !field.text.includes(other));
  return ["value", others.length > 0 ? choose(random, others) : undefined];
}

/** Values of each question over all countries. */
export function valuesByQuestion(facts: readonly Fact[]): ReadonlyMap<string, readonly string[]> {
  const groups = [...Map.groupBy(facts, ({ template }) => template.question)];
  const distinct = (group: readonly Fact[]) => [...new Set(group.map(({ value }) => value))].sort();
  return new Map(groups.map(([question, group]) => [question, distinct(group)]));
}

/** Orders the two versions at random; the source states the first. */
export const inEitherOrder = (
  { edit, versions: [a, b] }: StatementContrast,
  random: RandomSource,
): StatementContrast => (
  { edit, versions: bernoulli(random, 0.5) ? [a, b] : [b, a] }
);
