import assert from "node:assert/strict";
import { randomSource } from "../../stats/random.ts";
import { makeVariant } from "./cases.ts";
import { peopleIn } from "./perturbations.ts";
import { variantTools } from "./testdata/variant_tools.ts";
import type { VariantKind } from "./variant.ts";

/** What can come of a text with any seed; nothing where the kind finds no place in it. */
function outcomes(kind: VariantKind, text: string): readonly string[] {
  const made = Array.from(
    { length: 60 },
    (_, seed) => makeVariant(kind, text, variantTools, randomSource(seed))?.text,
  );
  return [...new Set(made)].filter((one) => one !== undefined).toSorted();
}

type Expected = Readonly<Record<string, readonly string[] | string>>;

/** Texts with everything that may come of them, and texts that must stay as they are. */
const RULES: Readonly<Partial<Record<VariantKind, Expected>>> = {
  "date": {
    "Kenya had settlers before 1963.": [],
    "Around 1250 it was settled.": [],
    "War lasted from 1990 to 1995.": [],
  },
  "number": {
    "Resolution 1701 was adopted.": [],
    "It has F-16 jets.": [],
    "An 11-day war broke out.": [],
    "It was settled between 50,000 and 60,000 BP.": [],
    "As many as 400 people left.": [],
    // "More than 210" is as true as "more than 200" of what is 215: the one reads like the other.
    "More than 200 ships came.": [],
  },
  "digits": {
    "It has 1,575 km of coast.": ["It has 1,755 km of coast.", "It has 5,175 km of coast."],
    "It took more than 15 ships.": "It took more than 51 ships.",
    "It took more than 51 ships.": [],
  },
  "place": {
    "Most live in the north.": "Most live in the south.",
    "Rebels fled to Rwanda.": ["Benin", "Ghana", "Tanzania", "Togo"]
      .map((name) => `Rebels fled to ${name}.`),
    "The Bank of Ghana closed.": [],
    "It did not border Togo.": [],
  },
  "name": {
    "Under Jomo Kenyatta it grew.": ["Julius Nyerere", "Kwame Nkrumah"]
      .map((name) => `Under ${name} it grew.`),
    "It is no member of NATO.": [],
  },
  "negation": {
    "Kenya is a republic.": "Kenya is not a republic.",
    "Kenya has 12 ports.": "Kenya does not have 12 ports.",
    "Kenya gained its independence.": "Kenya did not gain its independence.",
    "Forest covers the land.": "Forest does not cover the land.",
    "Kenya is not a member.": "Kenya is a member.",
    "Kenya cannot pay.": "Kenya can pay.",
    "All men are free.": [],
    "Not only Kenya is poor.": [],
    "The area known as Bengal lies low.": [],
  },
  "quantifier": {
    "Most people left.": [],
    "Most islands are low.": ["All islands are low.", "Few islands are low."],
    "Some of the isles are low.": ["All of the isles are low.", "None of the isles are low."],
    "All the islands are low.": "Few of the islands are low.",
    "The most important ports grew.": [],
    "It lasted several weeks.": [],
  },
  "roles": {
    "Uganda invaded Tanzania in 1978.": "Tanzania invaded Uganda in 1978.",
    "Kenya gained independence from the UK.": "The UK gained independence from Kenya.",
    "Togo's largest export partner is Ghana.": "Ghana's largest export partner is Togo.",
    "Kenya borders Uganda.": [],
  },
  "unit": {
    "It covers 580 sq km.": "It covers 580 sq miles.",
    "It is worth $2 billion.": "It is worth €2 billion.",
    "It lasted over 60 years.": [],
  },
  "number format": {
    "It has 39.2 million people.": "It has 39,200,000 people.",
    "It has 39,200,000 people.": "It has 39.2 million people.",
    "It has 12 ports.": "It has twelve ports.",
    "Two sq km are land.": "2 sq km are land.",
    "45% can read.": "45 percent can read.",
  },
  "date format": {
    "It fell on 18 February 1965.": ["It fell on 1965-02-18.", "It fell on February 18, 1965."],
    "It is on February 18.": "It is on 18 February.",
  },
  // 536 / 1.609344 = 333.05; 580,367 / 1.609344² = 224,080.9; 5 × 3.28084 = 16.4042.
  "unit converted": {
    "It is 536 km long.": "It is 333 miles long.",
    "It covers 580,367 sq km.": "It covers 224,081 sq miles.",
    "It lies 5 m high.": "It lies 16.4 feet high.",
  },
  "paraphrase": {
    "Nairobi is the capital of Kenya.": "Nairobi is Kenya's capital.",
    "Kenya's capital is Nairobi.": "The capital of Kenya is Nairobi.",
    "The isles were founded by the British.": "The British founded the isles.",
    "Uganda invaded Tanzania in 1978.": "Tanzania was invaded by Uganda in 1978.",
    "The island of Bali is warm.": [],
    "Since Kenya's independence it grew.": [],
    "The Dutch seized Togo from the Spanish in 1634.": [],
    "China buys the largest share of New Guinea's exports.": [],
  },
  "order": {
    "In 1963, Kenya joined the UN.": "Kenya joined the UN in 1963.",
    "Kenya joined the UN in 1963.": "In 1963, Kenya joined the UN.",
    "The war lasted from May 1942 to the surrender in August 1945.": [],
    "A pact for the end of the century was signed by 1980 in 1977.": [],
    "Aid went to Uganda and Togo.": "Aid went to Togo and Uganda.",
    "The flag is of red, white, and blue bands.": [],
  },
  "spelling": {
    "The labor party won.": "The labour party won.",
    "Kenya's flag flew.": "Kenya’s flag flew.",
    "It flew.": "It flew",
  },
};

for (const [kind, texts] of Object.entries(RULES)) {
  Deno.test(`Requirement 14.1: makeVariant() by the rule of ${kind}, and what it leaves alone`, () => {
    for (const [text, expected] of Object.entries(texts)) {
      assert.deepEqual(outcomes(kind as VariantKind, text), [expected].flat(), text);
    }
  });
}

Deno.test("a year is moved by five at most, and not beyond 2025; names stand for their like", () => {
  const years = outcomes("date", "It began in 2024.").map((text) => Number(/\d{4}/.exec(text)![0]));
  assert.ok(years.length > 3 && years.every((year) => year >= 2019 && year <= 2025));
  assert.ok(outcomes("name", "It joined NATO.").includes("It joined ASEAN."));
  const text = "Under President Jomo Kenyatta's rule, King Zog fled.";
  assert.deepEqual(peopleIn(text), ["Jomo Kenyatta"]);
});
