import assert from "node:assert/strict";
import { lockAnswers } from "../lib/pairs/study.ts";
import { SANSKRIT_STUDY } from "../lib/studies/sanskrit/study.ts";
import { exitCodeOf } from "./command.ts";
import { TASK } from "./generate.ts";

Deno.test("generate writes no pairs while answers are being added", async () => {
  using _other = lockAnswers(SANSKRIT_STUDY.lock);
  assert.equal(await exitCodeOf(TASK, ["--study", "sanskrit"]), 1);
});

Deno.test("generate refuses what it cannot take: other words, other numbers, the other study's options", async () => {
  assert.equal(await exitCodeOf(TASK, ["--help"]), 0);
  const lines = ["--source LLM", "--study latin", "--study sanskrit --target-size 0"];
  for (const line of [...lines, "--study sanskrit --source rules", "--max-stems 5"]) {
    assert.equal(await exitCodeOf(TASK, line.split(" ")), 1, line);
  }
});
