import assert from "node:assert/strict";
import fc from "fast-check";
import { locatePhrase } from "./locate_phrase.ts";

function found(text: string, phrase: string): string | undefined {
  const span = locatePhrase(text, phrase);
  return span && text.slice(span.start, span.end);
}

Deno.test("locatePhrase() finds the words as they are, whole", () => {
  assert.equal(found("In Berlin, in 1990.", "in 1990"), "in 1990");
  assert.deepEqual(locatePhrase("Berlin lies in Germany", "in"), { start: 12, end: 14 });
  assert.equal(found("The party", "art"), undefined);
});

Deno.test("locatePhrase() minds no case, white space, quotes, dashes or punctuation around", () => {
  assert.equal(found("It’s the  “largest\ncity” – by far", "it's the largest"), undefined);
  const said = found("It’s the  largest\ncity – by far.", '"IT\'S THE LARGEST CITY - by far!"');
  assert.equal(said, "It’s the  largest\ncity – by far");
});

Deno.test("locatePhrase() gives nothing for words that do not stand there", () => {
  for (const phrase of ["", " ", ".", "<words copied from the text>", "Bergen"]) {
    assert.equal(locatePhrase("The capital is Oslo.", phrase), undefined);
  }
});

Deno.test("Requirement 3.2: a span lies within the text and holds the phrase", () => {
  const words = fc.constantFrom("Oslo", "the", "İstanbul", "1990", "’", "\n", "  ", "-", "ß", "😀");
  const text = fc.array(words, { maxLength: 12 }).map((list) => list.join(" "));
  fc.assert(
    fc.property(text, fc.nat(), fc.nat(), (whole, a, b) => {
      const [start, end] = [a % (whole.length + 1), b % (whole.length + 1)].sort((x, y) => x - y);
      const span = locatePhrase(whole, whole.slice(start, end).toUpperCase());
      if (span === undefined) return;
      assert.ok(0 <= span.start && span.start < span.end && span.end <= whole.length);
    }),
    { numRuns: 300 },
  );
});
