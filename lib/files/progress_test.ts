import assert from "node:assert/strict";
import {
  firstThree,
  formatBytes,
  formatDuration,
  formatProgress,
  openFailures,
  openProgress,
  openStatusLine,
} from "./progress.ts";

Deno.test("formatProgress() gives count, share, rate of this run's own items, and time left", () => {
  const state = { label: "pairs", done: 120, total: 500, resumed: 0, seconds: 40 };
  // 120 in 40 s are 3 a second; the other 380 take 126.7 s.
  assert.equal(formatProgress(state), "pairs 120/500 24% 3.0/s 2:07 left");
  assert.equal(formatProgress({ ...state, done: 500 }), "pairs 500/500 100% 12.5/s in 0:40");
  const resumed = formatProgress({ ...state, resumed: 100 });
  assert.equal(resumed, "pairs 120/500 24% 2.0 s each 12:40 left");
  assert.equal(formatProgress({ ...state, resumed: 120 }), "pairs 120/500 24%");
  assert.equal(formatProgress({ ...state, done: 0, total: 0 }), "pairs 0/0");
});

Deno.test("formatDuration() and formatBytes() choose their units", () => {
  assert.deepEqual([0, 59.6, 61, 3600, 36_061].map(formatDuration), [
    "0:00",
    "1:00",
    "1:01",
    "1:00:00",
    "10:01:01",
  ]);
  assert.deepEqual([0, 999, 204_319, 98_362_432, 1.5e9].map(formatBytes), [
    "0 B",
    "999 B",
    "204 kB",
    "98.4 MB",
    "1.50 GB",
  ]);
});

/** A status line's surroundings, with a clock that the test moves. */
function stage(terminal: boolean) {
  const written: string[] = [];
  const clock = { seconds: 0 };
  const write = (text: string) => void written.push(text);
  const options = { write, terminal, columns: 20, everySeconds: 10, now: () => clock.seconds };
  return { written, clock, options };
}

Deno.test("openStatusLine() rewrites one line of a terminal, cut to its width", () => {
  const { written, clock, options } = stage(true);
  {
    using line = openStatusLine(options);
    line.show("one");
    clock.seconds = 0.05;
    line.show("too soon");
    clock.seconds = 0.2;
    line.show("þ".repeat(30));
  }
  assert.deepEqual(written, ["\rone\x1b[K", `\r${"þ".repeat(19)}\x1b[K`, "\n"]);
});

Deno.test("openProgress() writes a plain line now and then where there is no terminal", () => {
  const { written, clock, options } = stage(false);
  {
    using progress = openProgress("pairs", 40, { ...options, resumed: 8 });
    for (let second = 1; second <= 25; second++) {
      clock.seconds = second;
      progress.advance();
    }
  }
  assert.deepEqual(written, [
    "pairs 8/40 20%\n",
    "pairs 18/40 45% 1.0/s 0:22 left\n",
    "pairs 28/40 70% 1.0/s 0:12 left\n",
    "pairs 33/40 82% 1.0/s 0:07 left\n",
  ]);
});

Deno.test("openFailures() reports each reason once as it comes, and counts the others; firstThree() names three", () => {
  const lines: string[] = [];
  {
    using failures = openFailures((line) => void lines.push(line));
    for (let query = 1; query <= 200; query++) failures.report(`q${query}`, "it is down");
    failures.report("q7", "it is empty");
  }
  const expected = ["q1: it is down", "q7: it is empty", "The same of 199 others: it is down"];
  assert.deepEqual(lines, expected);
  assert.equal(firstThree([3, 5, 9, 12, 13]), "3, 5, 9 and 2 others");
  assert.equal(firstThree(["a"]), "a");
});
