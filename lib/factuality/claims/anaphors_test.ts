import assert from "node:assert/strict";
import { join } from "node:path";
import { z } from "zod";
import { readJsonLines } from "../../files/json.ts";
import { resolveAnaphors } from "./anaphors.ts";
import { ruleSplitter } from "./rule_splitter.ts";

/** Texts and their claims, judged by hand. A question mark before those that cannot be resolved. */
const FILE = join(import.meta.dirname!, "testdata/anaphors.jsonl");
const ROW = z.tuple([z.string(), z.array(z.string())]);

Deno.test("resolveAnaphors() names the text's subject for the country, the company, and marks what is ambiguous", async () => {
  const { rows } = readJsonLines(FILE, (line) => ROW.parse(line));
  assert.equal(rows.length, 37);
  for (const [text, expected] of rows) {
    const { claims } = await ruleSplitter().split(text);
    const actual = resolveAnaphors(claims).map(({ text, notes }) =>
      notes.some(({ kind }) => kind === "pronoun unresolved") ? `? ${text}` : text
    );
    assert.deepEqual(actual, expected, text);
  }
});

Deno.test("resolveAnaphors() says what it has read for what, and keeps the place of the claim's words", async () => {
  const { claims } = await ruleSplitter().split("Tonga is old. The country has 36 islands.");
  const { notes, spans } = resolveAnaphors(claims)[1]!;
  assert.deepEqual(notes, [{ kind: "pronoun resolved", pronoun: "the country", to: "Tonga" }]);
  assert.deepEqual(spans, claims[1]!.spans);
});
