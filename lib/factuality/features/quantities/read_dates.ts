import type { CalendarDate } from "./quantity.ts";

const MONTHS = [
  "jan",
  "feb",
  "mar",
  "apr",
  "may",
  "jun",
  "jul",
  "aug",
  "sep",
  "oct",
  "nov",
  "dec",
] as const;
const MONTH = "(?<month>Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|" +
  "Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\\.?";
const DAY = "(?<day>[0-3]?\\d)(?:st|nd|rd|th)?";
const YEAR = "(?<year>[12]\\d{3})";
const ERA = "(?<era>BCE?|B\\.C\\.(?:E\\.)?)";
const NOT_IN_NUMBER = "(?<![\\d.,$€£-])";
/** Behind a year there is neither a digit group nor a unit. */
const YEAR_ENDS = "(?![\\d]|[.,]\\d|\\s?%|\\s(?:people|km|kilomet|met(?:re|er)s|miles|square|sq|" +
  "feet|ft|kg|tons|tonnes|percent|million|billion|MW|years|days|hours))";
const ORDINALS: readonly string[] =
  ("first second third fourth fifth sixth seventh eighth ninth tenth " +
    "eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth " +
    "twentieth twenty-first").split(" ");

/** The longest ways of writing first: what one has read is not read again. */
const WAYS: readonly RegExp[] = [
  `\\b${DAY} (?:of )?${MONTH},? ${YEAR}\\b`,
  `\\b${MONTH} ${DAY},? ${YEAR}\\b`,
  `(?<![\\d-])(?<year>[12]\\d{3})-(?<monthNumber>[01]\\d)-(?<day>[0-3]\\d)(?![\\d-])`,
  `\\b${MONTH},? (?:of )?${YEAR}\\b`,
  `\\b${DAY} (?:of )?${MONTH}(?![\\p{L}\\d])`,
  `\\b${MONTH} ${DAY}(?![\\d,.]\\d|\\d)\\b`,
  `\\b(?<century>\\d{1,2}(?:st|nd|rd|th)|${ORDINALS.join("|")})[ -]century(?: ${ERA})?`,
  `${NOT_IN_NUMBER}\\b(?<decade>[12]\\d{2}0)s\\b`,
  `${NOT_IN_NUMBER}\\b${YEAR} ?(?:[-–—]|to|until) ?(?<last>\\d{4}|\\d{2})\\b${YEAR_ENDS}`,
  `\\b(?<old>\\d{1,4}) ${ERA}(?![\\p{L}])`,
  `${NOT_IN_NUMBER}\\b${YEAR}${YEAR_ENDS}`,
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
      if (date !== undefined) found.push(date);
    }
  }
  return found.toSorted((a, b) => a.start - b.start);
}

function dateOf(
  text: string,
  start: number,
  groups: Readonly<Record<string, string | undefined>>,
): CalendarDate | undefined {
  const day = groups.day === undefined ? undefined : Number(groups.day);
  const month = monthOf(groups);
  if ((day !== undefined && (day < 1 || day > 31)) || month === 0) return undefined;
  return {
    kind: "date",
    text,
    start,
    end: start + text.length,
    years: yearsOf(groups),
    month,
    day,
  };
}

function monthOf({ month, monthNumber }: Readonly<Record<string, string | undefined>>) {
  if (monthNumber !== undefined) return Number(monthNumber) > 12 ? 0 : Number(monthNumber);
  if (month === undefined) return undefined;
  return MONTHS.findIndex((name) => name === month.slice(0, 3).toLowerCase()) + 1;
}

function yearsOf(
  { year, last, decade, century, old, era }: Readonly<Record<string, string | undefined>>,
): readonly [number, number] | undefined {
  if (century !== undefined) return centuryOf(century, era !== undefined);
  if (decade !== undefined) return [Number(decade), Number(decade) + 9];
  if (old !== undefined) return [-Number(old), -Number(old)];
  if (year === undefined) return undefined;
  if (last === undefined) return [Number(year), Number(year)];
  const end = Number(last.length === 2 ? year.slice(0, 2) + last : last);
  return end >= Number(year) ? [Number(year), end] : [Number(year), Number(year)];
}

/** The 19th century is taken as 1800–1900: hardly anybody means 1801. */
function centuryOf(written: string, before: boolean): readonly [number, number] {
  const number = ORDINALS.indexOf(written.toLowerCase()) + 1 || parseInt(written);
  return before ? [-100 * number, -100 * (number - 1)] : [100 * (number - 1), 100 * number];
}
