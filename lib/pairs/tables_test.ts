import assert from "node:assert/strict";
import type { RunEstimate } from "../models/hosted/estimate.ts";
import { hostedEntries } from "../models/panel.ts";
import { readStudyPanels } from "./panels.ts";
import { estimateTable } from "./tables.ts";
import { studyIn } from "./testdata/study.ts";

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
