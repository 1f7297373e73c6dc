import assert from "node:assert/strict";
import { readGenerateOptions } from "./options.ts";

Deno.test("readGenerateOptions() reads every option", () => {
  assert.deepEqual(readGenerateOptions([]), { estimateOnly: false });
  assert.deepEqual(readGenerateOptions("--source llm --limit 0 --estimate".split(" ")), {
    source: "llm",
    limit: 0,
    estimateOnly: true,
  });
});

Deno.test("readGenerateOptions() names what it cannot take", () => {
  const read = (line: string) => () => readGenerateOptions(line.split(" "));
  assert.throws(read("--source LLM"), /from "LLM": write rules, llm, both/);
  assert.throws(read("--limit some"), /limit the calls to "some": write a whole number/);
});
