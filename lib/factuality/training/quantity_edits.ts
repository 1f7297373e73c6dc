import type { RandomSource } from "../../stats/random.ts";
import { chance, choose } from "./random_choice.ts";

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
export function changeUnit(text: string, random: RandomSource): string | undefined {
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
