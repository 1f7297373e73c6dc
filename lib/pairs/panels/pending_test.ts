import assert from "node:assert/strict";
import { parsePanel } from "../../models/panel.ts";
import { evaluateForcedChoice } from "../evaluation.ts";
import { bothOrders, counterbalancedOrders, firstPairs } from "../order_plan.ts";
import { fakeChat } from "../testdata/fake_models.ts";
import { inFolder } from "../testdata/folder.ts";
import { madePairs } from "../testdata/norse.ts";
import { studyIn } from "../testdata/study.ts";
import { pendingWork } from "./pending.ts";

const PAIRS = madePairs(4);
const PANEL = parsePanel(
  "name: mine\nmodels:\n" +
    "  - {id: both, kind: gguf, path: a.gguf, roles: [chat, likelihood], licence: x}\n" +
    "  - {id: scores, kind: gguf, path: b.gguf, roles: [likelihood], licence: x}\n",
  "mine.yaml",
);

Deno.test("pendingWork() counts the questions and pairs that each role still lacks", async () => {
  await inFolder(async (_, folder) => {
    const study = studyIn(folder);
    const { files, question: template } = study;
    const counts = (orders = {}, pairs = PAIRS) =>
      pendingWork(study, pairs, PANEL, orders).map(({ entry, answers, likelihoods }) =>
        `${entry.id} ${answers} ${likelihoods}`
      );
    assert.deepEqual(counts(), ["both 8 4", "scores 0 4"]);
    const few = { orders: firstPairs(bothOrders, PAIRS, 3) };
    assert.deepEqual(counts(few), ["both 6 3", "scores 0 3"]);
    const half = { orders: counterbalancedOrders(PAIRS, 1) };
    await evaluateForcedChoice({
      ...{ pairs: PAIRS, models: [fakeChat("both")], template, ...half },
      resultsPath: files.responses,
      invalidLogPath: files.invalidAnswers,
      settingsPath: files.responseSettings,
    });
    assert.deepEqual(counts(half), ["both 0 4", "scores 0 4"]);
    assert.deepEqual(counts(), ["both 4 4", "scores 0 4"]);
    // Answers about other pairs are refused; the settings of a model without answers are not.
    assert.throws(() => counts({}, madePairs(5)), /answers of both .*other pairs.*ask anew/s);
    Deno.removeSync(files.responses);
    assert.deepEqual(counts({}, madePairs(5)), ["both 10 5", "scores 0 5"]);
  });
});
