import assert from "node:assert/strict";
import type { SamplingModel } from "../../models/sampling_model.ts";
import { sourcePassage } from "../retrieval/passage.ts";
import { askSystem, systemSettings } from "./ask_system.ts";
import type { ResponseRow } from "./response_tables.ts";
import { RESPONDING_SYSTEMS } from "./systems.ts";
import { responseRowOf } from "./testdata/rows.ts";

const [closed, open, gemmaClosed, gemmaOpen] = RESPONDING_SYSTEMS;
const QUESTIONS = ["ke", "fo"].map((id) => ({ id, country: id, question: `Write about ${id}.` }));

function writing(text: string, prompts: string[] = []): SamplingModel {
  return {
    name: "made",
    settings: { file: "f" },
    sample: (prompt) => {
      prompts.push(prompt.text);
      const token = { text, logProbability: -0.5, entropy: 1.5 };
      const tokens = [token, { ...token, entropy: 0.5 }];
      return Promise.resolve({ kind: "sample", text, tokens, promptTokens: 3, ended: "length" });
    },
    continuations: () => Promise.resolve([]),
  };
}

function tableWith(rows: readonly ResponseRow[]) {
  const written: ResponseRow[] = [];
  return { rows, written, append: (row: ResponseRow) => void written.push(row) };
}

const options = {
  settings: { a: 1 },
  passagesFor: () => Promise.resolve([sourcePassage("Nairobi is the capital.")]),
  signal: new AbortController().signal,
  onAnswer: () => {},
};

Deno.test("askSystem() asks what the table lacks, and writes whole sentences with their means", async () => {
  const table = tableWith([responseRowOf({ system: closed!.name })]);
  const model = writing(" One is\nwhole. The other is not");
  assert.ok(await askSystem(closed!, model, QUESTIONS, table, options));
  assert.deepEqual(table.written.map(({ question_id, response }) => [question_id, response]), [
    ["fo", "One is whole."],
  ]);
  const [row] = table.written;
  assert.deepEqual([row!.mean_token_entropy, row!.mean_log_probability], [1, -0.5]);
});

Deno.test("askSystem() shows passages to open book alone", async () => {
  for (const [system, shown] of [[closed, false], [open, true], [gemmaClosed, false]] as const) {
    const prompts: string[] = [];
    await askSystem(system!, writing("A.", prompts), QUESTIONS, tableWith([]), options);
    assert.equal(prompts.length, 2);
    assert.ok(prompts.every((prompt) => prompt.includes("Nairobi is the capital.") === shown));
  }
});

Deno.test("askSystem() stops at an abort and throws for a model that cannot answer", async () => {
  const signal = AbortSignal.abort();
  const table = tableWith([]);
  assert.ok(!await askSystem(closed!, writing("A."), QUESTIONS, table, { ...options, signal }));
  assert.deepEqual(table.written, []);
  const failing: SamplingModel = {
    ...writing(""),
    sample: () => Promise.resolve({ kind: "failure", message: "the context is full" }),
  };
  await assert.rejects(
    askSystem(closed!, failing, QUESTIONS, table, options),
    /SmolLM2.*closed book: the context is full/,
  );
});

Deno.test("systemSettings() tells prompts apart, and retrieval where it matters", () => {
  const [one, other] = [gemmaClosed!, gemmaOpen!].map((system) =>
    systemSettings(system, writing(""), { index: "i" })
  );
  assert.notEqual(one!.promptSha256, other!.promptSha256);
  assert.deepEqual([one!.index, other!.index], [undefined, "i"]);
});
