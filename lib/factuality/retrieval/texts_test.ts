import assert from "node:assert/strict";
import fc from "fast-check";
import { namedTitles, nameTerms, passageParts, plainBlocks, plainText } from "./texts.ts";
import { titleIndex } from "./texts.ts";

Deno.test("plainText() keeps sub-regions apart, drops tags, and knows HTML's entities", () => {
  const html = "<strong>metropolitan France:</strong> Western Europe<br><br><strong>Reunion:" +
    "</strong> an island.<br><br>Note: <1% &ccedil;&#8217;&#x2013; AT&T &foo;";
  assert.equal(
    plainText(html),
    "metropolitan France: Western Europe; Reunion: an island. Note: <1% ç’– AT&T &foo;",
  );
});

Deno.test("plainBlocks() never waits for a blank line that does not come", async () => {
  const lines = Array.from({ length: 5000 }, () => "a line of forty characters, more or less");
  const blocks = await Array.fromAsync(plainBlocks(lines));
  assert.ok(blocks.every(({ text }) => text.length < 21_000));
  assert.equal(blocks.map(({ text }) => text).join(""), `${lines.join("\n")}\n`);
});

Deno.test("passageParts() cuts at the ends of sentences, then of list items", () => {
  for (const parts of ["One two. Three four.|Five six seven.", "one two; three four;|five six"]) {
    assert.deepEqual(passageParts(parts.replace("|", " "), 4), parts.split("|"));
  }
});

Deno.test("Requirement 6.3: passageParts() loses no word, whatever the text", () => {
  const word = fc.constantFrom("Paris", "3.5", "is.", "(2024)", "sea;", "“No.”", "and");
  fc.assert(fc.property(fc.array(word), fc.integer({ min: 1, max: 9 }), (words, longest) => {
    assert.equal(passageParts(words.join(" "), longest).join(" "), words.join(" "));
  }));
});

const TITLES = ["France", "Equatorial Guinea", "Guinea", "Congo (Brazzaville)", "Côte d'Ivoire"];

const ALIASES = new Map([
  ["France", ["French", "French Republic"]],
  ["Guinea", ["Guinean"]],
  ["Congo (Brazzaville)", ["Congolese"]],
]);

const index = titleIndex(
  TITLES.map((title) => ({ title, also: ALIASES.get(title) ?? [] })),
  new Uint32Array(TITLES.keys()),
);

const named = (claim: string) =>
  namedTitles(index, claim).map(({ number }) => index.titles[number]!.title);

Deno.test("namedTitles() reads a possessive, an adjective, a name without its bracket, and the longest of two", () => {
  const claims = [
    ["France's capital is Berlin.", "France"],
    ["France’s capital is Berlin.", "France"],
    ["The capital of the French Republic", "France"],
    ["Equatorial Guinea borders France.", "Equatorial Guinea", "France"],
    ["The French left Guinea. France left.", "France", "Guinea"],
    ["Cote d’Ivoire borders Congo.", "Côte d'Ivoire", "Congo (Brazzaville)"],
  ];
  for (const [claim, ...titles] of claims) assert.deepEqual(named(claim!), titles);
  const terms = ["The exports of Côte d’Ivoire", "France exports wine", "the sea is salt"];
  assert.deepEqual(terms.map((one) => [...nameTerms(one)].join()), ["cote,ivoire", "france", ""]);
});

Deno.test("Requirement 6.3: namedTitles() finds every title anywhere in a claim", () => {
  const word = fc.stringMatching(/^[a-z]{1,8}$/u);
  const words = fc.array(word, { maxLength: 6 });
  fc.assert(fc.property(words, fc.constantFrom(...TITLES), words, (before, title, after) => {
    const claim = [...before, title, ...after].join(" ");
    assert.deepEqual(named(claim), [title]);
  }));
});
