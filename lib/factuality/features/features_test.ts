import assert from "node:assert/strict";
import fc from "fast-check";
import { z } from "zod";
import { sourcePassage } from "../types.ts";
import { FEATURE_NAMES, FEATURES_VERSION, sourceReader } from "./features.ts";
import { gazetteer } from "./testdata/gazetteer.ts";

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
});

Deno.test("FEATURES_VERSION stands for the golden vectors: whoever changes a feature raises it", () => {
  const file = new URL("testdata/golden_features.jsonl", import.meta.url);
  const [head, ...lines] = Deno.readTextFileSync(file).trim().split("\n")
    .map((line) => JSON.parse(line));
  assert.deepEqual(head, { version: FEATURES_VERSION, names: FEATURE_NAMES });
  assert.ok(lines.length >= 50);
  for (const { claim, passages, values, findings } of z.array(GOLDEN).parse(lines)) {
    const now = sourceReader(passages, gazetteer).features(claim);
    assert.deepEqual(
      {
        values: now.values.map((value) => Number(value.toFixed(6))),
        findings: now.findings.map(({ words }) => words),
      },
      { values, findings },
      `Features of “${claim}” have changed: raise FEATURES_VERSION, and make the golden vectors anew.`,
    );
  }
});

/** Claim, source and all that is told. */
const TOLD: readonly (readonly [string, string, ...string[]])[] = [
  ["The war began in 1924.", "The war began in 1914.", "source says 1914, claim says 1924"],
  ["It was built after 1910.", "It was built in 1914."],
  ["The war began in 1914.", "The war began on 28 July 1914."],
  ["The bridge is 5 km long.", "The bridge is 3.1 miles long."],
  ["The town has 70 million visitors.", "The town has 68.5 million visitors."],
  ["The town has 17 churches.", "The town has 18 churches.", "source says 18, claim says 17"],
  // A number that stands elsewhere is only missed here.
  ["The town has 17 churches.", "The town has 18 churches. It has 17 mills."],
  ["He is in Chapter 3 of the book.", "He is in that Chapter of the book."],
  [
    "The army did not reach Jena.",
    "The army reached Jena.",
    "claim denies “reach”, source does not",
  ],
  ["We found no proof of life.", "We did not find proof of life."],
  [
    "It lies in the north of Jena.",
    "It lies in the south of Jena.",
    "source says “south”, claim says “north”",
  ],
  ["The camp lies east.", "The camp lies west.", "source says “west”, claim says “east”"],
  [
    "The song was written by Ada Lovelace.",
    "The song was written by Emil Blake.",
    "source says Emil Blake, claim says Ada Lovelace",
  ],
  ["The prize went to Woodrow Wilson.", "The prize went to Wilson."],
  [
    "Guam invaded Japan in 1941.",
    "Japan invaded Guam in 1941.",
    "source says “Japan invaded Guam”, claim says “Guam invaded Japan”",
  ],
  [
    "The canal went from Panama to Spain.",
    "The canal went from Spain to Panama.",
    "source says “Spain to Panama”, claim says “Panama to Spain”",
  ],
  ["Guam was invaded by Japan.", "Japan invaded Guam."],
  ["Spain borders France.", "France borders Spain."],
  ["France and Spain signed it.", "Spain and France signed it."],
  ["Spain attacked France.", "France attacked Spain, then Spain attacked France."],
  ["The river crosses Germany.", "The river crosses the plain.", "the sources do not name Germany"],
  [
    "My old river is long.",
    "The old river is long.",
    "the claim speaks of who says it, the sources do not",
  ],
  ["I think the river is old.", "The river is old."],
];

Deno.test("findings: what differs is told, and what does not is not", () => {
  for (const [claim, source, ...told] of TOLD) {
    const { findings } = sourceReader([sourcePassage(source)], gazetteer).features(claim);
    assert.deepEqual(findings.map(({ words }) => words), told, claim);
  }
});

const WORDS =
  ("France|Germany|copper|is|not|never|larger|smaller|in|1969|.|5 km|39.2 million|?|was|" +
    "invaded|by|;|total:").split("|");

const text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 60 }),
  fc.array(fc.constantFrom(...WORDS), { maxLength: 20 }).map((words) => words.join(" ")),
);

Deno.test("Requirement 8.3: whatever the texts, each value is 0 to 1", () => {
  fc.assert(
    fc.property(text, text, (claim, source) => {
      const { values } = sourceReader([sourcePassage(source)], gazetteer).features(claim);
      assert.equal(values.length, FEATURE_NAMES.length);
      values.forEach((value, index) =>
        assert.ok(value >= 0 && value <= 1 + 1e-9, `${FEATURE_NAMES[index]} ${value}`)
      );
    }),
    { numRuns: 200 },
  );
});
