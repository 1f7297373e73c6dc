/** Numbers with units and dates of an English text, and their comparison. */
import type { TextSpan } from "../types.ts";

/** A day, month, year, decade, century or range of years. */
export interface CalendarDate extends TextSpan {
  readonly kind: "date";
  readonly text: string;
  /** First and last year; negative before Christ; undefined for "May 3". */
  readonly years: readonly [number, number] | undefined;
  /** Month, 1–12. */
  readonly month: number | undefined;
  /** Day of the month, 1–31. */
  readonly day: number | undefined;
  readonly bound: "exact" | "about" | "after" | "before";
}

/**
 * Relation between two quantities. `incomparable` quantities have different dimensions, or bounds
 * that decide nothing.
 */
type QuantityRelation = "same" | "near" | "different" | "incomparable";

const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");

const MONTH = "(?<month>Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|" +
  "Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)" +
  "(?:(?<=\\b(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec))\\.)?";

const DAY = "(?<day>[0-3]?\\d)(?:st|nd|rd|th)?";
const YEAR = "(?<year>[12]\\d{3})";
const ERA = "(?<era>BCE?|B\\.C\\b\\.?(?:E\\.)?)";
const NOT_IN_NUMBER = "(?<![\\d.,$€£-])";

/** Excludes counts from years: "over 2000" is no year. */
const NOT_COUNTED = "(?<!\\b(?:over|than|nearly|almost|approximately|roughly|least|most) )";

/** Excludes years followed by a digit group or a unit. */
const YEAR_ENDS = "(?![\\d]|[.,]\\d|\\s?%|\\s(?:people|km|kilomet|met(?:re|er)s|miles|square|sq|" +
  "hectares?|acres?|lbs?\\b|pounds|feet|ft|kg|tons|tonnes|percent|million|billion|MW|years|days|hours))";

/** Ordinals of centuries, up to the twenty-first. */
const ORDINALS: readonly string[] =
  ("first second third fourth fifth sixth seventh eighth ninth tenth " +
    "eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth " +
    "twentieth twenty-first").split(" ");

/** Date patterns, longest first; matched text is not matched again. */
const DATE_PATTERNS: readonly RegExp[] = [
  `\\b${DAY} (?:of )?${MONTH},? ${YEAR}\\b`,
  `\\b${MONTH} ${DAY}(?:, ?| )${YEAR}\\b`,
  `(?<![\\d-])(?<year>[12]\\d{3})-(?<monthNumber>[01]\\d)-(?<day>[0-3]\\d)(?![\\d-])`,
  `\\b${MONTH},? (?:of )?${YEAR}\\b`,
  `\\b${DAY} (?:of )?${MONTH}(?![\\p{L}\\d])`,
  `\\b${MONTH} ${DAY}(?![\\d,.]\\d|\\d)\\b`,
  `\\b(?<century>\\d{1,2}(?:st|nd|rd|th)|${ORDINALS.join("|")})[ -]century(?: ${ERA})?`,
  `${NOT_IN_NUMBER}\\b(?<decade>[12]\\d{2}0)s\\b`,
  `${NOT_IN_NUMBER}\\b${YEAR} ?(?:[-–—]|to|until) ?(?<last>\\d{4}|\\d{2})\\b${YEAR_ENDS}`,
  `\\b(?<old>\\d{1,4}) ${ERA}(?![\\p{L}])`,
  `${NOT_IN_NUMBER}${NOT_COUNTED}\\b(?!2[1-9])${YEAR}${YEAR_ENDS}`,
].map((way) => new RegExp(way, "giu"));

/** Months without a day or year, capitalised; "May" and "March" are also ordinary words. */
const MONTH_ALONE =
  /\b(?<month>January|February|April|June|July|August|September|October|November|December)\b/gu;

/**
 * Reads the dates of an English text in order, without overlap. Numeric dates with slashes
 * ("3/4/05") are skipped, since the order of day and month is unknown.
 */
export function readDates(text: string): readonly CalendarDate[] {
  const dates: CalendarDate[] = [];
  for (const way of [...DATE_PATTERNS, MONTH_ALONE]) {
    for (const match of text.matchAll(way)) {
      const start = match.index;
      const end = start + match[0].length;
      if (dates.some((other) => start < other.end && other.start < end)) continue;
      const date = dateOf(match[0], start, match.groups ?? {});
      if (date !== undefined) dates.push({ ...date, bound: dateBound(text.slice(0, start)) });
    }
  }
  return dates.toSorted((a, b) => a.start - b.start);
}

