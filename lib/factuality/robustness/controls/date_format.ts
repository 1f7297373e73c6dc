import { readDates } from "../../features/quantities/read_dates.ts";
import { MONTHS } from "../months.ts";
import { readsTheSame } from "../perturbations/reading.ts";
import { oneOf, type VariantRule } from "../variant.ts";

const MONTH = `(${MONTHS.join("|")})`;

/** Each way to write a date, and the same date written otherwise. */
const WAYS: readonly (readonly [RegExp, (parts: readonly string[]) => readonly string[]])[] = [
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
    ([month, year]) => [
      `${month} of ${year}`,
      ...month!.length > 4 ? [`${month!.slice(0, 3)}. ${year}`] : [],
    ],
  ],
];

/** "18 February 1965" ↔ "February 18, 1965"; "March 1990" as "March of 1990". */
export const reformatDate: VariantRule = (text, _tools, random) => {
  const changes = readDates(text).flatMap((date) =>
    WAYS.flatMap(([pattern, otherwise]) => {
      // The full stop of the sentence may have been read as that of a shortened month.
      const written = date.text.replace(/\.$/u, "");
      const [, ...parts] = pattern.exec(written) ?? [];
      if (parts.length === 0) return [];
      const end = date.start + written.length;
      return otherwise(parts).map((to) => ({ start: date.start, end, to }));
    }).filter((change) => readsTheSame(text, change, date))
  );
  return oneOf(changes, random);
};

const twoDigits = (value: number) => String(value).padStart(2, "0");
