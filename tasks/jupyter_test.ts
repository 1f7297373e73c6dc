import assert from "node:assert/strict";
import { join } from "node:path";
import type { ProcessResult, RunProcess } from "../lib/files/pip.ts";
import { jupyterPaths, setUpJupyter } from "./jupyter.ts";

/** Sets up in a temporary folder; `answer` stands in for Python and pip. */
async function setUp(answer: (command: string, args: readonly string[]) => ProcessResult) {
  const root = Deno.makeTempDirSync({ prefix: "touchstone-" });
  const paths = jupyterPaths(root, false);
  const calls: string[] = [];
  const run: RunProcess = (command, args) => {
    calls.push([command, ...args].join(" ").replaceAll(root, ""));
    const result = answer(command, args);
    if (args.includes("venv") && result.kind === "ended" && result.code === 0) {
      Deno.mkdirSync(paths.venv, { recursive: true });
    }
    return Promise.resolve(result);
  };
  try {
    await setUpJupyter(root, paths, run, () => {});
    await setUpJupyter(root, paths, run, () => {});
    return { calls, spec: JSON.parse(Deno.readTextFileSync(join(paths.kernel, "kernel.json"))) };
  } finally {
    Deno.removeSync(root, { recursive: true });
  }
}

const ended = (code: number, output = ""): ProcessResult => ({ kind: "ended", code, output });

Deno.test("setUpJupyter() installs once and writes a kernel that is this Deno", async () => {
  const { calls, spec } = await setUp((command) =>
    command === "python3" ? { kind: "missing" } : ended(0)
  );
  assert.deepEqual(calls.map((call) => call.split("==")[0]), [
    "python3 -m venv /.venv",
    "python -m venv /.venv",
    "/.venv/bin/python -m pip install --quiet jupyterlab",
  ]);
  assert.equal(spec.argv[0], Deno.execPath());
  assert.equal(spec.language, "typescript");
});

Deno.test("setUpJupyter() names cause and remedy and passes on no address", async () => {
  await assert.rejects(setUp(() => ({ kind: "missing" })), /no Python is there: install Python/);
  const unreachable = ended(1, "NewConnectionError: index.example.org: Network is unreachable");
  const offline = setUp((_, args) => args.includes("pip") ? unreachable : ended(0));
  await assert.rejects(offline, /^Error: Cannot install \S+: [a-z ]+ cannot be reached: [a-z ]+$/);
});
