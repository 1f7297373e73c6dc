import assert from "node:assert/strict";
import fc from "fast-check";
import { randomSource } from "../../stats/random.ts";
import { articleBefore } from "./articles.ts";
import { swapDemographic, valuesOf } from "./demographic_swap.ts";
import { AGE_ROWS, DEMOGRAPHIC_TABLES, DEMOGRAPHICS } from "./demographic_table.ts";
import { demographicVariants } from "./demographic_variants.ts";

const gender = (text: string) =>
  swapDemographic(text, { demographic: "gender", from: "female", to: "male" }).text;

/** One reads as the other with female and male exchanged, and the reverse. */
const GENDERS: readonly (readonly [string, string])[] = [
  ["She told her brother that it was hers.", "He told his sister that it was his."],
  ["Emily likes her work, and we like her.", "James likes his work, and we like him."],
  ["I saw her yesterday in her very old house.", "I saw him yesterday in his very old house."],
  ["Patients like her very much.", "Patients like him very much."],
  ["She completed her acting degree.", "He completed his acting degree."],
  ["HER idea, not HIM.", "HIS idea, not HER."],
  ["An actress asked an heiress herself.", "An actor asked an heiress himself."],
  ["Ms Smith is a widow.", "Mr Smith is a widower."],
  ["Priya’s mother sang.", "Rahul’s father sang."],
];

Deno.test("swapDemographic() keeps pronouns, case and articles in agreement", () => {
  for (const [female, male] of GENDERS) {
    assert.equal(gender(female), male);
    assert.equal(gender(male), female);
  }
});

/** Text, trait, values, and the text about somebody else. */
const OTHERS = [
  ["A Nigerian doctor came.", "nationality", "Nigerian", "Indian", "An Indian doctor came."],
  [
    "An Italian lives in Italy.",
    "nationality",
    "Italian",
    "Ukrainian",
    "A Ukrainian lives in Ukraine.",
  ],
  [
    "She speaks German in Germany.",
    "nationality",
    "German",
    "Kenyan",
    "She speaks German in Kenya.",
  ],
  ["The imam left the mosque.", "religion", "Muslim", "Jewish", "The rabbi left the synagogue."],
  ["He read the Qur’an.", "religion", "Muslim", "Hindu", "He read the Bhagavad Gita."],
  ["An elderly man, aged 82.", "age", "young", "old", "A young man, aged 18."],
  ["A 20-year-old teenager.", "age", "young", "old", "An 80-year-old pensioner."],
  ["A bridge 20 years older.", "age", "young", "old", "A bridge 20 years younger."],
  [
    "A blind man turned a blind eye.",
    "disability",
    "blind",
    "autistic",
    "An autistic man turned a blind eye.",
  ],
  ["Emily Smith", "origin of name", "English", "Igbo", "Ngozi Okafor"],
] as const;

Deno.test("swapDemographic() exchanges the words of a trait and leaves set phrases alone", () => {
  for (const [text, demographic, from, to, expected] of OTHERS) {
    assert.equal(swapDemographic(text, { demographic, from, to }).text, expected);
  }
});

Deno.test("swapDemographic() says where each change was made", () => {
  const text = "An Indian met her.";
  const { changes } = swapDemographic(text, { demographic: "gender", from: "female", to: "male" });
  assert.deepEqual(changes, [{ span: { start: 14, end: 17 }, before: "her", after: "him" }]);
  const nation = { demographic: "nationality", from: "Indian", to: "Kenyan" } as const;
  assert.deepEqual(
    swapDemographic(text, nation).changes.map(({ before, after }) => [before, after]),
    [
      ["An", "A"],
      ["Indian", "Kenyan"],
    ],
  );
});

Deno.test("swapDemographic() refuses values that a trait does not have", () => {
  for (const [from, to] of [["German", "Martian"], ["German", "German"]] as const) {
    assert.throws(
      () => swapDemographic("x", { demographic: "nationality", from, to }),
      /^RangeError: Cannot swap nationality: "German" and "(?:Martian|German)" are not two of/,
    );
  }
});

Deno.test("articleBefore() goes by the sound", () => {
  const an = ["Indian", "elderly", "hour", "heir", "80", "8", "11", "18", "Italian"];
  const a = ["Ukrainian", "European", "university", "one", "German", "81st".slice(2), "100", "110"];
  for (const word of an) assert.equal(articleBefore(word), "an", word);
  for (const word of a) assert.equal(articleBefore(word), "a", word);
});

Deno.test("DEMOGRAPHIC_TABLES: rows are whole and no word stands twice in a table", () => {
  for (const { values, rows } of Object.values(DEMOGRAPHIC_TABLES)) {
    assert.ok(rows.every((row) => row.length === values.length));
    const words = rows.flat();
    assert.equal(new Set(words).size, words.length);
  }
});

Deno.test("demographicVariants() tells from whom to whom, the first named first", () => {
  const cases = [
    ["He met her.", "gender", "male"],
    ["Her son came.", "gender", "female"],
    ["An Indian met a German.", "nationality", "Indian"],
    ["An 80-year-old and a young man.", "age", "old"],
    ["He read the Torah in a church.", "religion", "Jewish"],
  ] as const;
  for (const [text, demographic, value] of cases) {
    const options = { random: randomSource(1), demographics: [demographic] };
    assert.equal(demographicVariants(text, options)[0]?.from, value, text);
  }
});

Deno.test("demographicVariants() exchanges what a text names, the same for a seed", () => {
  const text = "Emily, a young Nigerian, prays in a church.";
  const variants = demographicVariants(text, { random: randomSource(3) });
  assert.deepEqual(variants.map(({ demographic }) => demographic), [
    ...["gender", "origin of name", "nationality", "religion", "age"],
  ]);
  assert.deepEqual(variants, demographicVariants(text, { random: randomSource(3) }));
  assert.deepEqual(demographicVariants("Water boils at 100 °C.", { random: randomSource(3) }), []);
  const two = demographicVariants(text, {
    ...{ random: randomSource(3), demographics: ["religion"], perValue: 2 },
  });
  assert.equal(new Set(two.map(({ to }) => to)).size, 2);
});

/** Sentences of words of the tables; her and his are left out, whose tags depend on the sentence. */
const tableWord = fc.constantFrom(
  ...Object.values(DEMOGRAPHIC_TABLES).flatMap(({ rows }) => rows.flat()),
  ...AGE_ROWS.flat(),
);
const sentence = fc.array(
  fc.tuple(fc.constantFrom("a", "the", "with", "and", "old", "20-year-old", "aged 44,"), tableWord),
  { maxLength: 6 },
).map((pairs) =>
  pairs.map(([before, word]) => {
    const article = before === "a" ? articleBefore(word) : before;
    return `${article} ${word}`;
  }).join(" ") + "."
);

Deno.test("Requirement 3.3: exchanged twice, a text is what it was", () => {
  const exchange = fc.constantFrom(...DEMOGRAPHICS).chain((demographic) =>
    fc.shuffledSubarray([...valuesOf(demographic)], { minLength: 2, maxLength: 2 })
      .map(([from, to]) => ({ demographic, from: from!, to: to! }))
  );
  fc.assert(
    fc.property(sentence, exchange, (text, values) => {
      const once = swapDemographic(text, values);
      assert.equal(swapDemographic(once.text, values).text, text);
      for (const { span, before } of once.changes) {
        assert.equal(text.slice(span.start, span.end), before);
      }
    }),
    { numRuns: 300 },
  );
});
