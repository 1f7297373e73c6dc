import assert from "node:assert/strict";
import { join } from "node:path";
import type { ProcessResult } from "../lib/files/pip.ts";
import { inFolder } from "../lib/files/testdata/folder.ts";
import { setUpJupyter } from "./jupyter.ts";

/** Sets up twice in a temporary folder; `answer` replaces Python and pip. */
function setUp(answer: (command: string, args: readonly string[]) => ProcessResult) {
  return inFolder(async (venv) => {
    const calls: string[] = [];
    const run = (command: string, args: readonly string[]) => {
      calls.push([command, ...args].join(" ").replaceAll(venv, "/.venv"));
      return Promise.resolve(answer(command, args));
    };
    await setUpJupyter(venv, run);
    await setUpJupyter(venv, run);
    const kernel = join(venv, "share/jupyter/kernels/deno/kernel.json");
    return { calls, spec: JSON.parse(Deno.readTextFileSync(kernel)) };
  });
}

const ended = (code: number, output = ""): ProcessResult => ({ kind: "ended", code, output });

Deno.test("setUpJupyter() installs once and writes a kernel that is this Deno", async () => {
  const { calls, spec } = await setUp((command) =>
    command === "python3" ? { kind: "missing" } : ended(0)
  );
  assert.deepEqual(calls.map((call) => call.replace(/\S*\/(?=jupyterlab\.txt)/, "")), [
    "python3 -m venv /.venv",
    "python -m venv /.venv",
    "/.venv/bin/python -m pip install --quiet --require-hashes --only-binary=:all: -r jupyterlab.txt",
  ]);
  assert.deepEqual([spec.argv[0], spec.language], [Deno.execPath(), "typescript"]);
});

Deno.test("setUpJupyter() names cause and remedy and passes on no address", async () => {
  const unreachable = ended(1, "NewConnectionError: index.example.org: Network is unreachable");
  const cases: readonly [Parameters<typeof setUp>[0], RegExp][] = [
    [() => ({ kind: "missing" }), /JupyterLab.*no Python was found.*\nInstall Python 3\.10/],
    [() => ended(1, "ensurepip is not available"), /install the package python3-venv$/],
    [(_, args) => args.includes("pip") ? unreachable : ended(0), /JupyterLab.*does not answer/],
  ];
  for (const [answer, message] of cases) {
    const error = await setUp(answer).catch((error: Error) => error);
    assert.ok(error instanceof Error);
    assert.match(error.message, message);
    assert.doesNotMatch(error.message, /example/);
  }
});
