import assert from "node:assert/strict";
import { apiKey } from "../api_keys.ts";
import { openSmallHost } from "../testdata/small_host.ts";
import { BATCH_TIMEOUT, openBatchServices, SETTLE_SECONDS } from "./open_services.ts";
import { ServiceFailure } from "./service.ts";

const KEY = apiKey("GROQ_API_KEY_1", ["gsk", "test", "services"].join("_"));

/** A service of a host that answers every request so, and how many it was asked. */
async function withHost(
  reply: () => Response,
  work: (
    service: ReturnType<typeof openBatchServices>["services"][number],
    requests: () => number,
  ) => Promise<void>,
) {
  let requests = 0;
  await using host = openSmallHost((request) => {
    requests += 1;
    request.body?.cancel();
    return reply();
  });
  const standIn = { baseUrl: host.url, calls: { backoffSeconds: 0.001 } };
  using opened = openBatchServices([KEY], { window: "24h", standIn });
  await work(opened.services[0]!, () => requests);
}

const broken = () => Response.json({ error: { message: "bad gateway" } }, { status: 502 });

Deno.test("openBatchServices() asks for a batch once where the answer is lost, for anything else three times", () =>
  withHost(broken, async (service, requests) => {
    let announced = 0;
    const creation = await service.create("file_1", "name", () => void announced++);
    assert.deepEqual([creation.kind, announced, requests()], ["unsure", 1, 1]);
    await assert.rejects(service.retrieve("batch_1"), ServiceFailure);
    assert.equal(requests(), 4);
  }));

Deno.test("openBatchServices() follows on after an outage, however many calls it failed", async () => {
  let isOut = true;
  const reply = () => isOut ? broken() : Response.json({ data: [] });
  await withHost(reply, async (service) => {
    for (let call = 0; call < 40; call++) await assert.rejects(service.batches(), ServiceFailure);
    isOut = false;
    assert.deepEqual(await service.batches(), []);
  });
});

Deno.test("SETTLE_SECONDS outlasts a request that arrives as late as one can", () => {
  assert.ok(SETTLE_SECONDS > BATCH_TIMEOUT && BATCH_TIMEOUT > 0);
});
