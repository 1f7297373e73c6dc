import assert from "node:assert/strict";
import { z } from "zod";
import { openLineProcess } from "../python_environment.ts";
import { compareAlternating, formatComparison } from "./harness.ts";
import { costOf } from "./load.ts";

Deno.test("compareAlternating() takes turns at being first, after a warm-up, and takes medians", async () => {
  const order: string[] = [];
  const reporting = (name: string, ...times: number[]) => (item: number) => {
    order.push(`${name}${item}`);
    return Promise.resolve(times[item]!);
  };
  const [ours, theirs] = [reporting("o", 8, 30, 9), reporting("t", 10, 10, 10)];
  const comparison = await compareAlternating([0, 1, 2], ours, theirs);
  assert.deepEqual(order, ["o0", "t0", "o0", "t0", "t1", "o1", "o2", "t2"]);
  assert.deepEqual([comparison.ratio, comparison.ours, comparison.theirs], [0.9, 9, 10]);
  assert.match(formatComparison(comparison), /^0\.90 \(middle half 0\.85–1\.95, 3 items/);
  await assert.rejects(compareAlternating([], ours, theirs), RangeError);
});

Deno.test("openLineProcess() hears a greeting, then an answer to every line", async () => {
  const script = `console.log("ready");
    for await (const piece of Deno.stdin.readable) await Deno.stdout.write(piece);`;
  await using echo = openLineProcess("an echo", Deno.execPath(), ["eval", script]);
  assert.equal(await echo.hear(), "ready");
  for (const text of ["one", "zwölf\n"]) assert.equal(await echo.ask(text, z.string()), text);
  await using gone = openLineProcess("an echo", Deno.execPath(), ["eval", "Deno.exit(3)"]);
  await assert.rejects(gone.hear(), /Cannot compare with an echo: .* eval Deno\.exit\(3\)$/);
});

Deno.test("costOf() takes the server's own time out of the wall's", () => {
  const shape = { models: 1, prompts: 100, inFlight: 10, delayMs: 50 };
  // 2 × 100 calls, ten at a time of 50 ms each: 1000 ms at least.
  const turns = [[600, 30], [800, 50]]
    .map(([wallMs = 0, cpuMs = 0]) => ({ calls: 100, wallMs, cpuMs, tokens: 0 }));
  assert.deepEqual(costOf(turns, shape), { overhead: 2, cpu: 0.4 });
});
