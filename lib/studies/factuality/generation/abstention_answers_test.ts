import assert from "node:assert/strict";
import { sha256Hex } from "../../../files/atomic.ts";
import type { SamplingModel } from "../../../models/model.ts";
import {
  type AskingCondition,
  askQueries,
  currentAnswers,
  handLabels,
} from "./abstention_answers.ts";
import { ABSTENTION_ANSWERS, ABSTENTION_QUERIES, QUERY_KINDS } from "./tables.ts";
import type { AbstentionAnswer } from "./tables.ts";
import { madeAnswer, scriptedModel, scriptedReply, workOnTable } from "./testdata/made.ts";

const QUERY = { id: "lake-invented-1", question: "Where is Lake Hapaijar?", exists: false };
const WAY: AskingCondition = { instruction: "may decline", temperature: 0, share: 1 };

const ask = (
  model: SamplingModel,
  rows: readonly AbstentionAnswer[] = [],
  { way = WAY, query = QUERY } = {},
) =>
  workOnTable(
    ABSTENTION_ANSWERS,
    rows,
    (table) => askQueries(model, { queries: [query], ways: [way], table }),
  );

Deno.test("Requirement 20.1: every kind is asked about what exists and what does not, in the same words, each name once", () => {
  const queries = ABSTENTION_QUERIES.read();
  assert.equal(new Set(queries.map(({ name }) => name)).size, queries.length);
  for (const kind of QUERY_KINDS) {
    const [real, invented] = [true, false].map((exists) =>
      queries.filter((query) => query.kind === kind && query.exists === exists)
        .map(({ name, question }) => question.replace(name, "{}"))
    );
    assert.ok(real!.length > 0);
    assert.deepEqual(real, invented);
  }
});

Deno.test("askQueries() keeps no half of an answer, names the query that failed, and asks anew where prompt, file or temperature changed", async () => {
  const half = await ask(scriptedModel(scriptedReply("Lake Hap", "stopped")));
  assert.deepEqual([half.outcome.missing, half.rows], [1, []]);
  const broken = scriptedModel({ kind: "failure", message: "too long" });
  await assert.rejects(ask(broken), /lake-invented-1: too long/);
  const { rows } = await ask(scriptedModel(scriptedReply("No.")));
  const model = scriptedModel(scriptedReply("Yes."));
  const query = { ...QUERY, question: "Where?" };
  const found = await Promise.all([
    ask(model, rows),
    ask({ ...model, settings: { fileSha256: "f01" } }, rows),
    ask(model, rows, { query }),
    ask(model, rows, { way: { ...WAY, temperature: 0.8 } }),
  ]);
  assert.deepEqual(found.map(({ outcome }) => outcome.asked), [0, 1, 1, 1]);
  const byKey = new Map(rows.map((row) => [ABSTENTION_ANSWERS.keyOf(row), row]));
  assert.deepEqual(currentAnswers(byKey, [QUERY], [WAY]), rows);
  assert.deepEqual(currentAnswers(byKey, [query], [WAY]), []);
});

Deno.test("handLabels() gives the label of an answer as it was read, none to a changed one", () => {
  const answer = madeAnswer({ answer: "No idea." });
  const answer_sha256 = sha256Hex(answer.answer).slice(0, 16);
  const key = ABSTENTION_ANSWERS.keyOf(answer);
  const labelOf = handLabels([{ key, answer_sha256, label: "abstains" }]);
  const others = [{ ...answer, answer: "No idea!" }, { ...answer, temperature: 0.8 }];
  assert.deepEqual([answer, ...others].map(labelOf), ["abstains", undefined, undefined]);
});
