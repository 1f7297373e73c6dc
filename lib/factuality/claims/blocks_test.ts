import assert from "node:assert/strict";
import { join } from "node:path";
import { z } from "zod";
import { readJsonLines } from "../../files/json.ts";
import { chunksOf } from "../verifiers/chunks.ts";
import { sourcePassage } from "../types.ts";
import { ruleSplitter } from "./rule_splitter.ts";
import { sentencesOf, statementOf } from "./sentences.ts";

/** Texts with lists and tables, and the claims in them that can be checked. */
const FILE = join(import.meta.dirname!, "testdata/blocks.jsonl");
const ROW = z.tuple([z.string(), z.string(), z.array(z.string())]);

Deno.test("a row is as many claims as cells, an item one with its lead-in, and what stands alone keeps its words", async () => {
  const { rows } = readJsonLines(FILE, (line) => ROW.parse(line));
  assert.equal(rows.length, 16);
  for (const [name, text, expected] of rows) {
    const { claims } = await ruleSplitter().split(text);
    const found = claims.filter(({ notCheckable }) => notCheckable === undefined);
    assert.deepEqual(found.map((claim) => claim.text), expected, name);
    for (const { spans, sentence } of found) {
      for (const { start, end } of spans) assert.ok(start >= sentence.start && end <= sentence.end);
    }
  }
});

const TABLE = "Prices.\n\n| Model | Storage | Price |\n| :-- | --: | --- |\n" +
  "| Lumo One | 64 GB of flash | 99 euros |\n| Lumo Two | 128 GB of flash | 149 euros |\n";

Deno.test("a claim of a cell says what stands before it, and shows the cell alone", async () => {
  const { claims } = await ruleSplitter().split(TABLE);
  const claim = claims.find(({ text }) => text === "Lumo Two: storage 128 GB of flash.")!;
  const [{ start, end } = { start: 0, end: 0 }, ...others] = claim.spans;
  assert.deepEqual([TABLE.slice(start, end), others], ["128 GB of flash", []]);
  assert.deepEqual(claim.notes, [{ kind: "lead-in supplied", words: "Lumo Two: storage" }]);
});

Deno.test("evidence never cuts a cell: a row that is too long for a stretch is cut between cells", () => {
  const words = (text: string) => text.split(/\s+/).filter((word) => word !== "").length;
  for (const limit of [4, 6, 12, 30]) {
    const cells = sentencesOf(TABLE).flatMap(({ parts }) => parts);
    const spans = chunksOf(sourcePassage(TABLE), limit, words).map(({ span }) => span);
    for (const { start, end } of spans) {
      const cut = cells.filter((cell) =>
        cell.start < start && start < cell.end || cell.start < end && end < cell.end
      );
      assert.deepEqual(cut, [], `limit ${limit}`);
    }
  }
});

Deno.test("statementOf() writes cells of a source out with row and column", () => {
  const statements = sentencesOf(TABLE).flatMap(({ parts }) =>
    parts.map((part) => statementOf(TABLE, part))
  );
  assert.deepEqual(statements, [
    "Prices.",
    "Lumo One: storage 64 GB of flash",
    "Lumo One: price 99 euros",
    "Lumo Two: storage 128 GB of flash",
    "Lumo Two: price 149 euros",
  ]);
});
