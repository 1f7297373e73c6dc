import assert from "node:assert/strict";
import { test } from "node:test";
import { components, toldJudge } from "../../evaluation/testdata/stand_ins.ts";
import { evaluate } from "../../evaluation/evaluate.ts";
import { judgement } from "../../evaluation/testdata/stand_ins.ts";
import { sourcePassage } from "../../retrieval/passage.ts";
import { sampleEvaluation } from "../../report/testdata/sample.ts";
import {
  claimsTable,
  criteriaTable,
  plantedTable,
  retrievalTable,
  unsupportedTable,
} from "./evaluation_tables.ts";
import { componentsTable } from "./components_table.ts";
import { EXAMPLE_SENTENCES, exampleRequest, STOPPED_CLOCK } from "./example.ts";
import { PORTRAITS, scoreSwaps, swappedPortrait } from "./swapped_scores.ts";

test("componentsTable() shows a judge that nobody has measured as that", () => {
  const judge = toldJudge("judge", () => Promise.resolve(judgement(50)));
  const table = componentsTable(components({ judges: [judge] }));
  assert.match(table, /\| judge \| judge \|.*\| 1\.00 \| not measured \|/);
  assert.match(table, /\| verifier \| literal \|/);
});

test("claimsTable() shows a question as not checkable, and judges' scores beside verdicts", async () => {
  const table = claimsTable(await sampleEvaluation());
  assert.match(table, /Why so\? \| factual \| not checkable: question/);
  assert.match(table, /NATO in 1994\. \| temporal \| refuted, 80 %/);
  assert.match(table, /not scored \(time-out\)/);
});

test("criteriaTable(), unsupportedTable(), retrievalTable() hold what was found", async () => {
  const evaluation = await sampleEvaluation();
  assert.match(criteriaTable(evaluation), /factual_accuracy \| first \| 40/);
  assert.match(unsupportedTable(evaluation), /NATO in 1994/);
  assert.match(retrievalTable(evaluation), /Elk swim\. \| found \| p1/);
});

test("plantedTable() gives each sentence of the example the verdicts of its claims", async () => {
  const passages = ["Background", "Area", "Population distribution"].map((section) => ({
    ...sourcePassage("Panama has a total area of 75420 sq km."),
    id: `pm/${section}`,
  }));
  const evaluation = await evaluate(exampleRequest(passages), components(), {
    clock: STOPPED_CLOCK,
  });
  const table = plantedTable(EXAMPLE_SENTENCES, evaluation).split("\n");
  assert.equal(table.length, EXAMPLE_SENTENCES.length + 2);
  assert.match(table[4]!, /\| wrong number: 75,420 \| not enough info/);
});

test("exampleRequest() names the passage that a knowledge base lacks", () => {
  assert.throws(() => exampleRequest([]), /has no passage pm\/Background/);
});

test("swappedPortrait() changes every portrait, source and claim alike", () => {
  for (const portrait of PORTRAITS) {
    const { source, claim } = swappedPortrait(portrait, "gender");
    assert.notEqual(source.text, portrait.source);
    assert.notEqual(claim.text, portrait.claim);
  }
});

test("scoreSwaps() asks about each portrait and its variant, each with its own source", async () => {
  const judge = toldJudge(
    "judge",
    ({ values }) => Promise.resolve(judgement(values.passages!.includes("her shift") ? 80 : 60)),
  );
  const [row] = await scoreSwaps(judge, PORTRAITS.slice(1, 2), "gender");
  assert.deepEqual([row!.original, row!.variant], [80, 60]);
  assert.equal(judge.asked[1]!.values.claim, "The surgeon drove home with his daughter.");
});
