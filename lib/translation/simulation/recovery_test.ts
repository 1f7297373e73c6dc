import assert from "node:assert/strict";
import type { UnblindedRun } from "../analysis/rated_run.ts";
import { DEFAULT_RUN_CONFIG } from "../run_config.ts";
import { unavailable } from "../../stats/unavailable.ts";
import { type Persona, PERSONAS } from "./persona.ts";
import { coverage, plantedEffects, type SimulatedRun } from "./recovery.ts";
import { UNKNOWN } from "./testdata/reliability.ts";

const NONE = unavailable("made by hand");
const OPTIONS = { seed: 1, resamples: 200 };

/** A run in which a rater gave one score throughout; the last item repeats the first. */
function simulated(persona: Persona, da: number): SimulatedRun {
  const rating = {
    ...{ rater: persona.name, document: "d", system: "s", translation: 0, position: 1 },
    ...{ bucket: "good", bucketRank: 2, da, startedAt: undefined, comment: "" },
    ...{ committedAt: "2026-11-22T09:00:00.000Z", activeSeconds: 1 },
  };
  const items = [1, 2, 3, 4].map((itemId) => ({
    ...{ ...rating, itemId, segment: `${itemId}` },
    role: { kind: "rated" } as const,
  }));
  const repeat = { ...rating, itemId: 5, segment: "1", role: { kind: "repeat", of: 1 } as const };
  const run: UnblindedRun = {
    ...{ rater: persona.name, config: DEFAULT_RUN_CONFIG, items: 5, leftOut: [] },
    ratings: [...items, repeat],
  };
  return { persona, run, reliability: { ...UNKNOWN, rater: persona.name } };
}

const STRICT = PERSONAS.find(({ name }) => name === "simulated_strict")!;

const planted = (runs: readonly SimulatedRun[], effect: string) =>
  plantedEffects(runs, OPTIONS).findLast((row) => row.effect.startsWith(effect))?.planted;

Deno.test("plantedEffects() compares harshness item by item with the first rater's", () => {
  const lenient = PERSONAS.find(({ name }) => name === "simulated_lenient")!;
  const rows = plantedEffects([simulated(STRICT, 40), simulated(lenient, 55)], OPTIONS);
  const [harshness] = rows.filter(({ effect }) => effect === "points below simulated_strict");
  assert.equal(harshness!.planted, -14);
  assert.ok(harshness!.found.kind === "interval" && harshness!.found.estimate === -15);
});

Deno.test("plantedEffects() knows that drift does not cancel over the rated items alone", () => {
  // Rated items stand at 0 … 3 of 0 … 4: half an item before the middle.
  const drifting = { ...STRICT, name: "simulated_drifting", drift: -2 } as const;
  const runs = [simulated(STRICT, 40), simulated(drifting, 40)];
  assert.equal(planted(runs, "points below"), -1);
});

Deno.test("plantedEffects() expects of repeats what two draws of the noise differ by", () => {
  // 2σ/√π with σ = 5, worked by hand.
  assert.ok(Math.abs(planted([simulated(STRICT, 40)], "mean difference")! - 5.6419) < 1e-4);
  // A drift that is large beside the noise is all that is left: 4 items × 100 points.
  const drifting = { ...STRICT, drift: 100 };
  assert.ok(Math.abs(planted([simulated(drifting, 40)], "mean difference")! - 400) < 1e-6);
});

Deno.test("plantedEffects() expects chance fives beside the rounded ones", () => {
  const half = { ...STRICT, heaping: 0.5 };
  assert.equal(planted([simulated(half, 40)], "share"), 0.6);
});

Deno.test("coverage() counts intervals only", () => {
  const interval = {
    kind: "interval",
    estimate: 2,
    low: 1,
    high: 3,
    confidence: 0.95,
    n: 4,
  } as const;
  const row = { rater: "r", effect: "e" };
  const rows = [
    { ...row, planted: 3, found: interval },
    { ...row, planted: 4, found: interval },
    { ...row, planted: 4, found: NONE },
  ];
  assert.deepEqual(coverage(rows), { covered: 1, of: 2 });
});
