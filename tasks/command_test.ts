import assert from "node:assert/strict";
import { join } from "node:path";
import { requireWritable } from "../lib/files/atomic.ts";
import { choiceOf, command, EXIT, exitCodeOf, group, int, real } from "./command.ts";

/** Runs a made command and gives its exit code with all that it wrote. */
async function runMade(args: readonly string[]) {
  const done: unknown[] = [];
  const made = command(
    "all made",
    "A command for this test",
    (c) =>
      c.option("--n <number>", "how many", int({ min: 1 }), 2)
        .option("--share <number>", "of them", real({ min: 0, max: 1 }))
        .option("--kind <word>", "which", choiceOf("a", "b"))
        .option("--config <file>", "by which", join(Deno.cwd(), "deno.json"))
        .option("--out <folder>", "where to"),
    ({ n, share, kind }, { signal }) => {
      done.push([n, share, kind, signal.aborted]);
      if (n === 97) throw Object.assign(new Error("Cannot open it"), { mayPass: true });
      if (n === 98) Deno.readTextFileSync("/");
      if (n === 99) throw new RangeError("Cannot count to 99");
      return n === 3 ? EXIT.incomplete : EXIT.done;
    },
  );
  const out: string[] = [];
  const [{ log, error }, keep] = [console, (text: string) => void out.push(text)];
  Object.assign(console, { log: keep, error: keep });
  try {
    const all = group("all", "Some", { made: ["made", () => Promise.resolve(made)] });
    const code = await exitCodeOf(all, ["made", ...args]);
    return { code, done, out: out.join("\n") };
  } finally {
    Object.assign(console, { log, error });
  }
}

Deno.test("command() reads options, and gives its work's exit code", async () => {
  const { code, done } = await runMade(["--share", "0.5", "--kind", "b"]);
  assert.deepEqual([code, done], [0, [[2, 0.5, "b", false]]]);
  assert.equal((await runMade(["--n", "3"])).code, 3);
  assert.equal((await runMade(["--n", "97"])).code, 3, "what may pass is asked again");
  const help = await runMade(["--help"]);
  assert.match(help.out, /by which \(default:\s+deno\.json\)/);
  assert.deepEqual([help.code, help.done], [0, []], "and nothing else is done");
  assert.match(help.out, /Usage: deno task all made .*--n <number>.*3 incomplete/s);
});

Deno.test("each task explains itself with the permissions that it has, and does nothing else", async () => {
  const { tasks } = JSON.parse(Deno.readTextFileSync(new URL("../deno.json", import.meta.url)));
  await Promise.all(
    Object.keys(tasks).map(async (name) => {
      const args = ["task", "--quiet", name, "--help"];
      const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), { args }).output();
      const said = new TextDecoder().decode(code === 0 ? stdout : stderr);
      assert.match(said, /^Usage: deno task \w+ /, name);
      assert.equal(code, 0, said);
    }),
  );
});

Deno.test("every task names the programs that it may run, and none but those with an --out of the user's may write anywhere", () => {
  const { tasks, lock } = JSON.parse(
    Deno.readTextFileSync(new URL("../deno.json", import.meta.url)),
  );
  const names = (permission: string) =>
    Object.keys(tasks).filter((name) =>
      new RegExp(`--allow-(?:all|${permission})(?![-=\\w])|\\s-A\\b`).test(tasks[name].command)
    );
  assert.deepEqual(names("run"), []);
  const out = ["generate", "evaluate", "rate", "factcheck", "export", "train", "study"];
  assert.deepEqual(names("write"), out);
  assert.equal(lock.frozen, true);
});

Deno.test("command() states what is wrong in one sentence and does nothing", async () => {
  for (
    const [args, message] of [
      [["--what"], /unknown option '--what'/],
      [["word"], /word stands by itself/],
      [["--n", "0"], /it must be a whole number from 1 on/],
      [["--share", "2"], /it must be a number from 0 up to 1/],
      [["--kind", "c"], /it must be one of a, b/],
      [["--n", "-1"], /it must be a whole number from 1 on/],
    ] as const
  ) {
    const { code, done, out } = await runMade(args);
    assert.deepEqual([code, done], [1, []], out);
    assert.match(out, message);
    assert.match(out, /^.* See deno task all made --help\.$/);
  }
  const thrown = await runMade(["--n", "99"]);
  assert.deepEqual([thrown.code, thrown.out], [1, "Cannot count to 99"]);
  const blank = await runMade(["--out", " "]);
  assert.deepEqual([blank.code, blank.done], [1, []]);
  assert.equal(blank.out, "Cannot run this: --out names nothing. Give it a name.");
  const system = await runMade(["--n", "98"]);
  assert.equal(system.out, "Cannot go on: it is a folder (readfile '/').");
});

Deno.test("a command takes one Ctrl-C that arrives twice for one, and ends with what is done", async () => {
  const code = `import { command, run } from "${join(import.meta.dirname!, "command.ts")}";
    await run(command("made", "", (c) => c, async (_, { signal }) => {
      console.log("begun");
      await new Promise((resolve) => signal.onabort = () => setTimeout(resolve, 100));
      signal.throwIfAborted();
    }));`;
  const args = ["eval", "--no-check", code];
  const env = { NO_COLOR: "1" };
  const piped = { stdout: "piped", stderr: "piped" } as const;
  const child = new Deno.Command(Deno.execPath(), { args, env, ...piped }).spawn();
  const reader = child.stdout.getReader();
  await reader.read();
  child.kill("SIGINT");
  child.kill("SIGINT");
  reader.releaseLock();
  const { code: ended, stderr } = await child.output();
  assert.equal(ended, EXIT.incomplete);
  assert.match(new TextDecoder().decode(stderr), /^\nStopping; .*\n$/);
});

Deno.test("command() lets a command write into its own place, and a user not name one of the project's", async () => {
  const data = join(import.meta.dirname!, "../data/factuality/evaluation.yaml");
  const asking = (args: readonly string[]) =>
    exitCodeOf(
      command(
        "made",
        "A command with a place of its own",
        (c) => c.option("--out <folder>", "where to", "data"),
        () => {
          requireWritable(data);
          return EXIT.done;
        },
      ),
      args,
    );
  assert.equal(await asking([]), EXIT.done);
  const { error } = console;
  console.error = () => {};
  try {
    assert.equal(await asking(["--out", "data"]), EXIT.failed);
  } finally {
    console.error = error;
  }
});
