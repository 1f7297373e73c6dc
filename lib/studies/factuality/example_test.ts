import assert from "node:assert/strict";
import { join } from "node:path";
import { inFolder } from "../../files/testdata/folder.ts";
import { onRecord } from "./example.ts";
import { EXAMPLE_ANSWERS } from "./tables.ts";

Deno.test("onRecord() asks once, and again only where the question is another", () =>
  inFolder(async (folder) => {
    const table = EXAMPLE_ANSWERS.at(join(folder, "answers.csv"));
    const asked: number[] = [];
    const ask = (question: number) =>
      onRecord("sum", question, () => Promise.resolve(asked.push(question)), table);
    assert.deepEqual([await ask(1), await ask(1), await ask(2), await ask(2)], [1, 1, 2, 2]);
    assert.deepEqual(asked, [1, 2]);
    assert.equal(table.read().length, 1);
  }));
