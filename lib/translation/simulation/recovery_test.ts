import assert from "node:assert/strict";
import type { UnblindedRun } from "../analysis/ratings.ts";
import type { RaterReliability } from "../analysis/reliability.ts";
import { DEFAULT_RUN_CONFIG } from "../configuration.ts";
import { blank, config, key, UNKNOWN } from "../testdata/runs.ts";
import { type Persona, PERSONAS } from "./perception.ts";
import {
  plantedEffects,
  repeatedChecks,
  repeatedEffects,
  repeatedSessions,
  type SimulatedRun,
  type SimulatedSession,
} from "./recovery.ts";

const OPTIONS = { seed: 1, resamples: 200 };

/** A run in which a rater gave one score throughout; the last item repeats the first. */
function simulated(persona: Persona, da: number): SimulatedRun {
  const rating = {
    rater: persona.name,
    document: "d",
    system: "s",
    translation: 0,
    position: 1,
    bucket: "good",
    bucketRank: 2,
    da,
    startedAt: undefined,
    comment: "",
    committedAt: "2026-11-22T09:00:00.000Z",
    activeSeconds: 1,
  };
  const items = [1, 2, 3, 4].map((itemId) => ({
    ...rating,
    itemId,
    segment: `${itemId}`,
    role: { kind: "rated" } as const,
  }));
  const repeat = { ...rating, itemId: 5, segment: "1", role: { kind: "repeat", of: 1 } as const };
  const run: UnblindedRun = {
    rater: persona.name,
    config: DEFAULT_RUN_CONFIG,
    items: 5,
    leftOut: [],
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

const TEXTS = blank.items.flatMap(({ input: { source, translations } }) =>
  translations.map((translation, t) => ({
    source,
    translation,
    degradation: ["careful", "literal", "fragment"][t]!,
  }))
);

const options = { blank, config, key, texts: TEXTS };
const analysis = { seed: 1, resamples: 100, permutations: 100 };

Deno.test("repeatedEffects() counts every session, and leaves out what no session gives", () => {
  const many = { ...options, sessions: 6, analysis };
  const effects = repeatedEffects(repeatedSessions(PERSONAS.slice(0, 2), many));
  const names = effects.map(({ rater, effect }) => `${rater}: ${effect}`);
  // Nothing is repeated in this run.
  assert.ok(names.every((name) => !name.includes("repeats")), names.join("; "));
  const harshness = effects.find(({ effect }) => effect === "points below simulated_strict")!;
  assert.deepEqual([harshness.sessions, harshness.planted], [6, -14]);
  assert.ok(Math.abs(harshness.found + 14) < 6, `${harshness.found}`);
});

/** A session that found this. */
function session(found: number): SimulatedSession {
  const interval = { kind: "interval", low: found - 1, high: found + 1, confidence: 0.95 } as const;
  const effect = { rater: "r", effect: "e", planted: 0 };
  return { runs: [], effects: [{ ...effect, found: { ...interval, estimate: found, n: 4 } }] };
}

Deno.test("repeatedEffects() gives the mean its standard error over sessions, by hand", () => {
  // Standard deviation of 1, 2, 3 is 1: over √3.
  const [effect] = repeatedEffects([1, 2, 3].map(session));
  assert.deepEqual(effect, {
    rater: "r",
    effect: "e",
    planted: 0,
    found: 2,
    covered: 1,
    sessions: 3,
    standard_error: 1 / Math.sqrt(3),
  });
  assert.equal(repeatedEffects([session(1)])[0]!.standard_error, "");
});

const HALF: Persona = { ...PERSONAS[0]!, inattention: 0.5 };

/** A session with these checks, passed or not. */
function checkedSession(persona: Persona, passed: readonly boolean[]): SimulatedSession {
  const checks = passed.map((passed): RaterReliability["attention"]["checks"][number] => ({
    itemId: 2,
    originalItemId: 1,
    system: "s",
    spoiledBy: "words shuffled",
    originalDa: 80,
    spoiledDa: 50,
    spoiledBucket: "ok",
    passed,
  }));
  const run = {
    rater: persona.name,
    config: DEFAULT_RUN_CONFIG,
    items: 2,
    leftOut: [],
    ratings: [],
  };
  const attention = { ...UNKNOWN.attention, checks };
  return { runs: [{ persona, run, reliability: { ...UNKNOWN, attention } }], effects: [] };
}

Deno.test("repeatedChecks() counts checks, and sessions in which none says anything", () => {
  const sessions = [[true, true], [true, false], [false]].map((own) => checkedSession(HALF, own));
  assert.deepEqual(repeatedChecks(sessions), [{
    rater: HALF.name,
    unread: 0.5,
    sessions: 3,
    checks: 5,
    passed: 3,
    all_passed: 1,
    // 1/4, 1/4 and 1/2.
    all_read: 1 / 3,
  }]);
});
