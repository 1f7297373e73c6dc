import {
  FRACTION_WORD,
  fractionOfWord,
  NUMBER_WORD,
  numberOfWord,
  ORDINAL_WORD,
  ordinalOfWord,
  SCALES,
} from "./number_words.ts";
import type { Amount, Bound, Quantity } from "./quantity.ts";
import { readDates } from "./read_dates.ts";
import {
  CURRENCY_BEFORE,
  CURRENCY_BEHIND,
  currencyOf,
  type Dimension,
  type Unit,
  UNITS,
} from "./units.ts";

const DIGITS = "\\d{1,3}(?:,\\d{3})+(?:\\.\\d+)?|\\d+(?:\\.\\d+)?";
const SCALE = Object.keys(SCALES).join("|");
const NUMBER = `(?:${DIGITS}|${NUMBER_WORD}|an?(?= (?:${SCALE})\\b)|one(?=[ -](?:${SCALE})\\b))`;
const BOUND = "(?<bound>about|around|approximately|roughly|nearly|almost|some|circa|c\\.|~|" +
  "over|more than|at least|above|exceeding|under|fewer than|less than|at most|below|up to)";

const AMOUNT = new RegExp(
  `(?:${BOUND} )?(?<before>${CURRENCY_BEFORE})?(?<![\\p{L}\\d.,-])(?<sign>[-−](?=\\d))?` +
    `(?<first>${NUMBER})(?:(?<scale1>(?: |-)(?:${SCALE}))(?![\\p{L}]))?` +
    `(?: ?(?:-|–|—|to|or) ?(?<last>${DIGITS}|${NUMBER_WORD})` +
    `(?:(?<scale2>(?: |-)(?:${SCALE}))(?![\\p{L}]))?)?(?![\\p{L}\\d])`,
  "giu",
);
const FRACTION = new RegExp(`\\b(?<word>${FRACTION_WORD})(?= (?:of|the|its|their|an?)\\b)`, "gi");
const ORDINAL = new RegExp(`\\b(?<word>\\d{1,3}(?:st|nd|rd|th)|${ORDINAL_WORD})\\b`, "gi");
const UNIT_PATTERNS = UNITS.map((unit) =>
  [unit, new RegExp(`[ -]?(?:${unit.written})`, "uy")] as const
);
const MONEY_BEHIND = new RegExp(` ?(?:${CURRENCY_BEHIND})`, "iuy");
const BOUNDS: readonly (readonly [Bound, RegExp])[] = [
  ["over", /over|more than|at least|above|exceeding/i],
  ["under", /under|fewer than|less than|at most|below|up to/i],
  ["about", /./],
];

/** Numbers with their units, and dates, in the order of the text, without overlap. */
export function readQuantities(text: string): readonly Quantity[] {
  const dates = readDates(text);
  const found: Quantity[] = [...dates];
  for (const read of [readFractions, readAmounts, readOrdinals]) {
    for (const amount of read(text)) {
      if (!found.some((other) => amount.start < other.end && other.start < amount.end)) {
        found.push(amount);
      }
    }
  }
  return found.toSorted((a, b) => a.start - b.start);
}

function readAmounts(text: string): readonly Amount[] {
  return [...text.matchAll(AMOUNT)].map((match) => {
    const groups = match.groups!;
    const last = match.index + match[0].length;
    const tail = tailOf(text, last, groups.before);
    const numberStart = match.index + match[0].indexOf(groups.before ?? groups.first!);
    const start = groups.sign === undefined ? numberStart : numberStart - 1;
    const [low, value, high] = valuesOf(groups, MEASURED.has(tail.unit.dimension))
      .map((number) => number * tail.unit.factor + tail.unit.offset) as Interval;
    return {
      kind: "amount",
      start,
      end: tail.end,
      text: text.slice(start, tail.end),
      dimension: tail.unit.dimension,
      currency: tail.currency,
      value,
      low,
      high,
      bound: boundOf(groups.bound),
    };
  });
}

