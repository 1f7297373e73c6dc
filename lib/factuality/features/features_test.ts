import assert from "node:assert/strict";
import { z } from "zod";
import { FEATURE_NAMES, FEATURES_VERSION } from "./features.ts";
import { sourceReader } from "./families.ts";
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