export type Groups = Readonly<Record<string, string | undefined>>;

function dateOf(
  text: string,
  start: number,
  groups: Groups,
): Omit<CalendarDate, "bound"> | undefined {
  const day = groups.day === undefined ? undefined : Number(groups.day);
  const month = monthOf(groups);
  if ((day !== undefined && (day < 1 || day > 31)) || month === 0) return undefined;
  const end = start + text.length;
  return { kind: "date", text, start, end, years: yearsOf(groups), month, day };
}

/**
 * Bound that precedes a date: "after 2010" and "before May 1945" are open on one side, "about 1900"
 * is approximate.
 */
function dateBound(before: string): CalendarDate["bound"] {
  const word =
    /\b(after|later than|before|prior to|earlier than|about|around|circa|c\.|ca\.) (?:the )?$/i
      .exec(before)?.[1]?.toLowerCase();
  if (word === undefined) return "exact";
  if (/^(?:about|around|c)/.test(word)) return "about";
  return /^(?:after|later than)$/.test(word) ? "after" : "before";
}

function monthOf({ month, monthNumber }: Groups) {
  if (monthNumber !== undefined) return Number(monthNumber) > 12 ? 0 : Number(monthNumber);
  return month && MONTHS.indexOf(month.slice(0, 3).toLowerCase()) + 1 || undefined;
}

function yearsOf(
  { year, last, decade, century, old, era }: Groups,
): readonly [number, number] | undefined {
  if (century !== undefined) return centuryOf(century, era !== undefined);
  if (decade !== undefined) return [Number(decade), Number(decade) + 9];
  if (old !== undefined) return [-Number(old), -Number(old)];
  if (year === undefined) return undefined;
  const end = Number(last?.length === 2 ? year.slice(0, 2) + last : last ?? year);
  return [Number(year), Math.max(Number(year), end)];
}

/** Years of a century. The 19th is read as 1800–1900, as most writers mean. */
function centuryOf(written: string, before: boolean): readonly [number, number] {
  const number = ORDINALS.indexOf(written.toLowerCase()) + 1 || parseInt(written);
  return before ? [-100 * number, -100 * (number - 1)] : [100 * (number - 1), 100 * number];
}

/** Tolerance of "about 1900" in years, either way. */
const YEARS_ABOUT = 5;

const around = (date: CalendarDate): CalendarDate =>
  date.bound === "about" && date.years
    ? { ...exact(date), years: [date.years[0] - YEARS_ABOUT, date.years[1] + YEARS_ABOUT] }
    : date.bound === "about"
    ? exact(date)
    : date;

function compareDates(claim: CalendarDate, source: CalendarDate): QuantityRelation {
  if (claim.bound === "about" || source.bound === "about") {
    const relation = compareDates(around(claim), around(source));
    return relation === "same" && claim.bound === "exact" ? "near" : relation;
  }
  if (claim.bound !== "exact" || source.bound !== "exact") return compareBounds(claim, source);
  const years = compareYears(claim.years, source.years);
  const months = compareFields(claim.month, source.month);
  const days = compareFields(claim.day, source.day);
  if ([years, months, days].includes("different")) return "different";
  if (years === "incomparable" && months === "incomparable") return "incomparable";
  const saysMore = (claim.years !== undefined && source.years === undefined) ||
    (claim.month !== undefined && source.month === undefined) ||
    (claim.day !== undefined && source.day === undefined);
  return saysMore || years === "near" ? "near" : "same";
}

/** Compares an open range ("after 2010") with a date: same within it, different outside. */
function compareBounds(claim: CalendarDate, source: CalendarDate): QuantityRelation {
  if (claim.bound === source.bound) return compareDates(exact(claim), exact(source));
  if (claim.bound !== "exact" && source.bound !== "exact") return "incomparable";
  const [bounded, other] = claim.bound === "exact" ? [source, claim] : [claim, source];
  const [days, bound] = [daysOf(other), daysOf(bounded)];
  if (days === undefined || bound === undefined) return "incomparable";
  const distance = days - bound;
  if (distance === 0) return "near";
  return bounded.bound === "after" === distance > 0 ? "same" : "different";
}

