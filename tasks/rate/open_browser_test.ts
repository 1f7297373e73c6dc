import assert from "node:assert/strict";
import type { RunProcess } from "../../lib/files/process.ts";
import { openBrowser } from "./open_browser.ts";

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
