import assert from "node:assert/strict";
import {
  command,
  EXIT,
  exitCodeOf,
  group,
  int,
  type Interruptible,
  oneOf,
  real,
  stopSignal,
} from "./command.ts";

/** Runs a made command and gives its exit code with all that it wrote. */
async function runMade(args: readonly string[]) {
  const done: unknown[] = [];
  const made = command(
    "made",
    "A command for this test",
    (c) =>
      c.option("--n <number>", "how many", int({ min: 1 }), 2)
        .option("--share <number>", "of them", real({ min: 0, max: 1 }))
        .option("--kind <word>", "which", oneOf("a", "b")),
    ({ n, share, kind }, { signal }) => {
      done.push([n, share, kind, signal.aborted]);
      if (n === 99) throw new RangeError("Cannot count to 99");
      return n === 3 ? EXIT.incomplete : EXIT.done;
    },
  );
  const out: string[] = [];
  const [{ log, error }, keep] = [console, (text: string) => void out.push(text)];
  Object.assign(console, { log: keep, error: keep });
  try {
    const load = () => Promise.resolve(made);
    const code = await exitCodeOf(group("all", "Some", { made: ["made", load] }), [
      "made",
      ...args,
    ]);
    return { code, done, out: out.join("\n") };
  } finally {
    Object.assign(console, { log, error });
  }
}

Deno.test("command() reads options, and gives its work's exit code", async () => {
  const { code, done } = await runMade(["--share", "0.5", "--kind", "b"]);
  assert.deepEqual([code, done], [0, [[2, 0.5, "b", false]]]);
  assert.equal((await runMade(["--n", "3"])).code, 3);
});

Deno.test("command() does nothing else for --help", async () => {
  const { code, done, out } = await runMade(["--help"]);
  assert.deepEqual([code, done], [0, []]);
  assert.match(out, /Usage: deno task all made .*--n <number>.*3 incomplete/s);
  assert.ok(out.split("\n").every((line) => line.length <= 80));
});

Deno.test("command() tells what is wrong in one sentence and does nothing", async () => {
  for (
    const [args, message] of [
      [["--what"], /unknown option '--what'/],
      [["word"], /too many arguments/],
      [["--n", "0"], /it must be a whole number from 1 on/],
      [["--n", "1.5"], /it must be a whole number/],
      [["--share", "2"], /it must be a number from 0 to 1/],
      [["--kind", "c"], /it must be one of a, b/],
    ] as const
  ) {
    const { code, done, out } = await runMade(args);
    assert.deepEqual([code, done], [1, []], out);
    assert.match(out, message);
    assert.equal(out.split("\n").length, 1, out);
  }
  const thrown = await runMade(["--n", "99"]);
  assert.deepEqual([thrown.code, thrown.out], [1, "Cannot count to 99"]);
});

/** A process of which the interrupts and the clock are ours. */
function fakeProcess() {
  const listeners = new Set<() => void>();
  const said: string[] = [];
  const later: { readonly work: () => void; readonly milliseconds: number }[] = [];
  const process: Interruptible = {
    listen: (onInterrupt) => void listeners.add(onInterrupt),
    unlisten: (onInterrupt) => void listeners.delete(onInterrupt),
    later: (work, milliseconds) => void later.push({ work, milliseconds }),
    say: (text) => void said.push(text),
  };
  return { process, listeners, said, later };
}

Deno.test("stopSignal() takes one Ctrl-C that arrives twice for one, and leaves the next to the system", () => {
  const { process, listeners, said, later } = fakeProcess();
  const signal = stopSignal("every answer is kept", process);
  const [interrupt] = listeners;
  assert.equal(signal.aborted, false);
  interrupt?.();
  assert.equal(signal.aborted, true);
  interrupt?.();
  assert.deepEqual(said, ["\nStopping; every answer is kept"]);
  // Within the second it is still ours, so that it does not end the process; then it is no more.
  assert.equal(listeners.size, 1);
  assert.deepEqual(later.map(({ milliseconds }) => milliseconds), [1000]);
  later[0]?.work();
  assert.equal(listeners.size, 0);
});
