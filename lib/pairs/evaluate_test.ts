import assert from "node:assert/strict";
import { parsePanel } from "../models/panel.ts";
import { evaluateForcedChoice } from "./ask.ts";
import { failedTable, readAnswers } from "./answers.ts";
import {
  evaluatePanel,
  ownPanel,
  panelWork,
  pendingWork,
  scoreModels,
  type WorkDone,
} from "./evaluate.ts";
import { bothOrders, counterbalancedOrders, firstPairs, type OrderPlan } from "./forced_choice.ts";
import { fakeChat, fakeLanguage } from "./testdata/fake_models.ts";
import { test } from "./testdata/folder.ts";
import { madePairs } from "./testdata/norse.ts";
import { scoredOnly } from "./study.ts";
import { studyIn } from "./testdata/study.ts";

const PAIRS = madePairs(4);

const PANEL = parsePanel(
  "name: mine\nmodels:\n" +
    "  - {id: both, kind: gguf, path: a.gguf, roles: [chat, likelihood], licence: x}\n" +
    "  - {id: scores, kind: gguf, path: b.gguf, roles: [likelihood], licence: x}\n",
  "mine.yaml",
);

test("pendingWork() counts the questions and pairs that each role still lacks", async (at) => {
  const study = studyIn(at(""));
  const { files, question: template } = study;
  const counts = (orders = {}, pairs = PAIRS) =>
    pendingWork(panelWork(study, pairs, PANEL, orders)).map(({ entry, answers, likelihoods }) =>
      `${entry.id} ${answers} ${likelihoods}`
    );
  assert.deepEqual(counts(), ["both 8 4", "scores 0 4"]);
  const few = { orders: firstPairs(bothOrders, PAIRS, 3) };
  assert.deepEqual(counts(few), ["both 6 3", "scores 0 3"]);
  const half = { orders: counterbalancedOrders(PAIRS, 1) };
  const models = [fakeChat("both")];
  await evaluateForcedChoice({ pairs: PAIRS, models, template, files, ...half });
  assert.deepEqual(counts(half), ["both 0 4", "scores 0 4"]);
  assert.deepEqual(counts(), ["both 4 4", "scores 0 4"]);
  // A pair more is asked about; a pair whose words change is asked about again.
  assert.deepEqual(counts({}, madePairs(5)), ["both 6 5", "scores 0 5"]);
  const reworded = PAIRS.map((pair, n) => n > 0 ? pair : { ...pair, grammatical: "Ok þat b0." });
  assert.deepEqual(counts({}, reworded), ["both 5 4", "scores 0 4"]);
});

test("pendingWork() asks no question of pairs that are only scored", async (at) => {
  const study = scoredOnly(studyIn(at("")), "spelling", at("spelling.csv"));
  const counts = () =>
    pendingWork(panelWork(study, PAIRS, PANEL)).map((
      { answers, likelihoods },
    ) => [answers, likelihoods]);
  assert.deepEqual(counts(), [[0, 4], [0, 4]]);
  await scoreModels(study, PAIRS, [fakeLanguage("both")]);
  assert.deepEqual(counts(), [[0, 0], [0, 4]]);
  assert.deepEqual(readAnswers(studyIn(at("")), PAIRS).likelihoods, []);
});

test("scoreModels() scores what each model has not scored yet, and reports no other model", async (at) => {
  const study = studyIn(at(""));
  const [a, b] = [fakeLanguage("a"), fakeLanguage("b")];
  const orders: OrderPlan = (id) => id === PAIRS[0]?.id ? [] : ["A_gram"];
  const scoredOf = (done: readonly WorkDone[]) => done.map(({ model, scored }) => [model, scored]);
  const left = (given = {}) =>
    pendingWork(panelWork(study, PAIRS, ownPanel([a, b]), given)).map(({ likelihoods }) =>
      likelihoods
    );
  assert.deepEqual(scoredOf(await scoreModels(study, PAIRS, [a])), [["a", 4]]);
  assert.deepEqual(scoredOf(await evaluatePanel(study, PAIRS, ownPanel([a, b]), { orders })), [[
    "b",
    3,
  ]]);
  assert.deepEqual([left(), left({ orders })], [[0, 1], [0, 0]]);
  assert.deepEqual(scoredOf(await scoreModels(study, PAIRS, [a, b])), [["b", 1]]);
  assert.equal(readAnswers(study, PAIRS).likelihoods.length, 8);
});

test("evaluatePanel() names a pair that a model cannot take, and scores all others", async (at) => {
  const own = studyIn(at(""));
  const failedFile = failedTable(at("failed.csv"));
  const study = { ...own, files: { ...own.files, failed: failedFile.path } };
  const model = fakeLanguage("m");
  const score = async (texts: readonly string[]) => {
    if (texts[0] === PAIRS[2]!.grammatical) throw new RangeError("it is too long");
    return await model.score(texts);
  };
  const next = fakeLanguage("next");
  const done = await scoreModels(study, PAIRS, [{ ...model, score }, next]);
  assert.deepEqual(done.map(({ scored, failed, ended }) => [scored, failed.length, ended]), [
    [3, 1, undefined],
    [4, 0, undefined],
  ]);
  const [row, ...others] = failedFile.read();
  const { pairId, way, mayPass, reason } = row!;
  assert.deepEqual([pairId, way, mayPass], [PAIRS[2]!.id, "likelihood", false]);
  assert.deepEqual([reason, others], ["it is too long", []]);
  // What was scored after all is failed no more.
  await scoreModels(study, PAIRS, [model]);
  assert.deepEqual(failedFile.read(), []);
});
