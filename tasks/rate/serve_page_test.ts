import assert from "node:assert/strict";
import { answer, servePage } from "./serve_page.ts";

const PAGE = { html: "<p>page</p>", policy: "default-src 'none'" };

Deno.test("servePage() serves the page to this machine, under its policy, kept by nobody", async () => {
  const stop = new AbortController();
  const { address, finished } = servePage(PAGE, 0, stop.signal);
  assert.match(address, /^http:\/\/127\.0\.0\.1:\d+\/$/);
  const response = await fetch(address);
  assert.equal(await response.text(), PAGE.html);
  assert.equal(response.headers.get("cache-control"), "no-store");
  assert.equal(
    response.headers.get("content-security-policy"),
    "default-src 'none'; frame-ancestors 'none'",
  );
  stop.abort();
  await finished;
});

Deno.test("servePage() says that a port is in use, and how to take another", async () => {
  const stop = new AbortController();
  const { address, finished } = servePage(PAGE, 0, stop.signal);
  const port = Number(new URL(address).port);
  assert.throws(() => servePage(PAGE, port, stop.signal), {
    message: `Cannot serve on port ${port}: it is in use. Is the page already open at ` +
      `http://127.0.0.1:${port}/? Another port: --port NUMBER.`,
  });
  stop.abort();
  await finished;
});

Deno.test("answer(): nothing but the page is there, and nothing is taken", () => {
  const status = (path: string, method = "GET") =>
    answer(PAGE, new Request(`http://127.0.0.1${path}`, { method })).status;
  assert.deepEqual([status("/"), status("/", "HEAD")], [200, 200]);
  assert.deepEqual([status("/favicon.ico"), status("/", "POST")], [404, 405]);
});
