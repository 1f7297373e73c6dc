import assert from "node:assert/strict";
import { apiKey } from "../api_keys.ts";
import { type KeyedCallsOptions, openKeyedCalls } from "../keyed_calls.ts";
import { openSmallHost } from "../testdata/small_host.ts";
import { startStandInServer } from "../testdata/stand_in/server.ts";
import { groqBatchService, openBatchServices, readBatch } from "./groq_service.ts";
import { ServiceFailure } from "./service.ts";
import { openProxy, type ProxyOptions } from "./testdata/proxy.ts";

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

const SECRET = `gsk_test_${"a".repeat(30)}`;
const KEY_GROQ_SERVICE = apiKey("GROQ_API_KEY_1", SECRET);

const INPUT = '{"custom_id":"q1","method":"POST","url":"/v1/chat/completions",' +
  '"body":{"model":"m","messages":[{"role":"user","content":"ǫ?"}]}}\n';

/** A service through the SDK, a proxy and the stand-in server. */
async function withService(
  options: Omit<ProxyOptions, "target">,
  work: (
    parts: {
      readonly service: ReturnType<typeof groqBatchService>;
      readonly stop: AbortController;
      readonly passed: readonly string[];
      readonly store: ReturnType<typeof startStandInServer>["store"];
    },
  ) => Promise<void>,
) {
  await using server = startStandInServer({ answer: () => "B" });
  await using proxy = openProxy({ target: server.baseUrl, ...options });
  const stop = new AbortController();
  const quick: KeyedCallsOptions = {
    backoffSeconds: 0.001,
    timeoutSeconds: 5,
    longestWaitSeconds: 1,
  };
  using calls = openKeyedCalls([KEY_GROQ_SERVICE], quick);
  using onceCalls = openKeyedCalls([KEY_GROQ_SERVICE], { ...quick, tries: 1 });
  const connection = {
    key: KEY_GROQ_SERVICE,
    calls,
    onceCalls,
    window: "24h",
    signal: stop.signal,
  };
  const service = groqBatchService({ ...connection, baseUrl: proxy.url });
  await work({ service, stop, passed: proxy.passed, store: server.store });
}

Deno.test("readBatch() needs no metadata, whether the host leaves it out or says null", () => {
  const seen = { id: "batch_1", input_file_id: "file_1", status: "completed" };
  for (const more of [{}, { metadata: null }, { metadata: 7 }]) {
    assert.equal(readBatch({ ...seen, ...more }).name, undefined);
  }
});

Deno.test("groqBatchService() uploads, submits, follows and fetches through Groq's SDK", async () => {
  await withService({}, async ({ service, store }) => {
    const fileId = await service.upload("touchstone_x_1.jsonl", INPUT);
    assert.deepEqual(await service.files(), [{ id: fileId, name: "touchstone_x_1.jsonl" }]);
    let announced = 0;
    const creation = await service.create(fileId, "touchstone_x_1", () => void announced++);
    assert.ok(creation.kind === "created");
    const { batch } = creation;
    assert.deepEqual([batch.inputFileId, batch.name, batch.status, announced], [
      fileId,
      "touchstone_x_1",
      "validating",
      1,
    ]);
    assert.equal(store.batches[0]?.window, "24h");
    assert.deepEqual(await service.batches(), [batch]);
    const ended = await service.retrieve(batch.id);
    assert.equal(ended?.status, "completed");
    const line = JSON.parse(await service.content(ended?.outputFileId ?? "") ?? "");
    assert.equal(line.custom_id, "q1");
    assert.equal(line.response.body.choices[0].message.content, "B");
    assert.equal(await service.retrieve("batch_99"), undefined);
    assert.equal(await service.content("file_99"), undefined);
  });
});

Deno.test("groqBatchService() repeats what may be repeated, and never the request for a batch", async () => {
  await withService(
    { meddle: ({ number }) => number === 1 ? "lose answer" : "pass" },
    async ({ service, passed, store }) => {
      const fileId = await service.upload("f.jsonl", INPUT);
      assert.equal(store.files.length, 2); // The first one's answer was lost: it costs room only.
      const creation = await service.create(fileId, "f", () => {});
      assert.ok(creation.kind === "unsure");
      assert.match(creation.message, /half a reply|broke off/);
      assert.equal(passed.filter((kind) => kind === "POST /batches").length, 1);
      const [batch] = await service.batches();
      assert.equal(batch?.inputFileId, fileId);
    },
  );
});

