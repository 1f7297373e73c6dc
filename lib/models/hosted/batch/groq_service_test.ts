import assert from "node:assert/strict";
import { apiKey } from "../api_keys.ts";
import { startStandInServer } from "../testdata/stand_in/server.ts";
import { type BatchService, openBatchServices } from "./groq_service.ts";
import { openProxy, type ProxyOptions } from "./testdata/proxy.ts";

const SECRET = `gsk_test_${"a".repeat(30)}`;
const KEY = apiKey("GROQ_API_KEY_1", SECRET);
const INPUT = '{"custom_id":"q1","method":"POST","url":"/v1/chat/completions",' +
  '"body":{"model":"m","messages":[{"role":"user","content":"ǫ?"}]}}\n';

async function withService(
  options: Omit<ProxyOptions, "target">,
  work: (
    parts: {
      readonly service: BatchService;
      readonly stop: AbortController;
      readonly passed: readonly string[];
      readonly store: ReturnType<typeof startStandInServer>["store"];
    },
  ) => Promise<void>,
) {
  await using server = startStandInServer({ answer: () => "B" });
  await using proxy = openProxy({ target: server.baseUrl, ...options });
  const stop = new AbortController();
  const calls = { backoffSeconds: 0.001, timeoutSeconds: 5, longestWaitSeconds: 1 };
  const standIn = { baseUrl: proxy.url, calls };
  using opened = openBatchServices([KEY], { window: "24h", signal: stop.signal, standIn });
  const [service] = opened.services;
  await work({ service: service!, stop, passed: proxy.passed, store: server.store });
}

const error = (message: string, code?: string) => ({ error: { message, code } });

Deno.test("openBatchServices() uploads, submits, follows and fetches through Groq's SDK", () =>
  withService({}, async ({ service, store }) => {
    const fileId = await service.upload("touchstone_x_1.jsonl", INPUT);
    assert.equal(store.files[0]?.filename, "touchstone_x_1.jsonl");
    const creation = await service.create(fileId, () => {});
    assert.ok(creation.kind === "created");
    const { batch } = creation;
    assert.deepEqual([batch.inputFileId, batch.status], [fileId, "validating"]);
    assert.equal(store.batches[0]?.window, "24h");
    assert.deepEqual(await service.batches(), [batch]);
    const ended = await service.retrieve(batch.id);
    assert.equal(ended?.status, "completed");
    const line = JSON.parse(await service.content(ended?.outputFileId ?? "") ?? "");
    assert.equal(line.custom_id, "q1");
    assert.equal(line.response.body.choices[0].message.content, "B");
    assert.equal(await service.retrieve("batch_99"), undefined);
    assert.equal(await service.content("file_99"), undefined);
  }));

Deno.test("create() is never repeated once it may have arrived, and tells a batch that is declined from one that may exist", async () => {
  const cases = [
    ["lose answer", "unsure", /half a reply|broke off/],
    [{ status: 400, body: error("window too long") }, "refused", /window too long/],
    [{ status: 500, body: error("oops") }, "unsure", /500: oops/],
    [{ status: 200, body: { id: "batch_1" } }, "unsure", /no usable reply: no batch/],
    [{ status: 408, body: error("slow") }, "unsure", /slow/],
    [{ status: 401, body: error(`Invalid API Key ${SECRET}`) }, "unasked", /refuses the key/],
    [{ status: 400, body: error("Organization has been restricted.") }, "unasked", /restricted/],
    [{ status: 429, body: error("Please try again in 9m38s.") }, "unasked", /GROQ_API_KEY_1/],
  ] as const;
  for (const [meddling, kind, message] of cases) {
    const meddle: ProxyOptions["meddle"] = ({ kind }) =>
      kind === "POST /batches" ? meddling : "pass";
    await withService({ meddle }, async ({ service, passed }) => {
      const fileId = await service.upload("f.jsonl", INPUT);
      const creation = await service.create(fileId, () => {});
      assert.equal(creation.kind as string, kind, Deno.inspect(meddling));
      const { message: said } = creation.kind === "unasked" ? creation.error : creation as never;
      assert.match(said, message);
      assert.ok(!Deno.inspect(creation).includes(SECRET));
      assert.equal(passed.filter((kind) => kind === "POST /batches").length, 1);
    });
  }
});

Deno.test("create() announces each request for a batch, before it goes out, and none once it is stopped", () => {
  const limited = { status: 429, body: error("slow down"), headers: { "retry-after": "0.01" } };
  const events: string[] = [];
  const meddle: ProxyOptions["meddle"] = ({ kind, number }) => {
    events.push(kind);
    return kind === "POST /batches" && number === 1 ? limited : "pass";
  };
  return withService({ meddle }, async ({ service, stop, passed }) => {
    const fileId = await service.upload("f.jsonl", INPUT);
    const creation = await service.create(fileId, () => void events.push("announced"));
    assert.equal(creation.kind, "created");
    const ask = ["announced", "POST /batches"];
    assert.deepEqual(events, ["POST /files", ...ask, ...ask]);
    stop.abort();
    const stopped = await service.create(fileId, () => assert.fail("announced"));
    assert.equal(stopped.kind, "unasked");
    assert.equal(passed.length, 3);
  });
});

Deno.test("batches() reads a list to its end, and takes half of one for none", async () => {
  const change: ProxyOptions["change"] = ({ kind, url }, answer) => {
    const { data } = answer as { readonly data?: unknown[] };
    if (kind !== "GET /batches" || data === undefined) return answer;
    const at = Number(url.searchParams.get("cursor") ?? 0);
    const next_cursor = at + 1 < data.length ? `${at + 1}` : null;
    return { data: data.slice(at, at + 1), paging: { next_cursor } };
  };
  await withService({ change }, async ({ service, passed }) => {
    const fileId = await service.upload("f.jsonl", INPUT);
    for (let number = 1; number <= 3; number++) await service.create(fileId, () => {});
    const found = (await service.batches()).map(({ id }) => id);
    assert.deepEqual(found, ["batch_3", "batch_2", "batch_1"]);
    assert.equal(passed.filter((kind) => kind === "GET /batches").length, 3);
  });
  for (const body of [{ data: [{ id: "batch_1" }] }, "<html>"]) {
    await withService({ meddle: () => ({ status: 200, body }) }, async ({ service, passed }) => {
      await assert.rejects(service.batches(), /Batch API: Groq sent no usable reply.*3 tries/s);
      assert.equal(passed.length, 3);
    });
  }
});
