import assert from "node:assert/strict";
import { z } from "zod";
import { openLineProcess } from "../python_environment.ts";
import { compareAlternating, formatComparison } from "./harness.ts";
import { costOf } from "./load.ts";
import { thresholdRow } from "./retrieval.ts";

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

Deno.test("thresholdRow() counts claims that are given a passage, and their own one", () => {
  const own = (share: number, cosine?: number) => ({ share, cosine, own: true });
  const other = (share: number, cosine: number) => ({ share, cosine, own: false });
  // Two true claims, two false ones, and two about countries that the base lacks.
  const FOUND = {
    present: [[own(0.8, 0.9)], [other(0.5, 0.8), own(0.1, 0.7)]],
    wrong: [[other(0.6, 0.8), own(0.3, 0.5)], []],
    absent: [[other(0.4, 0.65)], []],
  };
  assert.deepEqual(thresholdRow(FOUND, 0, -1), {
    minimum_share: 0,
    minimum_cosine: -1,
    present: 1,
    present_own: 1,
    wrong: 0.5,
    wrong_own: 0.5,
    absent: 0.5,
  });
  assert.deepEqual(thresholdRow(FOUND, 0.2, 0.7), {
    minimum_share: 0.2,
    minimum_cosine: 0.7,
    present: 1,
    present_own: 0.5,
    wrong: 0.5,
    wrong_own: 0,
    absent: 0,
  });
  // Only the five best that are over both thresholds; the share alone where nothing was re-ranked.
  const five = Array.from({ length: 5 }, () => other(0.9, 0.9));
  const cases = [
    [[...five, own(0.9, 0.9)], 0, 0, 0],
    [[...five.slice(1), other(0.9, 0.1), own(0.9, 0.9)], 0, 0.5, 1],
    [[own(0.5)], 0.4, 0.9, 1],
    [[own(0.5)], 0.6, 0.9, 0],
  ] as const;
  for (const [found, share, cosine, expected] of cases) {
    assert.equal(thresholdRow({ ...FOUND, present: [found] }, share, cosine).present_own, expected);
  }
});