const exact = (date: CalendarDate): CalendarDate => ({ ...date, bound: "exact" });

/** Approximate day number from the first year on; undefined without a year. */
const daysOf = ({ years, month, day }: CalendarDate) =>
  years && 366 * years[0] + 31 * (month ?? 1) + (day ?? 1);

function compareFields(claim: number | undefined, source: number | undefined): QuantityRelation {
  if (claim === undefined || source === undefined) return "incomparable";
  return claim === source ? "same" : "different";
}

/**
 * Compares years. A claim's year within the source's range is near; a claim's decade that contains
 * the source's year is the same.
 */
function compareYears(
  claim: CalendarDate["years"],
  source: CalendarDate["years"],
): QuantityRelation {
  if (claim === undefined || source === undefined) return "incomparable";
  const [from, to] = claim;
  const [start, end] = source;
  if (from <= start && end <= to) return "same";
  if (start <= from && to <= end) return from === start || to === end ? "same" : "near";
  return "different";
}

const SMALL = ("zero one two three four five six seven eight nine ten eleven twelve thirteen " +
  "fourteen fifteen sixteen seventeen eighteen nineteen").split(" ");

const TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");

/** Factors of scale words after a number. */
const SCALES: Readonly<Record<string, number>> = {
  hundred: 100,
  thousand: 1e3,
  million: 1e6,
  mn: 1e6,
  billion: 1e9,
  bn: 1e9,
  trillion: 1e12,
  lakh: 1e5,
  crore: 1e7,
  crores: 1e7,
  dozen: 12,
};

const FRACTIONS: Readonly<Record<string, number>> = {
  "half": 1 / 2,
  "one-half": 1 / 2,
  "one-third": 1 / 3,
  "a third": 1 / 3,
  "two-thirds": 2 / 3,
  "one-quarter": 1 / 4,
  "a quarter": 1 / 4,
  "three-quarters": 3 / 4,
  "one-fifth": 1 / 5,
};

const ORDINAL_WORDS = ORDINALS.slice(0, 12);

/**
 * Regular-expression sources, longer ones first. "One" counts only before a scale word or a unit.
 */
const NUMBER_WORD = `(?:(?:${TENS.join("|")})(?:-(?:${SMALL.slice(1, 10).join("|")}))?|${
  SMALL.slice(2).toReversed().join("|")
}|zero)`;

const FRACTION_WORD = Object.keys(FRACTIONS).toSorted((a, b) => b.length - a.length)
  .join("|");

/** Value of a number word: 21 for "twenty-one"; undefined for other words. */
function numberOfWord(word: string): number | undefined {
  const [tens, unit] = word.toLowerCase().split("-");
  const small = SMALL.indexOf(tens!);
  if (small >= 0) return small;
  const ten = TENS.indexOf(tens!);
  if (ten < 0) return undefined;
  return 20 + 10 * ten + (unit === undefined ? 0 : SMALL.indexOf(unit));
}

/** Physical dimension of a number; numbers of different dimensions are incomparable. */
type Dimension =
  | ("count" | "percent" | "length" | "area" | "mass" | "volume" | "temperature" | "duration")
  | ("speed" | "power" | "money" | "ordinal");

const SQUARE = "(?:square |sq\\.? ?)";

/** Conversion from a unit to its dimension's base unit: × factor, then + offset. */
interface Unit {
  readonly dimension: Dimension;
  readonly factor: number;
  readonly offset: number;
}

/**
 * Units with their regular-expression sources and exact factors (international yard and pound, US
 * gallon). Money stays in its currency; see `CURRENCIES`.
 */
