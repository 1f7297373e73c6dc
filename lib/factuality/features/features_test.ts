import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { z } from "zod";
import { readJsonLines } from "../../files/json.ts";
import { PASSAGE, sourcePassage } from "../types.ts";
import { FEATURE_NAMES, FEATURES_VERSION, sourceReader } from "./features.ts";
import { gazetteer } from "./testdata/gazetteer.ts";

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
    const remedy = "have changed: raise FEATURES_VERSION, and make the golden vectors anew.";
    const why = `Features of “${claim}” ${remedy}`;
    assert.deepEqual(now.values.map((value) => Number(value.toFixed(6))), values, why);
    assert.deepEqual(now.findings.map(({ words }) => words), findings, why);
  }
});

Deno.test("findings: differences are reported and agreements are not, as judged by hand", () => {
  const row = z.tuple([z.string(), z.string()], z.string());
  const file = join(import.meta.dirname!, "testdata/findings.jsonl");
  const { rows } = readJsonLines(file, (line) => row.parse(line));
  assert.equal(rows.length, 28);
  for (const [claim, source, ...expected] of rows) {
    const { findings } = sourceReader([sourcePassage(source)], gazetteer).features(claim);
    assert.deepEqual(findings.map(({ words }) => words), expected, claim);
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
