import assert from "node:assert/strict";
import { plainBlocks } from "./text_blocks.ts";

Deno.test("plainBlocks() never waits for a blank line that does not come", async () => {
  let longest = 0;
  let characters = 0;
  const lines = Array.from({ length: 5000 }, () => "a line of forty characters, more or less");
  for await (const { text } of plainBlocks(lines)) {
    longest = Math.max(longest, text.length);
    characters += text.length;
  }
  assert.ok(longest < 21_000);
  assert.equal(characters, lines.join("\n").length + 1);
});