Deno.test("groqBatchService() tells a batch that is declined from one that may exist", async () => {
  const error = (message: string, code?: string) => ({ error: { message, code } });
  const cases = [
    [{ status: 400, body: error("window too long") }, "refused", /window too long/],
    [{ status: 500, body: error("oops") }, "unsure", /500: oops/],
    [{ status: 200, body: { id: "batch_1" } }, "unsure", /no usable reply: no batch/],
    [{ status: 408, body: error("slow") }, "unsure", /slow/],
    [{ status: 401, body: error(`Invalid API Key ${SECRET}`) }, "unasked", /refuses the key/],
    [{ status: 400, body: error("Organization has been restricted.") }, "unasked", /restricted/],
    [
      { status: 429, body: error("Rate limit reached. Please try again in 9m38s.") },
      "unasked",
      /GROQ_API_KEY_1/,
    ],
  ] as const;
  for (const [meddling, kind, message] of cases) {
    const meddle = (request: { readonly kind: string }) =>
      request.kind === "POST /batches" ? meddling : "pass";
    await withService({ meddle }, async ({ service, store }) => {
      const creation = await service.create("file_1", "f", () => {});
      assert.equal(creation.kind as string, kind, `status ${meddling.status}`);
      const text = creation.kind === "unasked"
        ? creation.error.message
        : creation.kind === "created" || creation.message;
      assert.match(String(text), message);
      assert.ok(!Deno.inspect(creation).includes(SECRET));
      assert.equal(store.batches.length, 0);
    });
  }
});

Deno.test("groqBatchService() announces each request for a batch, before it goes out", async () => {
  const limited = {
    status: 429,
    body: { error: { message: "slow down" } },
    headers: { "retry-after": "0.01" },
  };
  const events: string[] = [];
  const meddle = ({ kind, number }: { readonly kind: string; readonly number: number }) => {
    events.push(kind);
    return kind === "POST /batches" && number === 1 ? limited : "pass" as const;
  };
  await withService({ meddle }, async ({ service }) => {
    const fileId = await service.upload("f.jsonl", INPUT);
    const creation = await service.create(fileId, "f", () => void events.push("announced"));
    assert.equal(creation.kind, "created");
    const ask = ["announced", "POST /batches"];
    assert.deepEqual(events, ["POST /files", ...ask, ...ask]);
  });
});

Deno.test("groqBatchService() asks for no batch once it is stopped", async () => {
  await withService({}, async ({ service, stop, passed }) => {
    stop.abort();
    const creation = await service.create("file_1", "f", () => assert.fail("announced"));
    assert.equal(creation.kind, "unasked");
    await assert.rejects(service.batches(), ServiceFailure);
    assert.deepEqual(passed, []);
  });
});

Deno.test("groqBatchService() reads lists to their end, as Groq pages them and as OpenAI does", async () => {
  const pages = {
    Groq: (items: unknown[], at: number) => ({
      paging: { next_cursor: items[at + 1] && `at${at + 1}` },
    }),
    OpenAI: (items: unknown[], at: number) => ({
      has_more: at + 1 < items.length,
      last_id: `at${at + 1}`,
    }),
  };
  for (const [, more] of Object.entries(pages)) {
    const change: ProxyOptions["change"] = ({ kind, url }, answer) => {
      const { data } = answer as { readonly data?: unknown[] };
      if (kind !== "GET /batches" || data === undefined) return answer;
      const from = url.searchParams.get("cursor") ?? url.searchParams.get("after") ?? "at0";
      const at = Number(from.slice(2));
      return { data: data.slice(at, at + 1), ...more(data, at) };
    };
    await withService({ change }, async ({ service, passed }) => {
      const fileId = await service.upload("f.jsonl", INPUT);
      for (const name of ["f1", "f2", "f3"]) await service.create(fileId, name, () => {});
      assert.deepEqual((await service.batches()).map(({ name }) => name), ["f3", "f2", "f1"]);
      assert.equal(passed.filter((kind) => kind === "GET /batches").length, 3);
    });
  }
});

Deno.test("groqBatchService() takes half a list for none", async () => {
  for (const body of [{ data: [], has_more: true }, { data: [{ id: "batch_1" }] }, "<html>"]) {
    const meddle = () => ({ status: 200, body });
    await withService({ meddle }, async ({ service, passed }) => {
      await assert.rejects(service.batches(), /Batch API: Groq sent no usable reply.*3 tries/s);
      assert.equal(passed.length, 3);
    });
  }
  const endless = () => ({ status: 200, body: { data: [], paging: { next_cursor: "again" } } });
  await withService({ meddle: endless }, async ({ service }) => {
    await assert.rejects(service.files(), /leads back to a page/);
  });
});
