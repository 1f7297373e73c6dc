import assert from "node:assert/strict";
import fc from "fast-check";
import { z } from "zod";
import { type Passage, sourcePassage } from "../types.ts";
import { sourceReader } from "./families.ts";
import { assertedWords, FEATURE_NAMES, FEATURES_VERSION } from "./features.ts";
import { featureTools } from "./testdata/feature_tools.ts";

const PASSAGE = z.object({
  id: z.string(),
  text: z.string(),
  collection: z.string(),
  title: z.string(),
  section: z.string(),
});

const GOLDEN = z.object({
  claim: z.string(),
  passages: z.array(PASSAGE),
  values: z.array(z.number()),
  findings: z.array(z.string()),
  evidence: z.array(z.tuple([z.number(), z.number()])),
});

Deno.test("FEATURES_VERSION stands for the golden vectors: whoever changes a feature raises it", async () => {
  const file = new URL("testdata/golden_features.jsonl", import.meta.url);
  const [head, ...lines] = Deno.readTextFileSync(file).trim().split("\n")
    .map((line) => JSON.parse(line));
  assert.deepEqual(head, { version: FEATURES_VERSION, names: FEATURE_NAMES });
  assert.ok(lines.length >= 50);
  for (const { claim, passages, values, findings, evidence } of z.array(GOLDEN).parse(lines)) {
    const now = await sourceReader(passages, featureTools).features(claim);
    assert.deepEqual(
      {
        values: now.values.map((value) => Number(value.toFixed(6))),
        findings: now.findings.map(({ words }) => words),
        evidence: now.evidence.map(({ span }) => [span.start, span.end]),
      },
      { values, findings, evidence },
      `Features of “${claim}” have changed: raise FEATURES_VERSION, and make the golden vectors anew.`,
    );
  }
});

/** What is asserted, word by word. */
function asserted(claim: string): string {
  const words = [...claim.matchAll(/[\p{L}\d]+/gu)].map(({ 0: text, index }) => ({
    text,
    start: index,
    end: index + text.length,
  }));
  const flags = assertedWords(claim, words);
  return words.filter((_, index) => flags[index]).map(({ text }) => text).join(" ");
}

const CASES: readonly (readonly [string, string])[] = [
  ["Blake wrote it.", "Blake wrote it"],
  ["Who wrote it? Blake.", "Blake"],
  ["Who wrote it? blake", "blake"],
  ["Q: Who wrote it? A: Blake wrote it.", "Blake wrote it"],
  ["Who wrote it: Blake.", "Blake"],
  ["Was it written by Blake: no, by Yeats.", "no by Yeats"],
  ["It was written in what year: 1794.", "1794"],
  ["It is old. Who wrote it? Blake did.", "It is old Blake did"],
  ["Who wrote it?", "Who wrote it"],
  ["It has three parts: a head, a tail and a song.", "It has three parts a head a tail and a song"],
  ["It begins at 10:30, when it is dark.", "It begins at 10 30 when it is dark"],
];

Deno.test("assertedWords() leaves the words of a question out where it is answered", () => {
  for (const [claim, expected] of CASES) assert.equal(asserted(claim), expected);
});

const PASSAGES: readonly Passage[] = [
  sourcePassage("Does Jena have a lake? Copper is a metal. It can displace silver, as is known."),
  {
    id: "fr/Population",
    text: "Population. total: 68,512,806; male: 33,557,094; female: 34,955,712",
    collection: "factbook",
    title: "France",
    section: "Population",
  },
];

Deno.test("sourceReader(): a part of a list is evidence on its own, with what it is about", async () => {
  const { values, evidence, findings } = await sourceReader(PASSAGES, featureTools).features(
    "The male population of France is 33,557,094.",
  );
  assert.equal(evidence[0]?.passageId, "fr/Population");
  assert.equal(evidence[0]?.text, "male: 33,557,094;");
  assert.equal(values[FEATURE_NAMES.indexOf("overlap.top")], 1);
  assert.deepEqual(findings, []);
});

const WORDS =
  ("France|Germany|copper|is|not|never|larger|smaller|in|1969|.|5 km|39.2 million|?|was|" +
    "invaded|by|;|total:").split("|");

const text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 60 }),
  fc.array(fc.constantFrom(...WORDS), { maxLength: 20 }).map((words) => words.join(" ")),
);

Deno.test("Requirement 8.3: whatever the texts, values are −1 to 1 and evidence stands where it says", async () => {
  await fc.assert(
    fc.asyncProperty(text, text, async (claim, source) => {
      const { values, evidence } = await sourceReader([sourcePassage(source)], featureTools)
        .features(claim);
      values.forEach((value, index) =>
        assert.ok(value >= -1 - 1e-6 && value <= 1 + 1e-6, `${FEATURE_NAMES[index]} ${value}`)
      );
      for (const one of evidence) {
        assert.equal(one.text, source.slice(one.span.start, one.span.end));
        assert.ok(one.relevance >= 0 && one.relevance <= 1 + 1e-6);
      }
    }),
    { numRuns: 200 },
  );
});
