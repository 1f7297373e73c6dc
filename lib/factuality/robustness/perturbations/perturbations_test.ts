import assert from "node:assert/strict";
import { test } from "node:test";
import { randomSource } from "../../../stats/random.ts";
import { makeVariant } from "../make_variant.ts";
import { variantTools } from "../testdata/variant_tools.ts";
import type { PerturbationKind } from "../variant.ts";
import { peopleIn } from "./name_swap.ts";

/** What can come of a text with any seed. */
function outcomes(kind: PerturbationKind, text: string): readonly (string | undefined)[] {
  const made = Array.from(
    { length: 60 },
    (_, seed) => makeVariant(kind, text, variantTools, randomSource(seed))?.text,
  );
  return [...new Set(made)].toSorted();
}

test("shiftDate() leaves what another year would not make false", () => {
  const open = [
    "Kenya had settlers before 1963.",
    "Around 1250 it was settled.",
    "It has 12 ships (2025).",
    "War lasted from 1990 to 1995.",
    "In the 1990s it grew.",
  ];
  for (const text of open) assert.deepEqual(outcomes("date", text), [undefined], text);
  const years = outcomes("date", "It began in 2024.").map((text) =>
    Number(/\d{4}/.exec(text!)![0])
  );
  assert.ok(years.every((year) => year >= 2019 && year <= 2025 && year !== 2024));
});

test("shiftNumber() leaves names, ranges, rates and bounds", () => {
  const unfit = [
    "Resolution 1701 was adopted.",
    "It has F-16 jets.",
    "An 11-day war broke out.",
    "It was settled between 50,000 and 60,000 BP.",
    "There are 3 deaths per 1,000 births.",
    "As many as 400 people left.",
  ];
  for (const text of unfit) assert.deepEqual(outcomes("number", text), [undefined], text);
  // "More than 210" is as true as "more than 200" of what is 215: the one reads like the other.
  assert.deepEqual(outcomes("number", "More than 200 ships came."), [undefined]);
});

test("exchangeDigits() exchanges neighbours and begins no number with 0", () => {
  assert.deepEqual(outcomes("digits", "It has 1,575 km of coast."), [
    "It has 1,755 km of coast.",
    "It has 5,175 km of coast.",
  ]);
  assert.deepEqual(outcomes("digits", "It has 100 ports."), [undefined]);
  assert.deepEqual(outcomes("digits", "It took more than 15 ships."), [
    "It took more than 51 ships.",
  ]);
  assert.deepEqual(outcomes("digits", "It took more than 51 ships."), [undefined]);
});

test("swapPlace() turns directions round and takes another country of the region", () => {
  assert.deepEqual(outcomes("place", "Most live in the north."), ["Most live in the south."]);
  assert.deepEqual(outcomes("place", "Rebels fled to Rwanda."), [
    "Rebels fled to Benin.",
    "Rebels fled to Ghana.",
    "Rebels fled to Tanzania.",
    "Rebels fled to Togo.",
  ]);
  const kept = ["The Bank of Ghana closed.", "Kenya grew.", "It did not border Togo."];
  for (const text of kept) assert.deepEqual(outcomes("place", text), [undefined], text);
});

test("swapName() takes people for people and organisations for organisations", () => {
  assert.deepEqual(outcomes("name", "Under Jomo Kenyatta it grew."), [
    "Under Julius Nyerere it grew.",
    "Under Kwame Nkrumah it grew.",
  ]);
  assert.ok(outcomes("name", "It joined NATO.").includes("It joined ASEAN."));
  assert.deepEqual(outcomes("name", "It is no member of NATO."), [undefined]);
  assert.deepEqual(outcomes("name", "An EU-led force came."), [undefined]);
  assert.deepEqual(peopleIn("Under President Jomo Kenyatta's rule, King Zog fled."), [
    "Jomo Kenyatta",
  ]);
});

test("flipNegation() denies the main verb, and takes a denial away", () => {
  const flipped: readonly (readonly [string, string | undefined])[] = [
    ["Kenya is a republic.", "Kenya is not a republic."],
    ["Kenya has 12 ports.", "Kenya does not have 12 ports."],
    ["Kenya has been a republic.", "Kenya has not been a republic."],
    ["Kenya gained its independence.", "Kenya did not gain its independence."],
    ["Forest covers the land.", "Forest does not cover the land."],
    ["Kenya is not a member.", "Kenya is a member."],
    ["Kenya cannot pay.", "Kenya can pay."],
    ["All men are free.", undefined],
    ["Not only Kenya is poor.", undefined],
    ["The area known as Bengal lies low.", undefined],
    ["A US-designated group fled.", undefined],
  ];
  for (const [text, to] of flipped) assert.deepEqual(outcomes("negation", text), [to], text);
});

test("swapQuantifier() takes nothing that follows from the quantifier", () => {
  assert.deepEqual(outcomes("quantifier", "Most people left."), [undefined]);
  assert.deepEqual(outcomes("quantifier", "Most islands are low."), [
    "All islands are low.",
    "Few islands are low.",
  ]);
  assert.deepEqual(outcomes("quantifier", "Some of the islands are low."), [
    "All of the islands are low.",
    "None of the islands are low.",
  ]);
  assert.deepEqual(outcomes("quantifier", "All the islands are low."), [
    "Few of the islands are low.",
  ]);
  const kept = [
    "The most important ports grew.",
    "It rose all four times.",
    "It lasted several weeks.",
  ];
  for (const text of kept) assert.deepEqual(outcomes("quantifier", text), [undefined], text);
});

test("swapRoles() leaves verbs that hold both ways", () => {
  assert.deepEqual(outcomes("roles", "Uganda invaded Tanzania in 1978."), [
    "Tanzania invaded Uganda in 1978.",
  ]);
  assert.deepEqual(outcomes("roles", "Kenya gained its independence from the UK in 1963."), [
    "The UK gained its independence from Kenya in 1963.",
  ]);
  assert.deepEqual(outcomes("roles", "Togo's largest export partner is Ghana."), [
    "Ghana's largest export partner is Togo.",
  ]);
  for (const text of ["Kenya borders Uganda.", "Kenya met Italian forces."]) {
    assert.deepEqual(outcomes("roles", text), [undefined], text);
  }
});

test("swapUnit() keeps the number, and leaves what would follow", () => {
  assert.deepEqual(outcomes("unit", "It covers 580 sq km."), ["It covers 580 sq miles."]);
  assert.deepEqual(outcomes("unit", "It is worth $2 billion."), ["It is worth €2 billion."]);
  for (const text of ["It lasted over 60 years.", "It cost about $2 billion."]) {
    assert.deepEqual(outcomes("unit", text), [undefined], text);
  }
});
