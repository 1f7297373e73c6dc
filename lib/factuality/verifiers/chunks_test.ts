import assert from "node:assert/strict";
import fc from "fast-check";
import { sourcePassage, type VerdictProbabilities } from "../types.ts";
import { chunksOf, combineAnswers } from "./chunks.ts";

const words = (text: string) => text.split(/\s+/).filter((word) => word !== "").length;

Deno.test("chunksOf() packs whole sentences up to the limit, cuts one that is too long, and puts what was looked up under its heading", () => {
  const passage = sourcePassage("One two three. Four five. Six seven eight nine. Ten.");
  assert.deepEqual(chunksOf(passage, 5, words).map(({ premise }) => premise), [
    "One two three. Four five.",
    "Six seven eight nine. Ten.",
  ]);
  const chunks = chunksOf(sourcePassage("Aa bb cc dd ee ff gg hh."), 4, words);
  assert.deepEqual(chunks.map(({ premise }) => premise.trim()), ["Aa bb cc dd", "ee ff gg hh."]);
  const about = { id: "fr", collection: "factbook", title: "France", section: "Population" };
  const [chunk] = chunksOf({ ...about, text: "68 million." }, 20, words);
  assert.equal(chunk?.premise, "France, Population: 68 million.");
  assert.deepEqual(chunk?.span, { start: 0, end: 11 });
});

const field = (title: string, section: string, text: string) => (
  { id: section, collection: "factbook", title, section, text: `${section}. ${text}` }
);
const statements = (passage: Parameters<typeof chunksOf>[0], limit = 40) =>
  chunksOf(passage, limit, words).map(({ premise }) => premise);

Deno.test("chunksOf() writes the attributes of a field out as sentences, each where it stands", () => {
  const capital = field(
    "Canada",
    "Capital",
    "name: Ottawa; time difference: UTC-5; etymology: the city lies on a river",
  );
  assert.deepEqual(statements(capital), [
    "The capital of Canada is Ottawa. The capital of Canada (time difference) is UTC-5. " +
    "Canada, Capital (etymology): the city lies on a river.",
  ]);
  assert.deepEqual(statements(capital, 6).slice(0, 1), ["The capital of Canada is Ottawa."]);
  const [first] = chunksOf(capital, 6, words);
  assert.equal(capital.text.slice(first!.span.start, first!.span.end), "name: Ottawa;");
  assert.deepEqual(statements(field("Bolivia", "Coastline", "0 km (landlocked)")), [
    "The coastline of Bolivia is 0 km (landlocked).",
  ]);
  const borders = field(
    "Peru",
    "Land boundaries",
    "total: 7,062 km; border countries: Chile 168 km; Ecuador 1,529 km",
  );
  assert.deepEqual(statements(borders), [
    "The land boundaries of Peru (total) are 7,062 km. " +
    "The land boundaries of Peru (border countries) are Chile 168 km; Ecuador 1,529 km.",
  ]);
  const prose = field(
    "Peru",
    "Background",
    "Peru was ruled by Spain. It became independent in 1821.",
  );
  assert.match(statements(prose)[0]!, /^Peru, Background: Peru was ruled by Spain\. It became/);
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
  );
});

const TEXT = "First part. Second part.";
const SPANS = [{ start: 0, end: 11 }, { start: 12, end: 24 }] as const;

function answer(part: 0 | 1, supported: number, refuted: number, silent: number) {
  const probabilities: VerdictProbabilities = { supported, refuted, "not enough info": silent };
  const passage = sourcePassage(TEXT);
  return { chunk: { passage, span: SPANS[part], premise: TEXT }, probabilities };
}

Deno.test("combineAnswers() takes the stretch that bears the claim out, or shows the one first that contradicts", () => {
  const found = combineAnswers([answer(0, 0.1, 0.2, 0.7), answer(1, 0.9, 0.05, 0.05)]);
  // The rest, 0.1, is shared 2 to 7, as in the stretch that contradicts most.
  assert.equal(found.probabilities.supported, 0.9);
  assert.ok(Math.abs(found.probabilities.refuted - 0.1 * 2 / 9) < 1e-12);
  assert.deepEqual(found.evidence.map(({ text }) => text), ["Second part.", "First part."]);
  const against = combineAnswers([answer(0, 0.1, 0.1, 0.8), answer(1, 0.01, 0.96, 0.03)]);
  assert.deepEqual(against.evidence.map(({ relevance }) => relevance), [0.96, 0.1]);
  assert.ok(against.probabilities.refuted > 0.85);
});