const UNITS: readonly (readonly [Dimension, written: string, factor: number, offset?: number])[] = [
  ["percent", "%|per ?cent(?:age points?)?\\b|percentage points?\\b", 1],
  ["area", `(?:${SQUARE}(?:kilomet(?:re|er)s?|km)|km2|km²)(?![\\p{L}])`, 1e6],
  ["area", `(?:${SQUARE}(?:miles?|mi)|mi²)(?![\\p{L}])`, 1609.344 ** 2],
  ["area", `(?:${SQUARE}(?:feet|foot|ft))(?![\\p{L}])`, 0.3048 ** 2],
  ["area", `(?:${SQUARE}(?:met(?:re|er)s?|m)|m²)(?![\\p{L}])`, 1],
  ["area", "(?:hectares?|ha)\\b", 1e4],
  ["area", "acres?\\b", 4046.8564224],
  ["speed", "(?:km/h|kph|kmh|kilomet(?:re|er)s (?:per|an) hour)\\b", 1 / 3.6],
  ["speed", "(?:mph|miles (?:per|an) hour)\\b", 0.44704],
  ["speed", "(?:m/s|met(?:re|er)s per second)\\b", 1],
  ["speed", "knots\\b", 1852 / 3600],
  ["length", "nautical miles?\\b|nmi\\b|nm\\b", 1852],
  ["length", "kilomet(?:re|er)s?\\b|kms?\\b", 1000],
  ["length", "miles?\\b|mi\\b", 1609.344],
  ["length", "centimet(?:re|er)s?\\b|cm\\b", 0.01],
  ["length", "millimet(?:re|er)s?\\b|mm\\b", 0.001],
  ["length", "met(?:re|er)s?\\b|m\\b", 1],
  ["length", "(?:feet|foot|ft)\\b", 0.3048],
  ["length", "(?:inch|inches)\\b", 0.0254],
  ["length", "(?:yards?|yd)\\b", 0.9144],
  ["mass", "(?:kilograms?|kilogrammes?|kilos?|kgs?)\\b", 1],
  ["mass", "(?:pounds?|lbs?)\\b", 0.45359237],
  ["mass", "(?:ounces?|oz)\\b", 0.028349523125],
  ["mass", "(?:(?:metric )?tons?|tonnes?|mt)\\b", 1000],
  ["mass", "(?:grams?|grammes?|g)\\b", 0.001],
  ["volume", "(?:lit(?:re|er)s?)\\b", 1],
  ["volume", "(?:gallons?|gal)\\b", 3.785411784],
  ["volume", "(?:barrels?|bbl)\\b", 158.987294928],
  ["volume", "(?:cubic met(?:re|er)s?|cu m|m³)(?![\\p{L}])", 1000],
  ["temperature", "(?:°|º|degrees?) ?(?:C|Celsius|centigrade)\\b", 1],
  ["temperature", "(?:°|º|degrees?) ?(?:F|Fahrenheit)\\b", 5 / 9, -160 / 9],
  ["power", "(?:megawatts?|MW)\\b", 1e6],
  ["power", "(?:kilowatts?|kW)\\b", 1e3],
  ["duration", "(?:seconds?|secs?)\\b", 1 / 86400],
  ["duration", "(?:minutes?|mins?)\\b", 1 / 1440],
  ["duration", "(?:hours?|hrs?)\\b", 1 / 24],
  ["duration", "days?\\b", 1],
  ["duration", "weeks?\\b", 7],
  ["duration", "months?\\b", 365.25 / 12],
  ["duration", "(?:years?|yrs?)\\b", 365.25],
  ["duration", "decades?\\b", 3652.5],
  ["duration", "(?:century|centuries)\\b", 36525],
];

/** Currency signs before or after an amount. A bare "$" is the US dollar. */
const CURRENCIES: readonly (readonly [string, RegExp])[] = [
  ["USD", /^(?:US\$|\$|USD|(?:US |U\.S\. )?dollars?)$/i],
  ["EUR", /^(?:€|EUR|euros?)$/i],
  ["GBP", /^(?:£|GBP|pounds? sterling)$/i],
  ["JPY", /^(?:¥|JPY|yen)$/i],
  ["INR", /^(?:₹|INR|rupees?)$/i],
];

/** Regular-expression source of a currency before an amount. */
const CURRENCY_BEFORE = "US\\$|[$€£¥₹]|USD ?|EUR ?|GBP ?";

/** Regular-expression source of a currency after an amount. */
const CURRENCY_BEHIND =
  "(?:US |U\\.S\\. )?dollars?\\b|euros?\\b|pounds? sterling\\b|yen\\b|rupees?\\b|USD\\b|EUR\\b|GBP\\b";

