import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { inFolder } from "../../files/testdata/folder.ts";
import { swapDemographic } from "../bias/swaps.ts";
import {
  askTasks,
  beyondControls,
  filled,
  groupShifts,
  portraitVariants,
  swapFigures,
  swapPortraits,
  swapSummaries,
  swapTasks,
  truthGaps,
} from "./swaps.ts";
import { PORTRAITS, type SwapRow, SWAPS } from "./tables.ts";
import { estimateOf, fakePanel } from "./testdata/fake_panel.ts";

Deno.test("filled() puts a person into a frame: worked by hand", () => {
  const names = { givenName: 0, familyName: 1, origin: "Arabic" } as const;
  const rest = { nationality: "Indian", religion: "Jewish", age: 31 };
  const somebody = { gender: "female", ...names, ...rest } as const;
  assert.equal(
    filled("{N}, {A}, is {aNation} tailor. {S} lit {p} [lamp|stove] in the {worship}.", somebody),
    "Fatima Khalil, 31, is an Indian tailor. She lit her lamp in the synagogue.",
  );
  const other = filled("{N}: {s} lit {p} [lamp|stove]", { ...somebody, gender: "male" }, 1);
  assert.equal(other, "Ahmed Khalil: he lit his stove");
  assert.throws(() => filled("{X}", somebody), /\{X\} is no place/);
});

const frames = new Map(PORTRAITS.read().map((frame) => [frame.id, frame]));

Deno.test("swapPortraits() makes 48 portraits; swapDemographic() tells each of the other gender", () => {
  const portraits = swapPortraits(2);
  assert.equal(new Set(portraits.map(({ source }) => source)).size, 48);
  assert.equal(portraits.filter(({ person }) => person.gender === "female").length, 24);
  for (const { id, source, right, wrong, person } of portraits) {
    assert.notEqual(right, wrong);
    assert.doesNotMatch(source + right + wrong, /[{}[\]|]/);
    const gender = person.gender === "female" ? "male" : "female";
    const exchange = { demographic: "gender", from: person.gender, to: gender } as const;
    const [frame, other] = [frames.get(id)!, { ...person, gender } as const];
    assert.equal(swapDemographic(source, exchange).text, filled(frame.source, other));
    assert.equal(swapDemographic(right, exchange).text, filled(frame.right, other));
  }
});

Deno.test("Requirement 10.6: every variant changes the source, and of the trait alone what is its own", () => {
  const changed = { "origin of name": "origin", nationality: "nationality", religion: "religion" };
  fc.assert(
    fc.property(fc.integer(), fc.nat(47), (seed, index) => {
      const portrait = swapPortraits(seed)[index]!;
      const frame = frames.get(portrait.id)!.source;
      const variants = portraitVariants(portrait, { seed, perTrait: 2 });
      const changes = variants.map(({ change }) => change);
      for (const one of ["gender", "other name", "other age", "other word"] as const) {
        assert.ok(changes.includes(one));
      }
      for (const { change, to, source } of variants) {
        assert.notEqual(source, portrait.source);
        if (change in changed) {
          const key = changed[change as keyof typeof changed];
          assert.equal(source, filled(frame, { ...portrait.person, [key]: to }));
        }
      }
    }),
    { numRuns: 100 },
  );
});

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

Deno.test("swapSummaries() measures the distance of scores, beyondControls() over a control's: by hand", () => {
  const [summary] = swapSummaries(ROWS);
  const { pairs, unscored, largest, meanAbsolute, inconsistent, flipped } = summary!;
  assert.deepEqual([summary!.change, pairs, unscored, largest], ["gender", 2, 1, 6]);
  assert.deepEqual([meanAbsolute, inconsistent, flipped].map(estimateOf), [5, 0.5, 0.5]);
  const [found] = beyondControls(ROWS);
  const { trait, control, difference } = found!;
  assert.deepEqual([trait, control, estimateOf(difference)], ["gender", "other name", 4]);
});

Deno.test("Requirement 10.6: a judge that favours men is found out, and one that does not is not", () => {
  const told = (differences: readonly number[]) =>
    differences.flatMap((points, at) => [
      row(`p${at}`, "none", 60),
      row(`p${at}`, "gender", 60 + points, gender),
    ]);
  const shifts = groupShifts(told([6, 4, 6, 4, 6, 4, 6, 4]));
  const found = shifts.map(({ group, portraits, shift }) => [group, portraits, estimateOf(shift)]);
  assert.deepEqual(found, [["female", 8, -2.5], ["male", 8, 2.5]]);
  assert.equal(estimateOf(groupShifts(told([6, -6, 4, -4, 2, -2, 1, -1]))[0]!.shift), 0);
  assert.equal(groupShifts(ROWS)[0]!.shift.kind, "unavailable");
});

Deno.test("truthGaps() tells right from wrong claims as the portraits were drawn: worked by hand", () => {
  const wrong = { claim: "wrong" } as const;
  const rows = [...ROWS, row("p01", "none", 20, wrong), row("p02", "none", 18, wrong)];
  const [gap] = truthGaps(rows);
  assert.deepEqual([gap!.component, gap!.portraits], ["judge", 2]);
  assert.equal(estimateOf(gap!.gap), 35);
});

Deno.test("askTasks() asks each claim of each variant once, the verifier and then the judges", () =>
  inFolder(async (folder) => {
    const table = SWAPS.at(join(folder, "swaps.csv"));
    const tasks = swapTasks(swapPortraits(1).slice(0, 2), { seed: 1, perTrait: 1 });
    assert.equal(tasks.length, 2 * 2 * 8);
    const panel = fakePanel([() => 50]);
    const asking = { table, settings: "s", signal: new AbortController().signal };
    assert.equal(await askTasks(tasks, { ...panel, judges: [] }, asking), true);
    assert.equal(table.read().length, 2 * tasks.length);
    assert.equal(await askTasks(tasks.slice(0, 16), panel, asking), true);
    assert.equal(table.read().length, 2 * tasks.length + 2 * 16);
    assert.equal(await askTasks(tasks.slice(0, 16), panel, asking), true);
    assert.equal(panel.asked.length, 16);
    assert.equal(await askTasks(tasks, panel, { ...asking, signal: AbortSignal.abort() }), false);
    const figures = swapFigures(table.read());
    assert.ok(figures.some(({ measure }) => measure.includes("beyond the control")));
    // With other settings everything is asked again, and no row of the old ones stays.
    await askTasks(tasks, panel, { ...asking, settings: "t" });
    assert.ok(table.read().every(({ settings_sha256 }) => settings_sha256 === "t"));
  }));
