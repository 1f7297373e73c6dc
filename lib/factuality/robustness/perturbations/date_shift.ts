import type { RandomSource } from "../../../stats/random.ts";
import type { CalendarDate } from "../../features/quantities/quantity.ts";
import { readDates } from "../../features/quantities/read_dates.ts";
import { choose } from "../../training/random_choice.ts";
import { MONTHS } from "../months.ts";
import { oneOf, type TextChange, type VariantRule } from "../variant.ts";
import { readsDifferently } from "./reading.ts";

/** "Before 1990" and "about 1250" may stay true with another year; "(2025)" dates the text itself. */
const OPEN_ENDED =
  /(?:\b(?:by|before|after|until|till|between|following|prior to|to|and|or|about|around|circa|roughly|A\.D\.)\s|[-–(])$/iu;
/** No text of this collection tells of years beyond. */
const LAST_YEAR = 2025;
const DAYS = 28;

/** A year by one to five, another month, or another day of the month. */
export const shiftDate: VariantRule = (text, _tools, random) => {
  const dates = readDates(text).filter(({ start }) => !OPEN_ENDED.test(text.slice(0, start)));
  const changes = dates.flatMap((date) => partsOf(date, random))
    .filter(({ start, end, to }) => to !== text.slice(start, end) && !text.includes(to))
    .filter((change) => {
      const date = dates.find(({ start, end }) => start <= change.start && change.end <= end)!;
      return readsDifferently(text, change, date);
    });
  return oneOf(changes, random);
};

function partsOf(date: CalendarDate, random: RandomSource): readonly TextChange[] {
  return [yearOf(date, random), monthOf(date, random), dayOf(date, random)]
    .filter((change) => change !== undefined);
}

function yearOf({ years, text, start }: CalendarDate, random: RandomSource) {
  const written = /(?<!\d)[12]\d{3}(?![\ds])/u.exec(text);
  if (years === undefined || years[0] !== years[1] || written === null) return undefined;
  const by = choose(random, [-1, 1]) * (1 + random.integer(5));
  const year = years[0] + by > LAST_YEAR ? years[0] - Math.abs(by) : years[0] + by;
  return replaced(start + written.index, written[0], String(year));
}

function monthOf({ month, text, start }: CalendarDate, random: RandomSource) {
  const name = month === undefined ? undefined : MONTHS[month - 1]!;
  if (name === undefined || !text.includes(name)) return undefined;
  const other = choose(random, MONTHS.filter((one) => one !== name));
  return replaced(start + text.indexOf(name), name, other);
}

function dayOf({ day, month, text, start }: CalendarDate, random: RandomSource) {
  const written = /(?<!\d)\d{1,2}(?!\d|st|nd|rd|th)/u.exec(text);
  if (day === undefined || month === undefined || written === null) return undefined;
  const other = (day - 1 + 1 + random.integer(DAYS - 1)) % DAYS + 1;
  return replaced(start + written.index, written[0], String(other));
}

function replaced(start: number, from: string, to: string): TextChange {
  return { start, end: start + from.length, to };
}