const NO_UNIT: Unit = { dimension: "count", written: "", factor: 1, offset: 0 };
const MONEY: Unit = { ...NO_UNIT, dimension: "money" };

function tailOf(text: string, position: number, before: string | undefined) {
  if (before !== undefined) {
    return { unit: MONEY, currency: currencyOf(before) ?? "", end: position };
  }
  MONEY_BEHIND.lastIndex = position;
  const money = MONEY_BEHIND.exec(text)?.[0];
  if (money !== undefined) {
    return { unit: MONEY, currency: currencyOf(money) ?? "", end: position + money.length };
  }
  for (const [unit, pattern] of UNIT_PATTERNS) {
    pattern.lastIndex = position;
    const written = pattern.exec(text)?.[0];
    if (written !== undefined) return { unit, currency: "", end: position + written.length };
  }
  return { unit: NO_UNIT, currency: "", end: position };
}

/** What is read off an instrument, so that its last digit is rounded, and not counted or agreed on. */
const MEASURED: ReadonlySet<Dimension> = new Set([
  "percent",
  "length",
  "area",
  "mass",
  "volume",
  "temperature",
  "speed",
  "power",
]);

/** Lowest, stated and highest value. */
type Interval = [number, number, number];

/** In the unit written: the rounding of one number, or a range. */
function valuesOf(
  { first, last, scale1, scale2, sign }: Readonly<Record<string, string | undefined>>,
  measured: boolean,
): Interval {
  const from = rounded(first!, scale1 ?? (last === undefined ? undefined : scale2), measured);
  if (last !== undefined) {
    const to = rounded(last, scale2 ?? scale1, measured);
    if (to[1] > from[1]) return [from[0], (from[1] + to[1]) / 2, to[2]];
  }
  return sign === undefined ? from : [-from[2], -from[1], -from[0]];
}

function rounded(written: string, scale: string | undefined, measured: boolean): Interval {
  const factor = scale === undefined ? 1 : SCALES[scale.trim().replace(/^-/, "").toLowerCase()]!;
  const word = /^an?$/i.test(written) ? 1 : numberOfWord(written);
  const plain = word ?? Number(written.replaceAll(",", ""));
  const rounding = scale !== undefined ? "scaled" : measured ? "measured" : "zeros";
  const half = halfOfLastDigit(written, plain, rounding);
  const value = plain * factor;
  return [value - half * factor, value, value + half * factor];
}

/** Rounding moves a whole number by at most so much of itself: by closing zeros, before a scale, before a unit. */
const MOST = { zeros: 0.02, scaled: 0.04, measured: 0.1 };

/** Small counts are meant exactly. */
function halfOfLastDigit(written: string, value: number, rounding: keyof typeof MOST): number {
  const decimals = written.split(".")[1]?.length;
  if (decimals !== undefined) return 0.5 * 10 ** -decimals;
  const zeros = value < 1000 ? 0 : /0*$/.exec(String(value))![0].length;
  if (zeros === 0 && rounding === "zeros") return 0;
  return Math.min(0.5 * 10 ** zeros, MOST[rounding] * value);
}

function boundOf(written: string | undefined): Bound {
  if (written === undefined) return "exact";
  return BOUNDS.find(([, pattern]) => pattern.test(written))![0];
}

const readFractions = (text: string) =>
  [...text.matchAll(FRACTION)].map((match) => {
    const value = 100 * fractionOfWord(match[0])!;
    return plainAmount(match, "percent", [value - 2, value, value + 2]);
  });

const readOrdinals = (text: string) =>
  [...text.matchAll(ORDINAL)].map((match) => {
    const value = ordinalOfWord(match[0])!;
    return plainAmount(match, "ordinal", [value, value, value]);
  });

function plainAmount(
  match: RegExpExecArray,
  dimension: "percent" | "ordinal",
  [low, value, high]: readonly [number, number, number],
): Amount {
  const [start, text] = [match.index, match[0]];
  const end = start + text.length;
  return {
    kind: "amount",
    start,
    end,
    text,
    dimension,
    currency: "",
    value,
    low,
    high,
    bound: "exact",
  };
}
