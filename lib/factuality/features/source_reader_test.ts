import assert from "node:assert/strict";
import fc from "fast-check";
import { type Passage, sourcePassage } from "../types.ts";
import { FEATURE_NAMES } from "./features.ts";
import { sourceReader } from "./families.ts";
import { featureTools } from "./testdata/feature_tools.ts";

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

const text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 60 }),
  fc.array(
    fc.constantFrom(
      "France",
      "Germany",
      "copper",
      "is",
      "not",
      "never",
      "larger",
      "smaller",
      "in",
      "1969",
      ".",
      "5 km",
      "39.2 million",
      "?",
      "was",
      "invaded",
      "by",
      ";",
      "total:",
    ),
    { maxLength: 20 },
  ).map((words) => words.join(" ")),
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
