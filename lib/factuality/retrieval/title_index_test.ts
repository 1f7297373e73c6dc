import assert from "node:assert/strict";
import fc from "fast-check";
import { namedTitles, TitleIndexBuilder } from "./title_index.ts";

const TITLES = ["France", "Equatorial Guinea", "Guinea", "Congo (Brazzaville)", "Côte d'Ivoire"];
const ALIASES = new Map([
  ["France", ["French", "French Republic"]],
  ["Guinea", ["Guinean"]],
  ["Congo (Brazzaville)", ["Congolese"]],
]);

function indexOf(titles: readonly string[], aliases = ALIASES) {
  const builder = new TitleIndexBuilder();
  for (const title of titles) builder.add(title);
  return builder.finish(aliases);
}

const index = indexOf(TITLES);
const named = (claim: string) =>
  namedTitles(index, claim).map(({ number }) => index.titles[number]!.title);

Deno.test("namedTitles() reads a possessive, an adjective and a name without its bracket", () => {
  assert.deepEqual(named("France's capital is Berlin."), ["France"]);
  assert.deepEqual(named("France’s capital is Berlin."), ["France"]);
  assert.deepEqual(named("The capital of the French Republic"), ["France"]);
  assert.deepEqual(named("Cote d’Ivoire borders Congo."), ["Côte d'Ivoire", "Congo (Brazzaville)"]);
});

Deno.test("namedTitles() takes the longest of names that overlap, in the claim's order", () => {
  assert.deepEqual(named("Equatorial Guinea borders France."), ["Equatorial Guinea", "France"]);
  assert.deepEqual(named("The French left Guinea. France left."), ["France", "Guinea"]);
});

Deno.test("namedTitles() passes over what is written small, and so many at most", () => {
  assert.deepEqual(named("guinea pigs like french fries"), []);
  assert.equal(namedTitles(index, "France, Guinea, Congo", 2).length, 2);
});

Deno.test("a name of several titles names them all", () => {
  const both = indexOf(["Mercury (planet)", "Mercury (element)", "Mercury (planet)"]);
  assert.deepEqual([...both.titleOf], [0, 1, 0]);
  assert.deepEqual(namedTitles(both, "Mercury is hot.").map(({ number }) => number), [0, 1]);
});

Deno.test("Requirement 6.3: namedTitles() finds every title wherever it stands in a claim", () => {
  const word = fc.stringMatching(/^[a-z]{1,8}$/u);
  const words = fc.array(word, { maxLength: 6 });
  fc.assert(fc.property(words, fc.constantFrom(...TITLES), words, (before, title, after) => {
    const claim = [...before, title, ...after].join(" ");
    assert.deepEqual(named(claim), [title]);
  }));
});
