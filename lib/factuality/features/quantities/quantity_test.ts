import assert from "node:assert/strict";
import fc from "fast-check";
import { compareQuantities } from "./quantity.ts";
import { readQuantities } from "./read_quantities.ts";

function relation(claim: string, source: string) {
  const [a] = readQuantities(claim);
  const [b] = readQuantities(source);
  assert.ok(a && b, `${claim}, ${source}`);
  return compareQuantities(a, b);
}

const TABLE = [
  ["39.2 million", "39,200,000", "same"],
  ["39.2 million", "39,241,418", "same"],
  ["39.2 million", "32.9 million", "different"],
  ["40 million", "39.5 million", "same"],
  ["17 wives", "18 wives", "different"],
  ["1,020 people", "1,031 people", "near"],
  ["over 20 million", "23 million", "same"],
  ["over 20 million", "19 million", "different"],
  ["over 170 islands", "under 170 islands", "different"],
  ["about 100 people", "93 people", "same"],
  ["357,022 sq km", "137,847 sq mi", "same"],
  ["100 °C", "212 °F", "same"],
  ["5 km", "3.1 miles", "same"],
  ["5 km", "5 miles", "different"],
  ["5 km", "5 kg", "incomparable"],
  ["$5 million", "5 million euros", "incomparable"],
  ["the third", "the 3rd", "same"],
  ["the third", "the fourth", "different"],
  ["1969", "20 July 1969", "same"],
  ["20 July 1969", "1969", "near"],
  ["20 July 1969", "21 July 1969", "different"],
  ["1916", "1914–1918", "near"],
  ["the 1990s", "1994", "same"],
  ["1994", "1993", "different"],
  ["July 1969", "14 August", "different"],
  ["1969", "14 August", "incomparable"],
  ["1969", "1,969 people", "incomparable"],
] as const;

for (const [claim, source, expected] of TABLE) {
  Deno.test(`compareQuantities(): claim "${claim}", source "${source}": ${expected}`, () => {
    assert.equal(relation(claim, source), expected);
  });
}

const MONTHS = ("January February March April May June July August September October November " +
  "December").split(" ");
const date = fc.record({
  year: fc.integer({ min: 1000, max: 2099 }),
  month: fc.integer({ min: 1, max: 12 }),
  day: fc.integer({ min: 1, max: 28 }),
});

Deno.test("Requirement 2.2: a date is the same in every way it is written", () => {
  fc.assert(
    fc.property(date, ({ year, month, day }) => {
      const name = MONTHS[month - 1]!;
      const two = (number: number) => String(number).padStart(2, "0");
      const ways = [
        `${day} ${name} ${year}`,
        `${name} ${day}, ${year}`,
        `${day} ${name.slice(0, 3)} ${year}`,
        `${year}-${two(month)}-${two(day)}`,
      ];
      for (const a of ways) for (const b of ways) assert.equal(relation(a, b), "same");
      assert.equal(relation(ways[0]!, `${day} ${name} ${year + 1}`), "different");
    }),
    { numRuns: 100 },
  );
});

const CONVERSIONS = [
  ["km", "miles", 1 / 1.609344],
  ["metres", "feet", 1 / 0.3048],
  ["kg", "lb", 1 / 0.45359237],
  ["sq km", "sq mi", 1 / 1.609344 ** 2],
  ["hectares", "acres", 1 / 0.40468564224],
] as const;

Deno.test("Requirement 2.2: a measure is the same in another unit, and twice as much is not", () => {
  const measure = fc.integer({ min: 101, max: 999_999 });
  fc.assert(
    fc.property(measure, fc.constantFrom(...CONVERSIONS), (number, [unit, other, factor]) => {
      const written = `${number} ${unit}`;
      assert.equal(relation(written, `${(number * factor).toFixed(1)} ${other}`), "same");
      assert.equal(relation(written, `${(2 * number * factor).toFixed(1)} ${other}`), "different");
    }),
    { numRuns: 200 },
  );
});

Deno.test("Requirement 2.2: a number is the same in digits, in groups of digits and in millions", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1_000_000, max: 999_000_000 }), (number) => {
      const grouped = number.toLocaleString("en-GB");
      assert.equal(relation(`${(number / 1e6).toFixed(1)} million`, grouped), "same");
      assert.equal(relation(String(number), grouped), "same");
    }),
    { numRuns: 200 },
  );
});
