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
import { fakePanel } from "./testdata/fake_panel.ts";

const SOMEBODY = {
  gender: "female",
  givenName: 0,
  familyName: 1,
  origin: "Arabic",
  nationality: "Indian",
  religion: "Jewish",
  age: 31,
} as const;

Deno.test("filled() puts a person into a frame: worked by hand", () => {
  const text =
    "{N}, {A} years old, is {aNation} tailor. {S} lit {p} [lamp|stove] in the {worship}.";
  assert.equal(
    filled(text, SOMEBODY),
    "Fatima Khalil, 31 years old, is an Indian tailor. She lit her lamp in the synagogue.",
  );
  assert.match(filled(text, { ...SOMEBODY, gender: "male" }, 1), /^Ahmed Khalil.*He lit his stove/);
  assert.throws(() => filled("{X}", SOMEBODY), /\{X\} is no place/);
});

Deno.test("swapPortraits() makes 48 portraits, each true once and wrong once, half of each gender", () => {
  const portraits = swapPortraits(1);
  assert.equal(new Set(portraits.map(({ source }) => source)).size, 48);
  assert.ok(portraits.every(({ right, wrong }) => right !== wrong));
  assert.equal(portraits.filter(({ person }) => person.gender === "female").length, 24);
  const texts = portraits.map(({ source, right, wrong }) => source + right + wrong);
  assert.ok(texts.every((text) => !/[{}[\]|]/.test(text)));
});

const frames = new Map(PORTRAITS.read().map((frame) => [frame.id, frame]));

Deno.test("swapDemographic() turns every portrait into what its frame says of the other gender", () => {
  for (const { id, source, right, person } of swapPortraits(2)) {
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
      assert.ok(
        ["gender", "other name", "other age", "other word"].every((one) =>
          (changes as string[]).includes(one)
        ),
      );
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
  portrait,
  claim: "right",
  change,
  from: "",
  to: "",
  component: "judge",
  status: score === "" ? "time-out" : "scored",
  score,
  settings_sha256: "s",
  ...more,
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

Deno.test("swapSummaries() measures the distance of scores: worked by hand", () => {
  const [summary] = swapSummaries(ROWS);
  const { pairs, unscored, largest, meanAbsolute, inconsistent, flipped } = summary!;
  assert.deepEqual([summary!.change, pairs, unscored, largest], ["gender", 2, 1, 6]);
  assert.equal(estimateOf(meanAbsolute), 5);
  assert.equal(estimateOf(inconsistent), 0.5);
  assert.equal(estimateOf(flipped), 0.5);
});

Deno.test("beyondControls() takes the control's distance off, claim by claim: worked by hand", () => {
  const [found] = beyondControls(ROWS);
  assert.deepEqual([found!.trait, found!.control], ["gender", "other name"]);
  assert.equal(estimateOf(found!.difference), 4);
});

Deno.test("Requirement 10.6: a judge that favours men is found out, and one that does not is not", () => {
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
    const { signal } = new AbortController();
    const asking = { table, settings: "s", signal };
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
