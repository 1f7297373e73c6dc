import assert from "node:assert/strict";
import { randomSource } from "../../stats/random.ts";
import { killBatch } from "./testdata/kill_batch.ts";
import { killedRequests } from "./testdata/killed_requests.ts";

Deno.test("Requirement 9.4: a batch killed at 3 random moments and resumed loses and doubles nothing", async () => {
  const folder = Deno.makeTempDirSync();
  try {
    const requests = 120;
    const random = randomSource("kill a batch");
    const { kills, ids } = await killBatch({
      folder,
      requests,
      kills: 3,
      milliseconds: 10,
      random,
    });
    assert.equal(kills, 3);
    assert.deepEqual(ids.toSorted(), killedRequests(requests).map(({ id }) => id).toSorted());
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});
