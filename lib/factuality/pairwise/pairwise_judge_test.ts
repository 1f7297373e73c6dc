import assert from "node:assert/strict";
import type { StructuredModel, StructuredReply } from "../../models/structured_model.ts";
import { promptTemplates } from "../judges/prompts.ts";
import { pairwiseJudge } from "./pairwise_judge.ts";
import { rankTexts } from "./rank_texts.ts";
import { first, longer } from "./testdata/pairwise_judges.ts";

const PROMPTS = promptTemplates(
  "templates:\n  - name: pairwise\n    description: d\n    answer: pairwise\n    text: |-\n" +
    "      {{source}} {{question}} {{first}} {{second}} {{answer_format}}\n",
  "p.yaml",
);
const TASK = { source: "s", question: "q", first: "one text", second: "other text" };

function model(reply: (prompt: string, signal?: AbortSignal) => Promise<StructuredReply>) {
  return {
    name: "made",
    settings: { fileSha256: "abc" },
    concurrency: 1,
    ask: (prompt, options) => reply(prompt, options?.signal),
  } satisfies StructuredModel;
}

const judgeOf = (reply: Parameters<typeof model>[0], timeoutSeconds = 5) =>
  pairwiseJudge(model(reply), PROMPTS, { timeoutSeconds });

const says = (text: string) => () =>
  Promise.resolve({ kind: "answer", text, ended: "complete" } as const);

Deno.test("pairwiseJudge() shows both texts and reads winner and reasons", async () => {
  const judge = judgeOf((prompt) => {
    assert.match(prompt, /one text[\s\S]*other text/);
    return says('{"reasoning": "It gives the year.", "winner": "second"}')();
  });
  const answer = await judge.compare(TASK);
  assert.deepEqual(answer, {
    kind: "answer",
    winner: "second",
    reasoning: "It gives the year.",
    parse: "complete",
    provenance: {
      producedBy: "made",
      modelSha256: "abc",
      promptSha256: PROMPTS.template("pairwise").sha256,
    },
  });
});

Deno.test("Requirement 4: what names no winner is unscored, never a tie", async () => {
  const answers = [
    '{"reasoning": "x", "winner": "neither"}',
    '{"reasoning": "x", "winner": "first or second"}',
    '{"winner": 1}',
    "The first.",
    "",
  ];
  for (const text of answers) {
    const answer = await judgeOf(says(text)).compare(TASK);
    assert.ok(answer.kind === "unscored", text);
    assert.equal(answer.reason, "malformed answer");
  }
  const loose = await judgeOf(says('Well. {"Winner": "The FIRST text"}')).compare(TASK);
  assert.ok(loose.kind === "answer" && loose.winner === "first" && loose.parse === "repaired");
});

Deno.test("Requirement 9.2: a time-out keeps what was written; refusal and failure say so", async () => {
  const untilAborted = (text: string) => (_: string, signal?: AbortSignal) =>
    new Promise<StructuredReply>((resolve) =>
      signal?.addEventListener("abort", () => resolve({ kind: "answer", text, ended: "stopped" }))
    );
  const whole = await judgeOf(untilAborted('{"winner": "first"} For'), 0.01).compare(TASK);
  assert.ok(whole.kind === "answer" && whole.winner === "first" && whole.parse === "partial");
  const late = await judgeOf(untilAborted('{"reasoning": "so f'), 0.01).compare(TASK);
  assert.ok(late.kind === "unscored");
  assert.deepEqual([late.reason, late.partialText], ["time-out", '{"reasoning": "so f']);
  const refusal = await judgeOf(() => Promise.resolve({ kind: "refusal", text: "No." }))
    .compare(TASK);
  assert.ok(refusal.kind === "unscored" && refusal.reason === "refusal");
  const failure = await judgeOf(() =>
    Promise.resolve({ kind: "failure", message: "Out of memory.", partialText: undefined })
  ).compare(TASK);
  assert.ok(failure.kind === "unscored" && failure.message === "Out of memory.");
});

Deno.test("pairwiseJudge() ends with the caller's signal", async () => {
  const judge = judgeOf(says("{}"));
  const signal = AbortSignal.abort(new Error("stopped"));
  await assert.rejects(judge.compare(TASK, { signal }), /^Error: stopped$/);
});

Deno.test("rankTexts() compares every two and ranks them", async () => {
  const candidates = ["aa", "aaaa", "a"].map((text) => ({ id: `m${text.length}`, text }));
  const about = { source: "s", question: "" };
  const { standings, comparisons } = await rankTexts([longer], candidates, about);
  assert.deepEqual(standings.map(({ candidate }) => candidate), ["m4", "m2", "m1"]);
  assert.equal(comparisons.length, 3);
  const fair = await rankTexts([first], candidates, about);
  assert.deepEqual(fair.standings.map(({ otherTies, score }) => [otherTies, score]), [
    [2, 0.5],
    [2, 0.5],
    [2, 0.5],
  ]);
  await assert.rejects(rankTexts([longer], candidates.slice(0, 1), about), /1 is fewer than 2/);
  const twice = [candidates[0]!, candidates[0]!];
  await assert.rejects(rankTexts([longer], twice, about), /the id m2 stands twice/);
});
