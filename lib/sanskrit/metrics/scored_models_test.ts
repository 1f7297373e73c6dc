import assert from "node:assert/strict";
import { likelihoodModels, maskedModels, scoringStanding, wholeModels } from "./scored_models.ts";
import { parsePanel } from "../../models/panel.ts";
import { scored } from "./testdata/scored.ts";

const ROWS = [
  scored("causal", "morph_0001", [-1, -2]),
  scored("causal", "morph_0002", [-1, -2]),
  scored("tiny:pll_within_word_l2r", "morph_0001", [-1, -2]),
  scored("tiny:pll_original", "morph_0001", [-1, -2]),
];

Deno.test("maskedModels() are known by the readout in their names", () =>
  assert.deepEqual(maskedModels(ROWS), ["tiny:pll_original", "tiny:pll_within_word_l2r"]));

Deno.test("likelihoodModels() are those with that role, scored or not, then the masked ones", () => {
  const entry = { kind: "gguf", path: "made.gguf", precision: "F32", licence: "none" };
  const panel = parsePanel(
    JSON.stringify({
      name: "made",
      models: [
        { ...entry, id: "waiting", roles: ["likelihood"] },
        { ...entry, id: "chooses", roles: ["chat"], readout: "generation" },
      ],
    }),
    "made.yaml",
  );
  assert.deepEqual(likelihoodModels([{ panel }], ROWS), [
    ...["waiting", "tiny:pll_original", "tiny:pll_within_word_l2r"],
  ]);
});

Deno.test("scoringStanding() counts the pairs that a model lacks, whatever else it has scored", () => {
  const pairs = [{ id: "morph_0001" }, { id: "morph_0002" }];
  const standings = scoringStanding(["causal", "tiny:pll_original", "absent"], pairs, ROWS);
  assert.deepEqual(standings.map(({ missing }) => missing), [0, 1, 2]);
  assert.deepEqual(wholeModels(standings), ["causal"]);
  assert.deepEqual(scoringStanding(["causal"], [{ id: "morph_0003" }], ROWS)[0]?.missing, 1);
});
