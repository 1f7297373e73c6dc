import assert from "node:assert/strict";
import { TextLineStream } from "./inputs.ts";
import { compareAlternating, formatComparison, openLineProcess } from "./speed.ts";

Deno.test("compareAlternating() takes turns at being first, after a warm-up, and takes medians", async () => {
  const order: string[] = [];
  const reporting = (name: string, times: readonly number[]) => (item: number) => {
    order.push(`${name}${item}`);
    return Promise.resolve(times[item]!);
  };
  const comparison = await compareAlternating(
    [0, 1, 2],
    reporting("o", [8, 30, 9]),
    reporting("t", [10, 10, 10]),
  );
  assert.deepEqual(order, ["o0", "t0", "o0", "t0", "t1", "o1", "o2", "t2"]);
  assert.equal(comparison.ratio, 0.9);
  assert.equal(comparison.ours, 9);
  assert.equal(comparison.theirs, 10);
  assert.equal(comparison.items, 3);
  assert.match(
    formatComparison(comparison),
    /^0\.90 \(middle half 0\.85–1\.95, 3 items, 9 against/,
  );
});

Deno.test("compareAlternating() refuses nothing to measure", async () => {
  const work = () => Promise.resolve(1);
  await assert.rejects(compareAlternating([], work, work), RangeError);
});

Deno.test("TextLineStream cuts lines wherever the pieces were cut", async () => {
  const pieces = ReadableStream.from(["one\ntw", "o", "\n\nthree\nrest"]);
  const lines = await Array.fromAsync(pieces.pipeThrough(new TextLineStream()));
  assert.deepEqual(lines, ["one", "two", "", "three"]);
});

const opened = (script: string) =>
  openLineProcess(Deno.execPath(), ["eval", script], { what: "an echo", stderr: "null" });

Deno.test("openLineProcess() hears a greeting, then an answer to every line", async () => {
  const script = `console.log("ready");
    for await (const piece of Deno.stdin.readable) await Deno.stdout.write(piece);`;
  await using echo = opened(script);
  assert.equal(await echo.hear(), "ready");
  assert.equal(await echo.ask("one"), "one");
  assert.equal(await echo.ask("zwölf"), "zwölf");
});

Deno.test("openLineProcess() says how to see why a process ended too early", async () => {
  await using gone = opened("Deno.exit(3)");
  await assert.rejects(gone.hear(), /Cannot compare with an echo: .* eval Deno\.exit\(3\)$/);
});
