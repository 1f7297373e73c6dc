import assert from "node:assert/strict";
import type { SampleOptions, SampleReply, SamplingModel } from "../../models/sampling_model.ts";
import { askQuery, isAnswered } from "./ask.ts";

const QUERY = { id: "lake-invented-1", question: "Where is Lake Hapaijar?", exists: false };
const CONDITION = {
  form: "few-shot",
  instruction: "may decline",
  temperature: 0,
  seed: 1,
} as const;
const NEVER = new AbortController().signal;

function modelSaying(reply: SampleReply, asked: [string, SampleOptions][] = []): SamplingModel {
  return {
    name: "made",
    settings: { fileSha256: "f00" },
    sample: ({ text }, options) => (asked.push([text, options]), Promise.resolve(reply)),
    continuations: () => Promise.reject(new Error("not asked for")),
  };
}

const said = (text: string, ended: "complete" | "stopped" = "complete"): SampleReply => ({
  ...{ kind: "sample", text, tokens: [], promptTokens: 9, ended },
});

Deno.test("askQuery() gives a row on one line, not yet read by anybody", async () => {
  const row = await askQuery(modelSaying(said(" I don't\nknow. ")), QUERY, CONDITION, NEVER);
  assert.equal(row?.answer, "I don't know.");
  assert.deepEqual([row?.label, row?.probability, row?.model_sha256], ["", "", "f00"]);
});

Deno.test("askQuery() stops a base model at the line's end, not an instructed one", async () => {
  const asked: [string, SampleOptions][] = [];
  await askQuery(modelSaying(said("x"), asked), QUERY, CONDITION, NEVER);
  await askQuery(modelSaying(said("x"), asked), QUERY, { ...CONDITION, form: "chat" }, NEVER);
  assert.deepEqual(asked.map(([, { stop }]) => stop), [["\n"], undefined]);
  assert.ok(asked[0]![0].endsWith("Question: Where is Lake Hapaijar?\nAnswer:"));
  assert.match(asked[1]![0], /^Where is Lake Hapaijar\?.*"I don't know"\.$/);
});

Deno.test("askQuery() keeps the opening that it gave as part of the answer", async () => {
  const begun = { ...CONDITION, instruction: "opening given" } as const;
  const row = await askQuery(modelSaying(said(" more")), QUERY, begun, NEVER);
  assert.match(row!.answer, /^\S.* more$/);
});

Deno.test("askQuery() keeps no half of an answer, and names the query that failed", async () => {
  const half = modelSaying(said("Lake Hap", "stopped"));
  assert.equal(await askQuery(half, QUERY, CONDITION, NEVER), undefined);
  const broken = modelSaying({ kind: "failure", message: "too long" });
  await assert.rejects(askQuery(broken, QUERY, CONDITION, NEVER), /lake-invented-1: too long/);
});

Deno.test("isAnswered() asks anew where prompt, model file, seed or temperature changed", async () => {
  const row = (await askQuery(modelSaying(said("No.")), QUERY, CONDITION, NEVER))!;
  assert.ok(isAnswered([row], QUERY, CONDITION, "f00"));
  assert.ok(!isAnswered([row], QUERY, CONDITION, "f01"));
  assert.ok(!isAnswered([row], QUERY, { ...CONDITION, instruction: "none" }, "f00"));
  assert.ok(!isAnswered([row], QUERY, { ...CONDITION, temperature: 0.8 }, "f00"));
  assert.ok(!isAnswered([row], { ...QUERY, question: "Where?" }, CONDITION, "f00"));
});
