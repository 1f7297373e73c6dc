/** Dates of an English text: how they are written, and what one says of another. */
import type { TextSpan } from "../types.ts";

/** A day, month, year, decade, century or span of years. */
export interface CalendarDate extends TextSpan {
  readonly kind: "date";
  readonly text: string;
  /** First and last year meant; negative before Christ; undefined for "May 3". */
  readonly years: readonly [number, number] | undefined;
  /** 1–12. */
  readonly month: number | undefined;
  /** 1–31. */
  readonly day: number | undefined;
  readonly bound: "exact" | "after" | "before";
}

/** `incomparable`: they measure different things, or say nothing of one another. */
export type QuantityRelation = "same" | "near" | "different" | "incomparable";

const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");

const MONTH = "(?<month>Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|" +
  "Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)" +
  "(?:(?<=\\b(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec))\\.)?";

const DAY = "(?<day>[0-3]?\\d)(?:st|nd|rd|th)?";
const YEAR = "(?<year>[12]\\d{3})";
const ERA = "(?<era>BCE?|B\\.C\\b\\.?(?:E\\.)?)";
const NOT_IN_NUMBER = "(?<![\\d.,$€£-])";

/** Nobody says of a year that there are more than so many. */
const NOT_COUNTED = "(?<!\\b(?:over|than|nearly|almost|approximately|roughly|least|most) )";

/** Behind a year there is neither a digit group nor a unit. */
const YEAR_ENDS = "(?![\\d]|[.,]\\d|\\s?%|\\s(?:people|km|kilomet|met(?:re|er)s|miles|square|sq|" +
  "hectares?|acres?|lbs?\\b|pounds|feet|ft|kg|tons|tonnes|percent|million|billion|MW|years|days|hours))";

/** Up to the twenty-first: centuries. */
export const ORDINALS: readonly string[] =
  ("first second third fourth fifth sixth seventh eighth ninth tenth " +
    "eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth " +
    "twentieth twenty-first").split(" ");

/** The longest ways of writing first: what one has read is not read again. */
const WAYS: readonly RegExp[] = [
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

/** Months on their own, with a capital letter; "May" and "March" are words as well. */
const MONTH_ALONE =
  /\b(?<month>January|February|April|June|July|August|September|October|November|December)\b/gu;

/** Dates of an English text in the order of the text, without overlap. Numbers and slashes ("3/4/05") are not read: nobody knows which is the month. */
export function readDates(text: string): readonly CalendarDate[] {
  const found: CalendarDate[] = [];
  for (const way of [...WAYS, MONTH_ALONE]) {
    for (const match of text.matchAll(way)) {
      const start = match.index;
      const end = start + match[0].length;
      if (found.some((other) => start < other.end && other.start < end)) continue;
      const date = dateOf(match[0], start, match.groups ?? {});
      if (date !== undefined) found.push({ ...date, bound: dateBound(text.slice(0, start)) });
    }
  }
  return found.toSorted((a, b) => a.start - b.start);
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

/** "After 2010" and "before May 1945" hold for any date on their side. */
function dateBound(before: string): CalendarDate["bound"] {
  const word = /\b(after|later than|before|prior to|earlier than) (?:the )?$/i
    .exec(before)?.[1]?.toLowerCase();
  if (word === undefined) return "exact";
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

/** The 19th century is taken as 1800–1900: hardly anybody means 1801. */
function centuryOf(written: string, before: boolean): readonly [number, number] {
  const number = ORDINALS.indexOf(written.toLowerCase()) + 1 || parseInt(written);
  return before ? [-100 * number, -100 * (number - 1)] : [100 * (number - 1), 100 * number];
}

export function compareDates(claim: CalendarDate, source: CalendarDate): QuantityRelation {
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

/** Of "after 2010" and a date: on that side it is the same, on the other different. */
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

/** Roughly, from the first year meant on; undefined where no year is told. */
const daysOf = ({ years, month, day }: CalendarDate) =>
  years && 366 * years[0] + 31 * (month ?? 1) + (day ?? 1);

function compareFields(claim: number | undefined, source: number | undefined): QuantityRelation {
  if (claim === undefined || source === undefined) return "incomparable";
  return claim === source ? "same" : "different";
}

/** A claim's year within the source's span is near; a claim's decade that holds the source's year is the same. */
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
