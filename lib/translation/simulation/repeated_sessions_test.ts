import assert from "node:assert/strict";
import { blank, config, key } from "./testdata/small_run.ts";
import { PERSONAS } from "./persona.ts";
import { repeatedEffects, repeatedSessions, type SimulatedSession } from "./repeated_sessions.ts";

const TEXTS = blank.items.flatMap(({ input: { source, translations } }) =>
  translations.map((translation, t) => ({
    ...{ source, translation },
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

Deno.test("repeatedSessions() are the same for the same seed", () => {
  const once = () =>
    repeatedSessions(PERSONAS.slice(0, 1), { ...options, sessions: 2, analysis })
      .map(({ effects }) => effects);
  assert.deepEqual(once(), once());
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
    ...{ rater: "r", effect: "e", planted: 0, found: 2, covered: 1, sessions: 3 },
    standardError: 1 / Math.sqrt(3),
  });
  assert.equal(repeatedEffects([session(1)])[0]!.standardError, undefined);
});
