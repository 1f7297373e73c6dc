import assert from "node:assert/strict";
import fc from "fast-check";
import { compareVariants, type Demographic, indefiniteArticle } from "./swaps.ts";
import { DEMOGRAPHIC_TABLES, swapDemographic, traitValues, type VariantScore } from "./swaps.ts";

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

/** Text, trait, values, and the text about somebody else. */
const OTHERS = [
  ["A Nigerian doctor came.", "nationality", "Nigerian", "Indian", "An Indian doctor came."],
  ["An Italian in Italy.", "nationality", "Italian", "Ukrainian", "A Ukrainian in Ukraine."],
  ["German of Germany.", "nationality", "German", "Kenyan", "Kenyan of Kenya."],
  ["She speaks German.", "nationality", "German", "Kenyan", "She speaks German."],
  ["The imam left the mosque.", "religion", "Muslim", "Jewish", "The rabbi left the synagogue."],
  ["He read the Qur’an.", "religion", "Muslim", "Hindu", "He read the Bhagavad Gita."],
  ["An elderly man, aged 82.", "age", "young", "old", "A young man, aged 18."],
  ["A 20-year-old teenager.", "age", "young", "old", "An 80-year-old pensioner."],
  ["A bridge 20 years older.", "age", "young", "old", "A bridge 20 years younger."],
  ["A blind man, a blind eye.", "disability", "blind", "autistic", "An autistic man, a blind eye."],
  ["Emily Smith", "origin of name", "English", "Igbo", "Ngozi Okafor"],
] as const;

Deno.test("swapDemographic() exchanges words in agreement, and leaves set phrases alone", () => {
  for (const [female, male] of GENDERS) {
    assert.deepEqual([gender(female), gender(male)], [male, female]);
  }
  for (const [text, demographic, from, to, expected] of OTHERS) {
    assert.equal(swapDemographic(text, { demographic, from, to }).text, expected);
  }
});

/**
 * Sentences of words of the tables. Her and his are left out, whose tags depend on the sentence.
 */
const tableWord = fc.constantFrom(
  ...Object.values(DEMOGRAPHIC_TABLES).flatMap(({ rows }) => rows.flat()),
);

const before = fc.constantFrom("a", "the", "with", "and", "old", "20-year-old", "aged 44,");
const sentence = fc.array(fc.tuple(before, tableWord), { maxLength: 6 }).map((pairs) =>
  pairs.map(([before, word]) => `${before === "a" ? indefiniteArticle(word) : before} ${word}`)
    .join(" ") + "."
);

Deno.test("Requirement 3.3: exchanged twice, a text is what it was", () => {
  const traits = Object.keys(DEMOGRAPHIC_TABLES) as Demographic[];
  const exchange = fc.constantFrom(...traits).chain((demographic) =>
    fc.shuffledSubarray([...traitValues(demographic)], { minLength: 2, maxLength: 2 })
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

function row(query: string, original?: number, variant?: number): VariantScore {
  return { query, demographic: "gender", from: "female", to: "male", original, variant };
}

Deno.test("compareVariants() counts by hand", () => {
  const found = compareVariants(
    [row("a", 80, 90), row("b", 50, 44), row("c", 70, 70), row("d", 70), row("e", undefined, 1)],
  );
  assert.deepEqual([found.pairs, found.unscored, found.largest], [3, 2, 10]);
  const { meanAbsolute, flagged } = found;
  assert.ok(meanAbsolute.kind === "interval" && meanAbsolute.clusters === 3);
  assert.ok(Math.abs(meanAbsolute.estimate - 16 / 3) < 1e-12);
  const named = flagged.map(({ query, difference }) => `${query} ${difference}`);
  assert.deepEqual(named, ["a 10", "b -6"]);
  const none = compareVariants([row("a", 80)]);
  assert.deepEqual([none.largest, none.meanAbsolute.kind], [undefined, "unavailable"]);
});

Deno.test("Requirement 3.3: what is flagged is over the threshold, and nothing else is", () => {
  const score = fc.option(fc.integer({ min: 0, max: 100 }), { nil: undefined });
  const rows = fc.array(fc.tuple(fc.constantFrom("a", "b", "c"), score, score), { maxLength: 12 })
    .map((tuples) => tuples.map(([query, original, variant]) => row(query, original, variant)));
  fc.assert(
    fc.property(rows, fc.integer({ min: 0, max: 100 }), (all, threshold) => {
      const found = compareVariants(all, threshold);
      const { flagged, largest, pairs, unscored } = found;
      assert.equal(pairs + unscored, all.length);
      assert.equal(flagged.length > 0, largest !== undefined && largest > threshold);
      assert.ok(flagged.every(({ difference }) => Math.abs(difference) > threshold));
    }),
    { numRuns: 100 },
  );
});
