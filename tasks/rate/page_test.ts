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
  // What a site of that name would send, once its name leads here.
  const asked = await Deno.connect({ hostname: "127.0.0.1", port });
  await asked.write(
    new TextEncoder().encode("GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"),
  );
  const reply = await new Response(asked.readable).text();
  assert.match(reply, /^HTTP\/1\.1 421 /);
  assert.ok(!reply.includes(PAGE.html));
  const inUse = /^Error: Cannot serve on port \d+: it is in use\. .* Another port: --port N/;
  assert.throws(() => servePage(PAGE, port, stop.signal), inUse);
  stop.abort();
  await finished;
});

Deno.test("answer(): nothing but the page is there, and nothing is taken", () => {
  const status = (path: string, method = "GET", host = "127.0.0.1:8731") =>
    answer(PAGE, new Request(`http://${host}${path}`, { method }), 8731).status;
  assert.deepEqual([status("/"), status("/", "HEAD")], [200, 200]);
  assert.deepEqual([status("/favicon.ico"), status("/", "POST")], [404, 405]);
  const hosts = ["localhost:8731", "evil.example:8731", "127.0.0.1", "127.0.0.1:80"];
  assert.deepEqual(hosts.map((host) => status("/", "GET", host)), [200, 421, 421, 421]);
});
