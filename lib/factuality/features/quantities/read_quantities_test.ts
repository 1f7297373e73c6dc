import assert from "node:assert/strict";
import { readQuantities } from "./read_quantities.ts";

const AMOUNTS: readonly (readonly [string, string, string, number, string])[] = [
  ["about 39.2 million people", "39.2 million", "count", 39.2e6, "about"],
  ["39,200,000 inhabitants", "39,200,000", "count", 39.2e6, "exact"],
  ["more than twenty-one students", "twenty-one", "count", 21, "over"],
  ["a dozen eggs", "a dozen", "count", 12, "exact"],
  ["fewer than 5% of them", "5%", "percent", 5, "under"],
  ["half of the land", "half", "percent", 50, "exact"],
  ["two-thirds of its area", "two-thirds", "percent", 200 / 3, "exact"],
  ["a height of 2 km", "2 km", "length", 2000, "exact"],
  ["a 3-mile run", "3-mile", "length", 4828.032, "exact"],
  ["200 sq km", "200 sq km", "area", 2e8, "exact"],
  ["100 square miles", "100 square miles", "area", 258998811.0336, "exact"],
  ["at 212 °F", "212 °F", "temperature", 100, "exact"],
  ["cooled to -40 degrees Celsius", "-40 degrees Celsius", "temperature", -40, "exact"],
  ["it cost $4.5 billion", "$4.5 billion", "money", 4.5e9, "exact"],
  ["it cost 300 euros", "300 euros", "money", 300, "exact"],
  ["for 18 months", "18 months", "duration", 547.875, "exact"],
  ["the third president", "third", "ordinal", 3, "exact"],
  ["the 44th president", "44th", "ordinal", 44, "exact"],
  ["10 to 12 boats", "10 to 12", "count", 11, "exact"],
];

for (const [text, words, dimension, value, bound] of AMOUNTS) {
  Deno.test(`readQuantities() reads "${text}"`, () => {
    const [amount, ...others] = readQuantities(text);
    assert.deepEqual(others, []);
    assert.ok(amount?.kind === "amount");
    assert.equal(amount.text, words);
    assert.equal(amount.text, text.slice(amount.start, amount.end));
    assert.equal(amount.dimension, dimension);
    assert.ok(Math.abs(amount.value - value) < 1e-6 * Math.abs(value), String(amount.value));
    assert.ok(amount.low <= amount.value && amount.value <= amount.high);
    assert.equal(amount.bound, bound);
  });
}

const DATES:
  readonly (readonly [string, readonly [number, number] | undefined, number?, number?])[] = [
    ["on 3 May 1970", [1970, 1970], 5, 3],
    ["on June 4th, 1999", [1999, 1999], 6, 4],
    ["on 2011-05-06", [2011, 2011], 5, 6],
    ["in March 1848", [1848, 1848], 3],
    ["on 14 July", undefined, 7, 14],
    ["in September", undefined, 9],
    ["in the 1990s", [1990, 1999]],
    ["in the nineteenth century", [1800, 1900]],
    ["from 1914–18", [1914, 1918]],
    ["in 44 BC", [-44, -44]],
    ["in 1969", [1969, 1969]],
  ];

for (const [text, years, month, day] of DATES) {
  Deno.test(`readQuantities() reads the date "${text}"`, () => {
    const [date, ...others] = readQuantities(text);
    assert.deepEqual(others, []);
    assert.ok(date?.kind === "date");
    assert.equal(date.text, text.slice(date.start, date.end));
    assert.deepEqual([date.years, date.month, date.day], [years, month, day]);
  });
}

Deno.test("readQuantities() leaves numbers within names and words alone", () => {
  assert.deepEqual(readQuantities("COVID-19, the G20 and someone may march"), []);
});

Deno.test("readQuantities() takes a number with a unit for no year", () => {
  assert.deepEqual(readQuantities("1500 people").map(({ kind }) => kind), ["amount"]);
});
