import assert from "node:assert/strict";
import { inFolder } from "../../files/testdata/folder.ts";
import { randomSource } from "../../stats/random.ts";
import { killBatch, killedRequests } from "./testdata/kill_batch.ts";

Deno.test("Requirement 9.4: a batch killed at 3 random moments and resumed loses and doubles nothing", () =>
  inFolder(async (folder) => {
    const requests = 120;
    const random = randomSource("kill a batch");
    const plan = { folder, requests, kills: 3, milliseconds: 10, random };
    const { kills, ids } = await killBatch(plan);
    assert.equal(kills, 3);
    assert.deepEqual(ids.toSorted(), killedRequests(requests).map(({ id }) => id).toSorted());
  }));
