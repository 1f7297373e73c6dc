import assert from "node:assert/strict";
import fc from "fast-check";
import { maximumScore, PostingsBuilder, searchPostings, termsOf } from "./index.ts";

Deno.test("termsOf() folds case, accents, plurals and digit groups, and leaves stop words out", () => {
  assert.deepEqual(
    termsOf("The exports of Côte d’Ivoire: 39,200 sq km, 3.5% in 2024; Mali's cities"),
    "export cote d ivoire 39200 sq km 3.5 2024 mali city".split(" "),
  );
});

Deno.test("Requirement 6.3: termsOf() finds the same terms whatever the case and number format", () => {
  fc.assert(fc.property(fc.integer({ min: 0, max: 1e9 }), fc.string(), (number, text) => {
    assert.deepEqual(termsOf(number.toLocaleString("en")), [String(number)]);
    assert.deepEqual(termsOf(text.toLowerCase()), termsOf(text.toLowerCase().normalize("NFD")));
  }));
});

function postingsOf(passages: readonly (readonly string[])[]) {
  const builder = new PostingsBuilder();
  for (const passage of passages) builder.add(passage);
  return builder.finish();
}

const term = fc.constantFrom("a", "b", "c", "d", "e");
const bags = fc.array(fc.array(term, { maxLength: 6 }), { minLength: 1, maxLength: 40 });

/** Straight from the formula, passage by passage. */
function directly(bags: readonly (readonly string[])[], query: readonly string[]) {
  const mean = bags.flat().length / bags.length || 1;
  return bags.map((bag, number) => {
    const score = [...new Set(query)].reduce((sum, term) => {
      const tf = bag.filter((one) => one === term).length;
      const n = bags.filter((one) => one.includes(term)).length;
      const idf = Math.log(1 + (bags.length - n + 0.5) / (n + 0.5));
      return sum + idf * tf / (tf + 1.2 * (0.25 + 0.75 * bag.length / mean) || 1);
    }, 0);
    return { number, score };
  }).filter(({ score }) => score > 0).sort((a, b) => b.score - a.score);
}

Deno.test("Requirement 6.3: searchPostings() finds what the formula finds, in its order", () => {
  fc.assert(fc.property(bags, fc.array(term), fc.nat({ max: 9 }), (bags, query, more) => {
    const found = searchPostings(postingsOf(bags), query, more + 1);
    const expected = directly(bags, query).slice(0, more + 1);
    assert.equal(found.length, expected.length);
    for (const [rank, { score }] of found.entries()) {
      assert.ok(Math.abs(score - expected[rank]!.score) < 1e-5);
    }
    assert.equal(new Set(found.map(({ number }) => number)).size, found.length);
    // None beyond what its claim could reach, and the same among those that a test picks.
    const postings = postingsOf(bags);
    const most = maximumScore(postings, query) + 1e-5;
    assert.ok(found.every(({ score }) => score <= most));
    const all = searchPostings(postings, query, bags.length);
    const even = searchPostings(postings, query, more, (number) => number % 2 === 0);
    assert.deepEqual(even, all.filter(({ number }) => number % 2 === 0).slice(0, more));
  }));
});
