import assert from "node:assert/strict";
import { join } from "node:path";
import { sha256Hex } from "../../files/atomic.ts";
import { inFolder } from "../../files/testdata/folder.ts";
import type { SampleOptions, SampleReply, SamplingModel } from "../../models/model.ts";
import {
  askQueries,
  currentAnswers,
  handLabels,
  readersOfAbstentions,
  type Way,
} from "./abstention_answers.ts";
import { ABSTENTION_ANSWERS, ABSTENTION_SECOND_LABELS, type AbstentionAnswer } from "./tables.ts";
import { madeAnswer } from "./testdata/made.ts";

const QUERY = { id: "lake-invented-1", question: "Where is Lake Hapaijar?", exists: false };
const WAY: Way = { instruction: "may decline", temperature: 0, share: 1 };

function modelSaying(
  reply: SampleReply,
  asked: [string, SampleOptions][] = [],
  name = "gemma-3-270m",
): SamplingModel {
  return {
    name,
    settings: { fileSha256: "f00" },
    sample: ({ text }, options) => (asked.push([text, options]), Promise.resolve(reply)),
    continuations: () => Promise.reject(new Error("not asked for")),
  };
}

const said = (text: string, ended: "complete" | "stopped" = "complete"): SampleReply => {
  return { kind: "sample", text, tokens: [], promptTokens: 9, ended };
};

function ask(
  model: SamplingModel,
  way: Way = WAY,
  query = QUERY,
  rows: readonly AbstentionAnswer[] = [],
) {
  return inFolder(async (folder) => {
    const answers = ABSTENTION_ANSWERS.at(join(folder, "answers.csv"));
    answers.write(rows);
    using table = answers.open();
    const outcome = await askQueries(model, { queries: [query], ways: [way], table });
    table.finish();
    return { outcome, rows: answers.read() };
  });
}

Deno.test("askQueries() gives a row on one line, not yet read by anybody", async () => {
  const { rows: [row] } = await ask(modelSaying(said(" I don't\nknow. ")));
  assert.equal(row?.answer, "I don't know.");
  assert.deepEqual([row?.label, row?.probability, row?.model_sha256], ["", "", "f00"]);
});

Deno.test("askQueries() asks anew where prompt, model file or temperature changed", async () => {
  const { rows } = await ask(modelSaying(said("No.")));
  const model = modelSaying(said("Yes."));
  const again = async (...changed: [SamplingModel?, Way?, typeof QUERY?]) =>
    (await ask(changed[0] ?? model, changed[1], changed[2], rows)).outcome.asked;
  assert.equal(await again(), 0);
  assert.equal(await again({ ...model, settings: { fileSha256: "f01" } }), 1);
  assert.equal(await again(model, { ...WAY, temperature: 0.8 }), 1);
  assert.equal(await again(model, WAY, { ...QUERY, question: "Where?" }), 1);
  const byKey = new Map(rows.map((row) => [ABSTENTION_ANSWERS.keyOf(row), row]));
  assert.deepEqual(currentAnswers(byKey, [QUERY], [WAY]), rows);
  assert.deepEqual(currentAnswers(byKey, [{ ...QUERY, question: "Where?" }], [WAY]), []);
});

Deno.test("handLabels() gives the label of an answer as it was read, none to a changed one", () => {
  const answer = madeAnswer({ answer: "No idea." });
  const labelOf = handLabels([{
    key: ABSTENTION_ANSWERS.keyOf(answer),
    answer_sha256: sha256Hex(answer.answer).slice(0, 16),
    label: "abstains",
  }]);
  assert.equal(labelOf(answer), "abstains");
  assert.equal(labelOf({ ...answer, answer: "No idea!" }), undefined);
  assert.equal(labelOf({ ...answer, temperature: 0.8 }), undefined);
});

Deno.test("readersOfAbstentions() compares two readers, by hand", () => {
  const first = new Map(
    [["a", "abstains"], ["b", "answers"], ["c", "answers"], ["d", "abstains"]] as const,
  );
  const second = [...first].map(([key, label]) => {
    return { key, label: key === "d" ? "answers" as const : label };
  });
  const { same, answers, kappa } = readersOfAbstentions(second, first);
  // Po 3/4, Pe 2/4·1/4 + 2/4·3/4 = 1/2: κ = 1/2.
  assert.deepEqual([same, answers], [3, 4]);
  assert.ok(kappa.kind === "value" && kappa.estimate === 0.5);
  assert.throws(
    () => readersOfAbstentions([{ key: "e", label: "answers" }], first),
    /the first did not label e/,
  );
  assert.equal(readersOfAbstentions().answers, ABSTENTION_SECOND_LABELS.read().length);
});