const DIGITS = "\\d{1,3}(?:,\\d{3})+(?:\\.\\d+)?|\\d+(?:\\.\\d+)?";
const SCALE = Object.keys(SCALES).join("|");
const NUMBER = `(?:${DIGITS}|${NUMBER_WORD}|an?(?= (?:${SCALE})\\b)|one(?=[ -](?:${SCALE})\\b))`;

const BOUND = "(?<bound>about|around|approximately|roughly|nearly|almost|close to|just under|" +
  "just over|well over|some|circa|c\\.|ca\\.|~|over|(?:more|higher|greater|larger|longer) than|at least|above|exceeding|under|" +
  "(?:fewer|less|lower|smaller|shorter) than|at most|below|up to)";

const AMOUNT = new RegExp(
  `(?:${BOUND} )?(?<before>${CURRENCY_BEFORE})?(?<![\\p{L}\\d.,-]|\\d[:/])(?<sign>[-−](?=\\d))?` +
    `(?<first>${NUMBER})(?!:\\d)(?:(?<scale1>[ -]?(?:${SCALE}))(?![\\p{L}]))?` +
    `(?: ?(?:-|–|—|to|or) ?(?<last>${DIGITS}|${NUMBER_WORD})` +
    `(?:(?<scale2>[ -]?(?:${SCALE}))(?![\\p{L}]))?)?(?![\\p{L}\\d]|,\\d)`,
  "giu",
);

const FRACTION = new RegExp(
  `(?:\\b${BOUND} )?\\b(?<word>${FRACTION_WORD})(?= (?:of|the|its|their|an?)\\b)`,
  "gi",
);
const ORDINAL = new RegExp(
  `\\b(?<word>\\d{1,3}(?:st|nd|rd|th)|${ORDINAL_WORDS.join("|")})\\b`,
  "gi",
);

const UNIT_PATTERNS = UNITS.map(([dimension, written, factor, offset = 0]) =>
  [{ dimension, factor, offset }, new RegExp(`[ -]?(?:${written})`, "uy")] as const
);

const MONEY_BEHIND = new RegExp(` ?(?:${CURRENCY_BEHIND})`, "iuy");

const BOUNDS: readonly (readonly [Bound, RegExp])[] = [
  ["nearly", /nearly|almost|close to|just under/i],
  ["over", /over|(?:more|higher|greater|larger|longer) than|at least|above|exceeding/i],
  ["under", /under|(?:fewer|less|lower|smaller|shorter) than|at most|below|up to/i],
  ["about", /./],
];

/** Reads numbers with units, and dates, in text order without overlap. */
export function readQuantities(text: string): readonly Quantity[] {
  const dates = readDates(text);
  const quantities: Quantity[] = [...dates];
  for (const read of [readFractions, readAmounts, readOrdinals]) {
    for (const amount of read(text)) {
      if (!quantities.some((other) => amount.start < other.end && other.start < amount.end)) {
        quantities.push(amount);
      }
    }
  }
  return quantities.toSorted((a, b) => a.start - b.start);
}

