import assert from "node:assert/strict";
import { randomSource } from "../../stats/random.ts";
import { madeAnswer } from "./testdata/answers.ts";
import { conceptRates, drawConcepts, readConcepts } from "./concepts.ts";

const LINES = [
  { prompt: "What is the capital city of Ploy Flar?", exists: false, category: "countries" },
  { prompt: "What is the capital city of Iraq?", exists: true, category: "countries" },
  { prompt: "How is russenorsk spoken?", exists: true, category: "generic" },
];

function conceptsOf(lines: readonly unknown[]) {
  const path = Deno.makeTempFileSync();
  Deno.writeTextFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  try {
    return readConcepts(path);
  } finally {
    Deno.removeSync(path);
  }
}

Deno.test("readConcepts() finds the name in the question where it is written like one", () => {
  assert.deepEqual(conceptsOf(LINES).map(({ id, name }) => [id, name]), [
    ...[["concept-1", "Ploy Flar"], ["concept-2", "Iraq"], ["concept-3", ""]],
  ]);
});

Deno.test("readConcepts() names the line that is no concept", () => {
  assert.throws(() => conceptsOf([...LINES, { prompt: "What?" }]), /line 4 is damaged/);
});

Deno.test("drawConcepts() takes as many that exist as others, as far as there are any", () => {
  const drawn = drawConcepts(conceptsOf(LINES), 2, randomSource(1));
  assert.deepEqual(drawn.map(({ exists }) => exists), [true, false]);
  assert.equal(drawConcepts(conceptsOf(LINES), 10, randomSource(1)).length, 3);
});

Deno.test("conceptRates() gives rates by category and over all", () => {
  const answer = (query_id: string, probability: number) => madeAnswer({ query_id, probability });
  const rates = conceptRates(
    [answer("concept-1", 0.1), answer("concept-2", 0.8), answer("concept-3", 0.1)],
    conceptsOf(LINES),
  );
  const value = (category: string, name: string) =>
    rates.find((row) => row.category === category && row.rate === name)?.value;
  assert.equal(value("all", "false acceptance"), 1);
  assert.equal(value("all", "over-refusal"), 0.5);
  assert.equal(value("countries", "over-refusal"), 1);
  assert.equal(value("generic", "false acceptance"), "");
});
