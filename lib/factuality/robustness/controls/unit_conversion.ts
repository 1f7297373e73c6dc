import { readsTheSame } from "../perturbations/reading.ts";
import { oneOf, type VariantRule } from "../variant.ts";
import { numbersIn } from "../written_number.ts";

/** A unit behind a number, what it becomes, and by what its number is multiplied. */
const CONVERSIONS: readonly (readonly [RegExp, string, number])[] = [
  [/(?:square kilomet(?:re|er)s|sq km|km²)$/u, "sq miles", 1 / 1.609344 ** 2],
  [/(?<!square |sq )(?:kilomet(?:re|er)s|km)$/u, "miles", 1 / 1.609344],
  [/(?<!square |sq |nautical )miles$/u, "km", 1.609344],
  [/nautical miles$|\bnm$/u, "km", 1.852],
  [/(?<!square )met(?:re|er)s$|(?<=\d )m$/u, "feet", 1 / 0.3048],
  [/(?<!square )(?:feet|ft)$/u, "meters", 0.3048],
  [/hectares$/u, "acres", 1e4 / 4046.8564224],
  [/acres$/u, "hectares", 4046.8564224 / 1e4],
  [/kilograms$|\bkg$/u, "pounds", 1 / 0.45359237],
];

/** As many digits as were told, and never fewer than three: no rounding goes astray. */
const LEAST_DIGITS = 3;

/** The same length, area or mass in another unit. */
export const convertUnit: VariantRule = (text, _tools, random) => {
  const changes = numbersIn(text).flatMap(({ amount, start, digits, value }) =>
    CONVERSIONS.flatMap(([written, to, factor]) => {
      const unit = written.exec(amount.text);
      const isPlain = unit !== null && start === amount.start &&
        amount.text.slice(digits.length, unit.index).trim() === "";
      if (!isPlain) return [];
      const told = digits.replace(/\D/gu, "").replace(/^0+|0+$/gu, "").length;
      const number = rounded(value * factor, Math.max(told, LEAST_DIGITS));
      return [{ start, end: amount.end, to: `${number} ${to}` }];
    }).filter((change) => readsTheSame(text, change, amount))
  );
  return oneOf(changes, random);
};

function rounded(value: number, digits: number): string {
  return Number(value.toPrecision(digits)).toLocaleString("en-US", {
    maximumSignificantDigits: digits,
  });
}
