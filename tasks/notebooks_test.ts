import assert from "node:assert/strict";
import { join } from "node:path";
import { EXIT } from "./command.ts";
import { codeCells, listNotebooks, notebookPath, parseNotebook } from "./notebook/nbformat.ts";
import { sleep } from "./notebook/kernel.ts";
import { testProject } from "./notebook/testdata/project.ts";

const PERMISSIONS = ["read", "write", "ffi", "run", "net=127.0.0.1", "env"].map((name) =>
  `--allow-${name}`
);

/**
 * Runs an endless notebook next to one whose runner is ended.
 *
 * Returns what becomes of the first.
 */
async function endingRunner(end: (runner: Deno.ChildProcess) => Promise<void> | void) {
  using project = testProject();
  // The cell's open port shows whether its kernel lives.
  const source = `const { addr } = Deno.listen({ hostname: "127.0.0.1", port: 0 });
Deno.writeTextFileSync("../port.new", String(addr.port));
Deno.renameSync("../port.new", "../port");
console.log("begun");
for (;;) await new Promise((resolve) => setTimeout(resolve, 100));`;
  project.add("long", [{ source }]);
  const waiting = `while (!existsSync("../end")) await sleep(50);\nconsole.log("ended");`;
  const imports = `import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
`;
  project.add("short", [{ source: imports + waiting }]);
  const before = project.read("notebooks/long.ipynb");
  const script = join(import.meta.dirname!, "notebooks.ts");
  const args = ["run", ...PERMISSIONS, script, "--root", project.root];
  const pipes = { stdout: "piped", stderr: "piped" } as const;
  const runner = new Deno.Command(Deno.execPath(), { args, ...pipes }).spawn();
  while (!project.exists("port")) await sleep(50);
  const port = Number(project.read("port"));
  const connect = () => Deno.connect({ hostname: "127.0.0.1", port });
  (await connect()).close();
  await end(runner);
  Deno.writeTextFileSync(join(project.root, "end"), "");
  const { code, signal } = await runner.status;
  for (const output of [runner.stdout, runner.stderr]) await output.cancel();
  const lives = async () => {
    try {
      (await connect()).close();
      return true;
    } catch (error) {
      assert.ok(error instanceof Deno.errors.ConnectionRefused);
      return false;
    }
  };
  const folder = join(project.root, ".cache", "notebooks");
  // Killed, or ended by an error, the runner waits for nothing: its kernel ends a moment later.
  const late = code === EXIT.incomplete ? 0 : 100;
  for (let looks = 0; looks < late && await lives(); looks++) await sleep(50);
  for (let looks = 0; looks < late && Deno.readDirSync(folder).next().value; looks++) {
    await sleep(50);
  }
  assert.equal(await lives(), false, "the kernel lives on");
  assert.equal(project.read("notebooks/long.ipynb"), before);
  assert.deepEqual([...Deno.readDirSync(folder)], []);
  return { code, signal };
}

Deno.test("notebooks, on a signal to terminate, leaves no kernel behind and the notebook whole", async () => {
  const { code } = await endingRunner((runner) => runner.kill("SIGTERM"));
  assert.equal(code, EXIT.incomplete);
});

Deno.test("notebooks, killed, leaves no kernel and no key behind", async () => {
  const { signal } = await endingRunner((runner) => runner.kill("SIGKILL"));
  assert.equal(signal, "SIGKILL");
});

Deno.test("notebooks without a reader of their output leaves no kernel and no key behind", async () => {
  const { code } = await endingRunner(async ({ stdout, stderr }) => {
    for (const output of [stdout, stderr]) await output.cancel();
  });
  assert.notEqual(code, EXIT.done);
});

Deno.test("no notebook says what depends on a key in .env, or on whether a package could be had", () => {
  const folder = join(import.meta.dirname!, "..", "notebooks");
  const telling = /\b(?:hostedStatus|closedMessages|accessTo|readApiKeys)\b|\.(?:origin|problem)\b/;
  const found = listNotebooks(folder).flatMap((name) => {
    const path = notebookPath(folder, name);
    return codeCells(parseNotebook(Deno.readTextFileSync(path), path))
      .filter(({ cell }) => telling.test(cell.source))
      .map(({ number }) => `${name}, cell ${number}`);
  });
  assert.deepEqual(found, []);
});
