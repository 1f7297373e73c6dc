import assert from "node:assert/strict";
import { blank, config, key } from "./testdata/small_run.ts";
import { PERSONAS } from "./persona.ts";
import { repeatedEffects } from "./repeated_sessions.ts";

const TEXTS = blank.items.flatMap(({ input: { source, translations } }) =>
  translations.map((translation, t) => ({
    ...{ source, translation },
    degradation: ["careful", "literal", "fragment"][t]!,
  }))
);
const options = { blank, config, key, texts: TEXTS };
const analysis = { seed: 1, resamples: 100, permutations: 100 };

Deno.test("repeatedEffects() counts every session, and leaves out what no session gives", () => {
  const effects = repeatedEffects(PERSONAS.slice(0, 2), { ...options, sessions: 6, analysis });
  const names = effects.map(({ rater, effect }) => `${rater}: ${effect}`);
  // Nothing is repeated in this run.
  assert.ok(names.every((name) => !name.includes("repeats")), names.join("; "));
  const harshness = effects.find(({ effect }) => effect === "points below simulated_strict")!;
  assert.deepEqual([harshness.sessions, harshness.planted], [6, -14]);
  assert.ok(Math.abs(harshness.found + 14) < 6, `${harshness.found}`);
});

Deno.test("repeatedEffects() is the same for the same seed", () => {
  const once = () => repeatedEffects(PERSONAS.slice(0, 1), { ...options, sessions: 2, analysis });
  assert.deepEqual(once(), once());
});
