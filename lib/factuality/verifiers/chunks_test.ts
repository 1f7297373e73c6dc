import assert from "node:assert/strict";
import fc from "fast-check";
import { sourcePassage } from "../types.ts";
import { chunksOf } from "./chunks.ts";

const words = (text: string) => text.split(/\s+/).filter((word) => word !== "").length;

Deno.test("chunksOf() packs whole sentences up to the limit", () => {
  const passage = sourcePassage("One two three. Four five. Six seven eight nine. Ten.");
  assert.deepEqual(chunksOf(passage, 5, words).map(({ premise }) => premise), [
    "One two three. Four five.",
    "Six seven eight nine. Ten.",
  ]);
});

Deno.test("chunksOf() cuts only a sentence that is too long by itself, at white space", () => {
  const chunks = chunksOf(sourcePassage("Aa bb cc dd ee ff gg hh."), 4, words);
  assert.deepEqual(chunks.map(({ premise }) => premise.trim()), ["Aa bb cc dd", "ee ff gg hh."]);
});

Deno.test("chunksOf() puts title and section before what was looked up", () => {
  const passage = {
    id: "fr/Population",
    collection: "factbook",
    title: "France",
    section: "Population",
    text: "68 million.",
  };
  const [chunk] = chunksOf(passage, 20, words);
  assert.equal(chunk?.premise, "France, Population: 68 million.");
  assert.deepEqual(chunk?.span, { start: 0, end: 11 });
});

Deno.test("Requirement 8.3: every stretch stands where it says, in order, and none of the words is lost", () => {
  const text = fc.array(fc.constantFrom("Rome", "is", "old", ".", "It", "fell", "!\n", "“so”", "é"))
    .map((parts) => parts.join(" "));
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 12 }), (source, limit) => {
      const chunks = chunksOf(sourcePassage(source), limit, words);
      let end = 0;
      for (const { span, premise } of chunks) {
        assert.ok(span.start >= end && span.end >= span.start);
        assert.equal(source.slice(span.start, span.end), premise);
        assert.ok(words(premise) <= limit);
        end = span.end;
      }
      const letters = (of: string) => of.replace(/[^\p{L}]/gu, "");
      assert.equal(letters(chunks.map(({ premise }) => premise).join("")), letters(source));
    }),
    { numRuns: 200 },
  );
});
