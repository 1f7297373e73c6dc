import assert from "node:assert/strict";
import type { RunEstimate } from "../../models/hosted/estimate.ts";
import { hostedEntries } from "../panels/hosted_access.ts";
import { readStudyPanels } from "../panels/study_panels.ts";
import { studyIn } from "../testdata/study.ts";
import { estimateTable, workTable } from "./hosted_tables.ts";

const DONE = { answered: 3, invalid: 0, failed: 0, scored: 0, missing: 0 };

Deno.test("workTable() gives the cause of few failures, once for the models that share it", () => {
  const lastFailure = "The server does not answer.";
  const failing = { ...DONE, failed: 2, missing: 2, lastFailure };
  const text = workTable([
    { ...failing, model: "a" },
    { ...failing, model: "b" },
    { ...DONE, model: "c" },
    { ...failing, model: "d", ended: { message: `10 calls failed, the last: ${lastFailure}` } },
  ]);
  assert.deepEqual(text.split("\n\n")[1]?.split("\n"), [
    "- a, b: the last call that failed: The server does not answer.",
    "- d: 10 calls failed, the last: The server does not answer.",
  ]);
  assert.equal(workTable([{ ...DONE, model: "c" }]).split("\n\n").length, 1);
});

Deno.test("estimateTable() adds up what several models will take", () => {
  const [first, second] = readStudyPanels(studyIn("nowhere")).flatMap(({ panel }) =>
    hostedEntries(panel.models)
  );
  assert.ok(first && second);
  const estimate: RunEstimate = {
    ...{ calls: 4, promptTokens: 100, replyTokens: 8, basis: "guessed", dollars: 0.5 },
    time: { minutes: 61.6, days: 2, bound: "tokens per day" },
  };
  const table = estimateTable([{ entry: first, estimate }, { entry: second, estimate }]);
  assert.match(table, /\| 4 \| 100 \| 8 \| guessed \| 62 \| 2 \| tokens per day \| 0\.50 \|/);
  assert.match(table, /\| together \| 8 \| 200 \| 16 \| – \| – \| – \| – \| 1\.00 \|$/);
  assert.doesNotMatch(estimateTable([{ entry: first, estimate }]), /together/);
});
