import assert from "node:assert/strict";
import { inFolder } from "../../lib/pairs/testdata/folder.ts";
import { runBatchTask } from "./run.ts";
import { openHost } from "./testdata/host.ts";
import { OPTIONS, worldIn } from "./testdata/study.ts";

Deno.test("runBatchTask() only estimates where told, with a total, and that is all there was to do", async () => {
  await using host = openHost();
  await inFolder(async (_, folder) => {
    const said: string[] = [];
    const print = (line: string) => void said.push(line);
    const world = { ...worldIn(folder, host.baseUrl), print };
    assert.equal(await runBatchTask({ ...OPTIONS, mode: "estimate" }, world), "complete");
    assert.match(said.at(-1)!, /^together: 12 questions without an answer, \d+ \+ \d+ tokens/);
    assert.equal(said.length, 3);
    assert.equal(host.store.batches.length, 0);
  });
});

Deno.test("runBatchTask() says of nothing that it was submitted where nothing was", async () => {
  await using host = openHost();
  await inFolder(async (_, folder) => {
    const said: string[] = [];
    const print = (line: string) => void said.push(line);
    const world = { ...worldIn(folder, host.baseUrl), print };
    assert.equal(await runBatchTask({ ...OPTIONS, mode: "fetch" }, world), "incomplete");
    assert.equal(said[0], "Nothing to fetch: no batch of this panel was submitted.");
    said.length = 0;
    const stopped = { ...world, signal: AbortSignal.abort() };
    assert.equal(await runBatchTask(OPTIONS, stopped), "incomplete");
    assert.ok(said.includes("No batch was submitted."), said.join("\n"));
  });
});
