import assert from "node:assert/strict";
import type { RunProcess } from "../../lib/files/pip.ts";
import { answer, openBrowser, servePage } from "./serve_page.ts";

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

const ADDRESS = "http://127.0.0.1:8731/";

Deno.test("openBrowser() uses what the operating system opens addresses with", async () => {
  const commands: string[] = [];
  const run: RunProcess = (command, args) => {
    commands.push([command, ...args].join(" "));
    return Promise.resolve({ kind: "ended", code: 0, output: "" });
  };
  for (const system of ["linux", "darwin", "windows"]) {
    assert.ok(await openBrowser(ADDRESS, run, system));
  }
  assert.deepEqual(commands, [
    `xdg-open ${ADDRESS}`,
    `open ${ADDRESS}`,
    `cmd /c start ${ADDRESS}`,
  ]);
});

Deno.test("openBrowser() never fails: no such command, a command that fails, one that cannot be run", async () => {
  const runs: readonly RunProcess[] = [
    () => Promise.resolve({ kind: "missing" }),
    () => Promise.resolve({ kind: "ended", code: 3, output: "no display" }),
    () => Promise.reject(new Error("odd")),
  ];
  for (const run of runs) assert.equal(await openBrowser(ADDRESS, run, "linux"), false);
});
