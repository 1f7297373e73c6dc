import { oneOf, type TextChange, type VariantRule } from "../variant.ts";
import { numbersIn, type WrittenNumber } from "../written_number.ts";
import { readsDifferently } from "./reading.ts";

/** The least and the greatest share by which a number is moved; rounding may add a little. */
const [LEAST, MOST] = [0.05, 0.2];
const ROUNDING = 0.005;

/** A number by 5–20 %, as exactly as it was told. */
export const shiftNumber: VariantRule = (text, _tools, random) => {
  const shares = [1, -1].flatMap((sign) => [
    sign * (LEAST + (MOST - LEAST) * random.next()),
    sign * MOST,
  ]);
  return oneNumber(
    text,
    random,
    (number) => random.shuffle(shares).map((share) => moved(number, share)),
  );
};

/** Two neighbouring digits of a number exchanged. */
export const exchangeDigits: VariantRule = (text, _tools, random) =>
  oneNumber(text, random, ({ digits }) => {
    const places = [...digits].flatMap((_, i) => exchanged(digits, i) ?? []);
    return random.shuffle(places);
  });

/** The first proposal that reads differently, of one number by lot. */
function oneNumber(
  text: string,
  random: Parameters<VariantRule>[2],
  propose: (number: WrittenNumber) => readonly (string | undefined)[],
): TextChange | undefined {
  const changes = numbersIn(text).flatMap((number) => {
    const fitting = propose(number).filter((to) => to !== undefined && fits(number, to))
      .map((to) => ({ start: number.start, end: number.start + number.digits.length, to: to! }));
    return fitting.find((change) => readsDifferently(text, change, number.amount)) ?? [];
  });
  return oneOf(changes, random);
}

/** Moved by a share, and rounded to the digits that were told, or to one more. */
function moved({ digits, value }: WrittenNumber, share: number): string | undefined {
  const decimals = digits.split(".")[1]?.length ?? 0;
  const zeros = decimals > 0 ? 0 : /0*$/u.exec(String(value))![0].length;
  const steps = [10 ** (zeros - decimals), 10 ** (Math.max(zeros - 1, 0) - decimals)];
  return steps.map((step) => Math.round(value * (1 + share) / step) * step)
    .filter((other) => {
      const by = Math.abs(other - value) / value;
      return by >= LEAST - ROUNDING && by <= MOST + ROUNDING;
    }).map((other) => writtenAs(digits, other))[0];
}

function writtenAs(digits: string, value: number): string {
  const decimals = digits.split(".")[1]?.length ?? 0;
  const useGrouping = digits.includes(",") || !/\d{4}/u.test(digits);
  return value.toLocaleString("en-US", {
    ...{ minimumFractionDigits: decimals, maximumFractionDigits: decimals, useGrouping },
  });
}

function exchanged(digits: string, place: number): string | undefined {
  const next = /^[.,]?\d/u.exec(digits.slice(place + 1))?.[0];
  const first = digits[place]!;
  if (next === undefined || !/\d/u.test(first) || next.endsWith(first)) return undefined;
  const mark = next.slice(0, -1);
  const result = digits.slice(0, place) + next.at(-1) + mark + first +
    digits.slice(place + 1 + next.length);
  return /^0[\d,]/u.test(result) ? undefined : result;
}

/** "More than 200" is no mistake where it was 180 and less of one; a share is at most the whole. */
function fits({ amount, value }: WrittenNumber, to: string): boolean {
  const other = Number(to.replaceAll(",", ""));
  if (amount.dimension === "percent" && other > 100) return false;
  if (amount.bound === "over") return other > value;
  return amount.bound !== "under" || other < value;
}
