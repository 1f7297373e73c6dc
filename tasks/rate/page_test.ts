import assert from "node:assert/strict";
import { answer, servePage } from "./page.ts";

const PAGE = { html: "<p>page</p>", policy: "default-src 'none'" };

Deno.test("servePage() serves the page to this machine, under its policy, and says that a port is in use", async () => {
  const stop = new AbortController();
  const { address, finished } = servePage(PAGE, 0, stop.signal);
  assert.match(address, /^http:\/\/127\.0\.0\.1:\d+\/$/);
  const response = await fetch(address);
  assert.equal(await response.text(), PAGE.html);
  const header = (name: string) => response.headers.get(name);
  assert.equal(header("cache-control"), "no-store");
  assert.equal(header("content-security-policy"), "default-src 'none'; frame-ancestors 'none'");
  const port = Number(new URL(address).port);
  const inUse = /^Error: Cannot serve on port \d+: it is in use\. .* Another port: --port N/;
  assert.throws(() => servePage(PAGE, port, stop.signal), inUse);
  stop.abort();
  await finished;
});

Deno.test("answer(): nothing but the page is there, and nothing is taken", () => {
  const status = (path: string, method = "GET") =>
    answer(PAGE, new Request(`http://127.0.0.1${path}`, { method })).status;
  assert.deepEqual([status("/"), status("/", "HEAD")], [200, 200]);
  assert.deepEqual([status("/favicon.ico"), status("/", "POST")], [404, 405]);
});
