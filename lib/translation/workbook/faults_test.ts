import assert from "node:assert/strict";
import { randomSource } from "../../stats/random.ts";
import { MUTATIONS, SMALL_CONFIG, SMALL_OPTIONS, smallWorkbook } from "../testdata/workbooks.ts";
import type { RatingWorkbook } from "../types.ts";
import { readWorkbook } from "./read_workbook.ts";
import { writeWorkbook } from "./write_workbook.ts";

/** In the gate; TOUCHSTONE_FAULTS=2000 runs the whole series. */
const WORKBOOKS = Number(Deno.env.get("TOUCHSTONE_FAULTS") ?? 300);
const LONGEST_MS = 2000;

/** What a workbook says, whatever the order of its rows. */
function content(workbook: RatingWorkbook): string {
  const items = workbook.items.toSorted((a, b) => a.input.itemId - b.input.itemId);
  return JSON.stringify({ ...workbook, items });
}

Deno.test(`NFR-1: ${WORKBOOKS} damaged workbooks are refused, or say what the sound one says`, async () => {
  const sound = await writeWorkbook(smallWorkbook(), SMALL_CONFIG);
  const read = await readWorkbook(sound, SMALL_OPTIONS);
  assert.ok(read.kind === "workbook");
  const wanted = content(read.workbook);
  const kinds = Object.entries(MUTATIONS);
  for (let index = 0; index < WORKBOOKS; index++) {
    const [kind, mutate] = kinds[index % kinds.length]!;
    const what = `workbook ${index}, ${kind}`;
    const bytes = mutate(sound, randomSource(`fault ${index}`));
    const begun = performance.now();
    const result = await readWorkbook(bytes, SMALL_OPTIONS);
    assert.ok(performance.now() - begun < LONGEST_MS, `${what}: too slow`);
    if (result.kind === "workbook") assert.equal(content(result.workbook), wanted, what);
    else assert.ok(result.problems.every(({ message }) => message.endsWith(".")), what);
  }
});
