import assert from "node:assert/strict";
import { unblind } from "../../../translation/analysis/ratings.ts";
import { raterReliability } from "../../../translation/analysis/reliability.ts";
import { type MadeItem, madeRun } from "../../../translation/testdata/runs.ts";
import { type Persona, PERSONAS } from "./perception.ts";
import { plantedEffects, repeatedChecks, repeatedEffects } from "./recovery.ts";
import type { SimulatedRun, SimulatedSession } from "./recovery.ts";

const OPTIONS = { seed: 1, resamples: 100, permutations: 100 };

/** Returns a run in which a rater gave a single score. The last item repeats the first. */
function simulated(persona: Persona, da: number): SimulatedRun {
  const items = [1, 2, 3, 4, 5].map((itemId): MadeItem => ({
    da: [da],
    segment: `${itemId % 4}`,
    role: itemId < 5 ? { kind: "rated" } : { kind: "repeat", of: 1 },
  }));
  const run = unblind(madeRun(persona.name, items));
  return { persona, run, reliability: raterReliability(run, OPTIONS) };
}

const [STRICT, LENIENT] = PERSONAS as [Persona, Persona];

Deno.test("plantedEffects() compares harshness item by item, and knows drift and noise, by hand", () => {
  const planted = (runs: readonly SimulatedRun[], effect: string) =>
    plantedEffects(runs, OPTIONS).findLast((row) => row.effect.startsWith(effect))!;
  const harsh = planted([simulated(STRICT, 40), simulated(LENIENT, 55)], "points below");
  assert.equal(harsh.planted, -14);
  assert.ok(harsh.found.kind !== "unavailable" && harsh.found.estimate === -15);
  // Rated items stand at 0 … 3 of 0 … 4: half an item before the middle.
  const drifting = { ...STRICT, name: "simulated_drifting", drift: -2 } as const;
  const runs = [simulated(STRICT, 40), simulated(drifting, 40)];
  assert.equal(planted(runs, "points below").planted, -1);
  // 2σ/√π with σ = 5.
  const difference = (persona: Persona) =>
    planted([simulated(persona, 40)], "mean difference").planted;
  assert.ok(Math.abs(difference(STRICT) - 5.6419) < 1e-4);
  // A drift much larger than the noise determines the difference: 4 items × 100 points.
  assert.ok(Math.abs(difference({ ...STRICT, drift: 100 }) - 400) < 1e-6);
});

Deno.test("repeatedEffects() gives the mean its standard error over sessions, by hand", () => {
  const session = (estimate: number): SimulatedSession => {
    const [low, high] = [estimate - 1, estimate + 1];
    const found = { kind: "interval", estimate, low, high, n: 4 } as const;
    return { runs: [], effects: [{ rater: "r", effect: "e", planted: 0, found }] };
  };
  // Standard deviation of 1, 2, 3 is 1: over √3.
  const [effect] = repeatedEffects([1, 2, 3].map(session));
  const { found, covered, sessions, standard_error } = effect!;
  assert.deepEqual([found, covered, sessions, standard_error], [2, 1, 3, 1 / Math.sqrt(3)]);
  assert.equal(repeatedEffects([session(1)])[0]!.standard_error, "");
});

Deno.test("repeatedChecks() counts checks, and sessions in which none says anything", () => {
  const half: Persona = { ...STRICT, inattention: 0.5 };
  const sessions = [[true, true], [true, false], [false]].map((passed): SimulatedSession => {
    const { run, reliability } = simulated(half, 40);
    const attention = { ...reliability.attention, checks: passed.map((passed) => ({ passed })) };
    const counted = { ...reliability, attention: attention as never };
    return { runs: [{ persona: half, run, reliability: counted }], effects: [] };
  });
  // All read with chances of 1/4, 1/4 and 1/2.
  const counted = { sessions: 3, checks: 5, passed: 3, all_passed: 1, all_read: 1 / 3 };
  assert.deepEqual(repeatedChecks(sessions), [{ rater: half.name, unread: 0.5, ...counted }]);
});
