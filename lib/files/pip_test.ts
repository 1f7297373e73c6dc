import assert from "node:assert/strict";
import {
  classifyPipFailure,
  type ProcessResult,
  runPip,
  type RunProcess,
  runProcess,
} from "./pip.ts";

/** Output of pip 23.2 and 26.3 with `-vv`, shortened, the addresses exchanged. */
const OUTPUTS: readonly (readonly [expected: string, output: string])[] = [
  ["no-pip", "/usr/bin/python3: No module named pip\n"],
  ["no-python", "Python was not found; run without arguments to install from the Microsoft Store"],
  ["no-python", "pyenv: python3: command not found"],
  ["wrong-hash", "ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE."],
  [
    "no-network",
    "WARNING: Retrying after connection broken by 'NameResolutionError(\"Failed to resolve " +
    "'packages.example' ([Errno -2] Name or service not known)\")': /simple/x/\n" +
    "ERROR: No matching distribution found for x==1.0",
  ],
  ["no-network", "broken by 'ProxyError('NewConnectionError('[Errno 13] Permission denied'))'"],
  ["not-found", "Could not fetch URL: 404 Client Error\nERROR: No matching distribution found"],
  [
    "not-found",
    "  Skipping link: No sources permitted for x: https://packages.example/x-0.9.tar.gz\n" +
    "ERROR: Could not find a version that satisfies the requirement x==1.0 (from versions: 0.8)",
  ],
  [
    "no-matching-wheel",
    "  Skipping link: none of the wheel's tags (cp35-cp35m-win32) are compatible: " +
    "https://packages.example/X-1.0-cp35-cp35m-win32.whl\nERROR: No matching distribution found",
  ],
  [
    "no-matching-wheel",
    "ERROR: Ignored the following versions that require a different python version: 1.0",
  ],
  ["disk", "ERROR: Could not install packages due to an OSError: [Errno 28] No space left"],
  ["disk", "PermissionError: [Errno 13] Permission denied: 'wheels'"],
  ["unknown", "ERROR: something new"],
];

Deno.test("classifyPipFailure() finds the reason in what pip prints", () => {
  for (const [expected, output] of OUTPUTS) {
    assert.equal(classifyPipFailure(output, "x-1.0"), expected, output);
  }
});

const options = { cwd: ".", env: {} };

/** A machine on which only some commands exist; keeps what was asked of it. */
function machine(commands: Readonly<Record<string, ProcessResult>>) {
  const asked: string[] = [];
  const run: RunProcess = (command, args) => {
    asked.push([command, ...args].join(" "));
    return Promise.resolve(commands[command] ?? { kind: "missing" });
  };
  return { asked, run };
}

const done: ProcessResult = { kind: "ended", code: 0, output: "" };
const noPip = { kind: "ended", code: 1, output: "No module named pip" } as const;

Deno.test("runPip() tries python3, python and py -3 until one has pip, and no other when it failed", async () => {
  const { asked, run } = machine({ python3: noPip, py: done });
  assert.equal(await runPip(["download"], "x-1.0", options, run), "downloaded");
  const commands = ["python3", "python", "py -3"];
  assert.deepEqual(asked, commands.map((command) => `${command} -m pip download`));
  assert.equal(await runPip([], "x-1.0", options, machine({ python: noPip }).run), "no-pip");
  assert.equal(await runPip([], "x-1.0", options, machine({}).run), "no-python");
  const failed = machine({ python3: { ...noPip, output: "HashMismatch" }, python: done });
  assert.equal(await runPip([], "x-1.0", options, failed.run), "wrong-hash");
  assert.equal(failed.asked.length, 1);
});

Deno.test({
  name: "runProcess() calls a command missing that this process may not run",
  permissions: { run: false },
  async fn() {
    const result = await runProcess("python3", ["--version"], { cwd: ".", env: {} });
    assert.deepEqual(result, { kind: "missing" });
  },
});
