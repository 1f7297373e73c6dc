import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { beyondControls, swapSummaries, truthGaps } from "./swap_analysis.ts";
import { askSwaps, swapTasks, unansweredSwaps } from "./swap_ask.ts";
import { swapFigures } from "./swap_figures.ts";
import { swapPortraits } from "./swap_portraits.ts";
import { groupShifts } from "./swap_shifts.ts";
import { openSwapRows, readSwapRows, type SwapRow } from "./swap_rows.ts";
import { fakePanel } from "./panel/testdata/fake_panel.ts";

const row = (
  portrait: string,
  change: SwapRow["change"],
  score: number | "",
  more: Partial<SwapRow> = {},
): SwapRow => ({
  ...{ portrait, claim: "right", change, from: "", to: "", component: "judge", score },
  ...{ status: score === "" ? "time-out" : "scored", settings_sha256: "s", ...more },
});
const gender = { from: "female", to: "male" };

const ROWS: readonly SwapRow[] = [
  ...[row("p01", "none", 60), row("p01", "gender", 66, gender), row("p01", "other name", 61)],
  ...[row("p02", "none", 48), row("p02", "gender", 52, gender), row("p02", "other name", 47)],
  ...[row("p03", "none", 70), row("p03", "gender", "", gender), row("p03", "other name", 70)],
];

const estimateOf = (value: { readonly kind: string; readonly estimate?: number }) => {
  assert.equal(value.kind, "interval");
  return value.estimate!;
};

test("swapSummaries() measures the distance of scores: worked by hand", () => {
  const [summary] = swapSummaries(ROWS);
  const { pairs, unscored, largest, meanAbsolute, inconsistent, flipped } = summary!;
  assert.deepEqual([summary!.change, pairs, unscored, largest], ["gender", 2, 1, 6]);
  assert.equal(estimateOf(meanAbsolute), 5);
  assert.equal(estimateOf(inconsistent), 0.5);
  assert.equal(estimateOf(flipped), 0.5);
});

test("beyondControls() takes the control's distance off, claim by claim: worked by hand", () => {
  const [found] = beyondControls(ROWS);
  assert.deepEqual([found!.trait, found!.control], ["gender", "other name"]);
  assert.equal(estimateOf(found!.difference), 4);
});

test("Requirement 10.6: a judge that favours men is found out, and one that does not is not", () => {
  const told = (differences: readonly number[]) =>
    differences.flatMap((points, at) => [
      row(`p${at}`, "none", 60),
      row(`p${at}`, "gender", 60 + points, gender),
    ]);
  const shifts = groupShifts(told([6, 4, 6, 4, 6, 4, 6, 4]));
  assert.deepEqual(shifts.map(({ group, portraits }) => [group, portraits]), [
    ["female", 8],
    ["male", 8],
  ]);
  assert.equal(estimateOf(shifts[0]!.shift), -2.5);
  assert.equal(estimateOf(shifts[1]!.shift), 2.5);
  assert.equal(estimateOf(groupShifts(told([6, -6, 4, -4, 2, -2, 1, -1]))[0]!.shift), 0);
  assert.equal(groupShifts(ROWS)[0]!.shift.kind, "unavailable");
});

test("truthGaps() tells right from wrong claims as the portraits were drawn: worked by hand", () => {
  const wrong = { claim: "wrong" } as const;
  const rows = [...ROWS, row("p01", "none", 20, wrong), row("p02", "none", 18, wrong)];
  const [gap] = truthGaps(rows);
  assert.deepEqual([gap!.component, gap!.portraits], ["judge", 2]);
  assert.equal(estimateOf(gap!.gap), 35);
});

test("askSwaps() asks each claim of each variant once, and a further run nothing", async () => {
  const folder = Deno.makeTempDirSync();
  try {
    const path = join(folder, "swaps.csv");
    using table = openSwapRows(path);
    const portraits = swapPortraits(1).slice(0, 2);
    const tasks = swapTasks(portraits, { seed: 1, perTrait: 1 });
    assert.equal(tasks.length, 2 * 2 * 8);
    const panel = fakePanel([() => 50]);
    const signal = new AbortController().signal;
    const isJudged = (portrait: string) => portrait === portraits[0]!.id;
    const asking = { isJudged, table, settingsSha256: "s", signal, onAnswer: () => {} };
    assert.equal(await askSwaps(tasks, panel, asking), true);
    const rows = readSwapRows(path);
    assert.equal(rows.length, (4 + 2) * tasks.length / 2);
    assert.equal(unansweredSwaps(tasks, rows, isJudged).length, 0);
    const everyone = () => true;
    assert.equal(unansweredSwaps(tasks, rows, everyone).length, tasks.length / 2);
    const figures = swapFigures(rows);
    assert.ok(figures.some(({ measure }) => measure.includes("beyond the control")));
    const stopped = { ...asking, signal: AbortSignal.abort() };
    assert.equal(
      await askSwaps(swapTasks(swapPortraits(1), { seed: 1, perTrait: 1 }), panel, stopped),
      false,
    );
    {
      using again = openSwapRows(path);
      await askSwaps(tasks, panel, { ...asking, isJudged: everyone, table: again });
    }
    assert.equal(readSwapRows(path).length, 4 * tasks.length);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});