const readAmounts = (text: string): readonly Amount[] =>
  [...text.matchAll(AMOUNT)].map((match) => {
    const groups = match.groups!;
    const last = match.index + match[0].length;
    const tail = unitAfter(text, last, groups.before);
    const start = match.index + (groups.bound === undefined ? 0 : groups.bound.length + 1);
    const [low, value, high] = intervalOf(groups, MEASURED.has(tail.unit.dimension))
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

const NO_UNIT: Unit = { dimension: "count", factor: 1, offset: 0 };
const MONEY: Unit = { ...NO_UNIT, dimension: "money" };

/** Unit or currency after a number, and the index where it ends. */
function unitAfter(text: string, position: number, before: string | undefined) {
  MONEY_BEHIND.lastIndex = position;
  const behind = before === undefined ? MONEY_BEHIND.exec(text)?.[0] : "";
  if (behind !== undefined) {
    const written = (before ?? behind).trim();
    const currency = CURRENCIES.find(([, pattern]) => pattern.test(written))?.[0] ?? "";
    return { unit: MONEY, currency, end: position + behind.length };
  }
  for (const [unit, pattern] of UNIT_PATTERNS) {
    pattern.lastIndex = position;
    const written = pattern.exec(text)?.[0];
    if (written !== undefined) return { unit, currency: "", end: position + written.length };
  }
  return { unit: NO_UNIT, currency: "", end: position };
}

/** Dimensions of measured values, whose last digit is rounded; counts are exact. */
const MEASURED: ReadonlySet<string> = new Set(
  "percent length area mass volume temperature speed power".split(" "),
);

/** Lowest, stated and highest value of a quantity. */
type Interval = [number, number, number];

/** Interval in the written unit, by the rounding of one number or a range. */
function intervalOf({ first, last, scale1, scale2, sign }: Groups, measured: boolean): Interval {
  const from = rounded(first!, scale1 ?? scale2, measured);
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

/**
 * Maximum relative error from rounding a whole number: with final zeros, before a scale word,
 * before a measured unit.
 */
const MAX_ROUNDING = { zeros: 0.02, scaled: 0.04, measured: 0.1 };

/** Maximum relative error of a measure under a thousand: "500 km" for 487. */
const SMALL_MEASURE = 0.03;

/** Half of the last written digit, the rounding error; 0 for small counts, which are exact. */
function halfOfLastDigit(
  written: string,
  value: number,
  rounding: keyof typeof MAX_ROUNDING,
): number {
  const decimals = written.split(".")[1]?.length;
  if (decimals !== undefined) return 0.5 * 10 ** -decimals;
  const isCounted = value < 1000 && rounding === "zeros";
  const zeros = isCounted ? 0 : /0*$/.exec(String(value))![0].length;
  if (zeros === 0 && rounding === "zeros") return 0;
  const most = value < 1000 && rounding === "measured" ? SMALL_MEASURE : MAX_ROUNDING[rounding];
  // "487 km" is rounded to half a kilometre.
  return Math.max(
    Math.min(0.5 * 10 ** zeros, most * value),
    Math.min(0.5, MAX_ROUNDING[rounding] * value),
  );
}

const boundOf = (written: string | undefined): Bound =>
  written === undefined ? "exact" : BOUNDS.find(([, pattern]) => pattern.test(written))![0];

const readFractions = (text: string) =>
  [...text.matchAll(FRACTION)].map((match) => {
    const { word, bound } = match.groups!;
    const value = 100 * FRACTIONS[word!.toLowerCase()]!;
    const start = match.index + match[0].length - word!.length;
    const amount = plainAmount(start, word!, "percent", [value - 2, value, value + 2]);
    return { ...amount, bound: boundOf(bound) };
  });

const readOrdinals = (text: string) =>
  [...text.matchAll(ORDINAL)].map((match) => {
    const value = ORDINAL_WORDS.indexOf(match[0].toLowerCase()) + 1 || parseInt(match[0]);
    return plainAmount(match.index, match[0], "ordinal", [value, value, value]);
  });

function plainAmount(
  start: number,
  text: string,
  dimension: "percent" | "ordinal",
  [low, value, high]: Interval,
): Amount {
  const place = { start, end: start + text.length, text };
  return { kind: "amount", ...place, dimension, currency: "", value, low, high, bound: "exact" };
}

/**
 * Bound of a number. "Over 20 million" includes 23 million, "about 20 million" 21, "nearly 20
 * million" 19.
 */
type Bound = "exact" | "about" | "nearly" | "over" | "under";

/** A number of a text in the base unit of its dimension. */
export interface Amount extends TextSpan {
  readonly kind: "amount";
  /** Spelling in the text, unit included. */
  readonly text: string;
  readonly dimension: Dimension;
  /** ISO 4217 code; the empty string for amounts other than money. */
  readonly currency: string;
  readonly value: number;
  /** Lower limit by rounding, or a range's lower end. Low ≤ value ≤ high. */
  readonly low: number;
  readonly high: number;
  readonly bound: Bound;
}

export type Quantity = Amount | CalendarDate;

/** Maximum relative difference (of the greater) at which two numbers are near. */
const NEAR_TOLERANCE = 0.02;

/** Relative tolerance of "about", either way. */
const ABOUT_TOLERANCE = 0.1;

/** Factor up to which "over" holds: "over 20 million" is odd for 60 million, but not false. */
const OVER_FACTOR = 2;

/** Relation of the source's quantity to the claim's. */
export function compareQuantities(claim: Quantity, source: Quantity): QuantityRelation {
  if (claim.kind === "date" && source.kind === "date") return compareDates(claim, source);
  if (claim.kind !== "amount" || source.kind !== "amount") return "incomparable";
  if (claim.dimension !== source.dimension || claim.currency !== source.currency) {
    return "incomparable";
  }
  const [over, under] = claim.bound === "over" ? [claim, source] : [source, claim];
  if (over.bound === "over" && under.bound === "under") {
    // "Over 60" and "under 300" may describe one number.
    return over.value < under.value ? "incomparable" : "different";
  }
  if (holds(claim, source.value) || holds(source, claim.value)) return "same";
  if (isBeyond(claim, source) || isBeyond(source, claim)) return "incomparable";
  const greater = Math.max(Math.abs(claim.value), Math.abs(source.value));
  const exact = claim.dimension === "ordinal" || (greater < 100 && isWhole(claim, source));
  const distance = Math.abs(claim.value - source.value);
  return !exact && distance <= NEAR_TOLERANCE * greater ? "near" : "different";
}

/** Detects small counts, which are exact: 17 is not nearly 18. */
const isWhole = (a: Amount, b: Amount) =>
  a.dimension === "count" && Number.isInteger(a.value) && Number.isInteger(b.value);

/**
 * Tests for values beyond an open bound: "more than 200" for 1,000 says little, but does not
 * contradict it.
 */
const isBeyond = ({ bound, value }: Amount, other: Amount): boolean =>
  other.bound !== "over" && other.bound !== "under" &&
  (bound === "over" && other.value > value || bound === "under" && other.value < value);

function holds({ low, high, value, bound }: Amount, other: number): boolean {
  const slack = 1e-9 * Math.max(Math.abs(value), 1);
  if (bound === "nearly") {
    return other <= high + slack && other >= low - ABOUT_TOLERANCE * Math.abs(value);
  }
  const stretch = bound === "about" ? ABOUT_TOLERANCE * Math.abs(value) : 0;
  if (bound === "over" && other >= low && other <= OVER_FACTOR * high) return true;
  if (bound === "under" && other <= high && other * OVER_FACTOR >= low) return true;
  return other >= low - stretch - slack && other <= high + stretch + slack;
}

/**
 * Maximum number of addends across sentences. Beyond it only those of one sentence are added, since
 * all subsets are tried.
 */
const MAX_ADDENDS = 8;

/** Words of a claim about a difference. */
const DIFFERENCE =
  /\b(?:by|more|less|fewer|difference|margin|gap|short|surplus|deficit|lead|rose|fell|grew)\b/i;

/**
 * Finds source amounts whose sum is the claim's amount: 12 and 8 make "20 branches". In a claim
 * about a difference it also subtracts them. Undefined where no combination fits. @param sources
 * Amounts by sentence.
 */
export function amountParts(
  claim: Amount,
  claimText: string,
  sources: readonly (readonly Amount[])[],
): readonly Amount[] | undefined {
  const isOpen = ({ bound }: Amount) => bound === "over" || bound === "under";
  if (/^(?:ordinal|temperature|speed)$/.test(claim.dimension) || isOpen(claim)) return undefined;
  const isAlike = (one: Amount) =>
    one.dimension === claim.dimension && one.currency === claim.currency && !isOpen(one);
  const groups = [...sources, sources.flat()].map((group) => group.filter(isAlike))
    .filter(({ length }) => length >= 2 && length <= MAX_ADDENDS);
  const makes = (value: number, low: number, high: number, addend: Amount) =>
    compareQuantities(claim, { ...addend, value, low, high, bound: "exact" }) === "same";
  const total = (amounts: readonly Amount[], key: "value" | "low" | "high") =>
    amounts.reduce((sum, amount) => sum + amount[key], 0);
  for (const group of groups) {
    for (let choice = 3; choice < 2 ** group.length; choice++) {
      const addends = group.filter((_, index) => choice & 2 ** index);
      const [value, low, high] = (["value", "low", "high"] as const)
        .map((key) => total(addends, key)) as Interval;
      if (addends.length > 1 && makes(value, low, high, addends[0]!)) return addends;
      const [one, other, ...more] = addends;
      if (!one || !other || more.length > 0 || !DIFFERENCE.test(claimText)) continue;
      const difference = Math.abs(one.value - other.value);
      if (makes(difference, difference, difference, one)) return addends;
    }
  }
  return undefined;
}
