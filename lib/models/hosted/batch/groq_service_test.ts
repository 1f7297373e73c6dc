import assert from "node:assert/strict";
import { apiKey } from "../api_keys.ts";
import { openSmallHost } from "../testdata/small_host.ts";
import { type BatchService, openBatchServices } from "./groq_service.ts";

const SECRET = `gsk_test_${"a".repeat(30)}`;
const KEY = apiKey("GROQ_API_KEY_1", SECRET);

const error = (message: string) => ({ error: { message } });
const made = (number: number) => (
  { id: `batch_${number}`, input_file_id: "file_1", status: "validating" }
);

/** The Batch API at a host that replies so; what it was asked, in order. */
async function withService(
  reply: (url: URL, times: number) => Response,
  work: (service: BatchService, asked: string[], stop: AbortController) => Promise<void>,
) {
  const asked: string[] = [];
  await using host = openSmallHost(async (request) => {
    await request.body?.cancel();
    asked.push(request.method);
    return reply(new URL(request.url), asked.length);
  });
  const stop = new AbortController();
  const calls = { backoffSeconds: 0.001, timeoutSeconds: 5, longestWaitSeconds: 1 };
  const standIn = { baseUrl: host.url, calls };
  using opened = openBatchServices([KEY], { window: "24h", signal: stop.signal, standIn });
  await work(opened.services[0]!, asked, stop);
}

/** Head and half a body, then the connection breaks. */
const lost = () =>
  new Response(
    new ReadableStream({
      start: (stream) => stream.enqueue(new TextEncoder().encode(`{"id": "batch_1", "inp`)),
      pull: (stream) => stream.error(new Error("cut")),
    }),
    { headers: { "content-type": "application/json" } },
  );
const json = (status: number, body: unknown) => () => Response.json(body, { status });

Deno.test("create() is never repeated once it may have arrived, and tells a batch that is declined from one that may exist", async () => {
  const cases = [
    [lost, "unsure", /half a reply|broke off/],
    [json(400, error("window too long")), "refused", /window too long/],
    [json(500, error("oops")), "unsure", /500: oops/],
    [json(200, { id: "batch_1" }), "unsure", /no usable reply: no batch/],
    [json(408, error("slow")), "unsure", /slow/],
    [json(401, error(`Invalid API Key ${SECRET}`)), "unasked", /refuses the key/],
    [json(400, error("Organization has been restricted.")), "unasked", /restricted/],
    [json(429, error("Please try again in 9m38s.")), "unasked", /GROQ_API_KEY_1/],
  ] as const;
  for (const [reply, kind, message] of cases) {
    await withService(reply, async (service, asked) => {
      const creation = await service.create("file_1", () => {});
      assert.equal(creation.kind as string, kind, String(message));
      const { message: said } = creation.kind === "unasked" ? creation.error : creation as never;
      assert.match(said, message);
      assert.ok(!Deno.inspect(creation).includes(SECRET));
      assert.equal(asked.length, 1);
    });
  }
});

Deno.test("create() announces each request for a batch, before it goes out, and none once it is stopped", () => {
  const headers = { "retry-after": "0.01" };
  const reply = (_: URL, times: number) =>
    times > 2
      ? Response.json(made(1))
      : Response.json(error("slow down"), { status: 429, headers });
  return withService(reply, async (service, asked, stop) => {
    const creation = await service.create("file_1", () => void asked.push("announced"));
    assert.equal(creation.kind, "created");
    assert.deepEqual(asked, ["announced", "POST", "announced", "POST"]);
    stop.abort();
    const stopped = await service.create("file_1", () => assert.fail("announced"));
    assert.deepEqual([stopped.kind, asked.length], ["unasked", 4]);
  });
});

Deno.test("batches() reads a list to its end, and takes half of one for none", async () => {
  const page = ({ searchParams }: URL) => {
    const at = Number(searchParams.get("cursor") ?? 0);
    const next_cursor = at < 2 ? `${at + 1}` : null;
    return Response.json({ data: [made(at)], paging: { next_cursor } });
  };
  await withService(page, async (service, asked) => {
    const found = (await service.batches()).map(({ id }) => id);
    assert.deepEqual([found, asked.length], [["batch_0", "batch_1", "batch_2"], 3]);
  });
  for (const body of [{ data: [{ id: "batch_1" }] }, "<html>"]) {
    await withService(json(200, body), async (service, asked) => {
      await assert.rejects(service.batches(), /Batch API: Groq sent no usable reply.*3 tries/s);
      assert.equal(asked.length, 3);
    });
  }
});

Deno.test("retrieve() and content() give nothing of what the key does not see", () =>
  withService(json(404, error("Not found")), async (service) => {
    assert.equal(await service.retrieve("batch_99"), undefined);
    assert.equal(await service.content("file_99"), undefined);
  }));
