import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { z } from "zod";
import { readJsonLines } from "../../files/json.ts";
import { compareQuantities, readQuantities } from "./quantities.ts";

const AMOUNTS: readonly (readonly [string, string, string, number, string])[] = [
  ["about 39.2 million people", "39.2 million", "count", 39.2e6, "about"],
  ["at 2:45, more than a hundred people", "a hundred", "count", 100, "over"],
  ["it took $220.2million", "$220.2million", "money", 220.2e6, "exact"],
  ["over 2030 cases", "2030", "count", 2030, "over"],
  ["more than twenty-one students", "twenty-one", "count", 21, "over"],
  ["a dozen eggs", "a dozen", "count", 12, "exact"],
  ["fewer than 5% of them", "5%", "percent", 5, "under"],
  ["two-thirds of its area", "two-thirds", "percent", 200 / 3, "exact"],
  ["100 square miles", "100 square miles", "area", 258998811.0336, "exact"],
  ["at 212 °F", "212 °F", "temperature", 100, "exact"],
  ["cooled to -40 degrees Celsius", "-40 degrees Celsius", "temperature", -40, "exact"],
  ["it cost $4.5 billion", "$4.5 billion", "money", 4.5e9, "exact"],
  ["the third president", "third", "ordinal", 3, "exact"],
  ["10 to 12 boats", "10 to 12", "count", 11, "exact"],
];

Deno.test("readQuantities() reads numbers with their units, and how they are bounded", () => {
  for (const [text, words, dimension, value, bound] of AMOUNTS) {
    const [amount, ...others] = readQuantities(text);
    assert.ok(amount?.kind === "amount" && others.length === 0, text);
    const { start, end, low, high } = amount;
    assert.deepEqual([amount.text, text.slice(start, end)], [words, words]);
    assert.deepEqual([amount.dimension, amount.bound], [dimension, bound]);
    assert.ok(Math.abs(amount.value - value) < 1e-6 * Math.abs(value), String(amount.value));
    assert.ok(low <= amount.value && amount.value <= high);
  }
});

type Years = readonly [number, number] | undefined;

const DATES: readonly (readonly [string, Years, number?, number?])[] = [
  ["on 3 May 1970", [1970, 1970], 5, 3],
  ["on June 4th, 1999", [1999, 1999], 6, 4],
  ["on 14 July", undefined, 7, 14],
  ["in September.", undefined, 9],
  ["on Sept. 3, 2012", [2012, 2012], 9, 3],
  ["in the nineteenth century", [1800, 1900]],
  ["from 1914–18", [1914, 1918]],
  ["in 44 BC", [-44, -44]],
];

Deno.test("readQuantities() reads days, months, years, decades, centuries and spans", () => {
  for (const [text, ...expected] of DATES) {
    const [date, ...others] = readQuantities(text);
    assert.ok(date?.kind === "date" && others.length === 0, text);
    assert.equal(date.text, text.slice(date.start, date.end));
    const { years, month, day } = date;
    assert.deepEqual([years, month, day], [...expected, undefined, undefined].slice(0, 3));
  }
});

const relation = (claim: string, source: string) =>
  compareQuantities(readQuantities(claim)[0]!, readQuantities(source)[0]!);

Deno.test("compareQuantities(): what a source's quantity says of a claim's, as judged by hand", () => {
  const file = join(import.meta.dirname!, "testdata/relations.jsonl");
  const row = z.tuple([z.string(), z.string(), z.string()]);
  const { rows } = readJsonLines(file, (line) => row.parse(line));
  assert.equal(rows.length, 47);
  for (const [claim, source, expected] of rows) {
    assert.equal(relation(claim, source), expected, claim);
  }
});

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
