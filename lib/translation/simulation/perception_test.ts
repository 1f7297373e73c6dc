import assert from "node:assert/strict";
import fc from "fast-check";
import { randomSource } from "../../stats/random.ts";
import { DEFAULT_RUN_CONFIG } from "../configuration.ts";
import { judge, type Persona, PERSONAS, qualityOfTexts } from "./perception.ts";

const TEXTS = [
  { degradation: "careful", source: "Good evening.", translation: "Guten Abend." },
  { degradation: "fragment", source: "Good evening.", translation: "Guten" },
];

Deno.test("qualityOfTexts() knows a text by its sentence and not by its column", () => {
  const qualityOf = qualityOfTexts(TEXTS, randomSource(1));
  const one = qualityOf({ source: "Good evening.", translations: ["Guten Abend.", "Guten"] });
  const other = qualityOf({ source: "Good evening.", translations: ["Guten", "Guten Abend."] });
  assert.deepEqual([...one].reverse(), other);
  assert.ok(one[0]! > one[1]! + 40, `${one}`);
});

Deno.test("qualityOfTexts() gives a text that belongs to another sentence next to nothing", () => {
  const qualityOf = qualityOfTexts(TEXTS, randomSource(1));
  assert.deepEqual(qualityOf({ source: "Good morning.", translations: ["Guten Abend."] }), [6]);
});

const EXACT: Persona = {
  name: "simulated_exact",
  harshness: 0,
  noise: 0,
  heaping: 0,
  positionEffect: 0,
  drift: 0,
  inattention: 0,
  secondsPerTranslation: 5,
  pace: 1,
};

const FIRST = { ordinal: 0, items: 1 };
const seen = { displayMap: [2, 0, 1], quality: [90, 50, 10] };

const scores = (persona: Persona, place = FIRST, what = seen) =>
  judge(persona, what, place, DEFAULT_RUN_CONFIG, randomSource(1)).map(({ da }) => da);

Deno.test("judge() gives a rater without faults the true quality, by translation", () => {
  assert.deepEqual(scores(EXACT), [90, 50, 10]);
});

Deno.test("judge() takes harshness off and adds the effect of the position on the screen", () => {
  assert.deepEqual(scores({ ...EXACT, harshness: 10 }), [80, 40, 0]);
  // Translation 2 stands first, 0 second, 1 third.
  assert.deepEqual(scores({ ...EXACT, positionEffect: 4 }), [90, 54, 6]);
});

Deno.test("judge() lets drift pass through zero in the middle of the session", () => {
  const drifting = { ...EXACT, drift: -1 };
  assert.deepEqual(scores(drifting, { ordinal: 0, items: 11 }), [95, 55, 15]);
  assert.deepEqual(scores(drifting, { ordinal: 5, items: 11 }), [90, 50, 10]);
  assert.deepEqual(scores(drifting, { ordinal: 10, items: 11 }), [85, 45, 5]);
});

Deno.test("judge() gives what is not read what the sentence's translations are worth together", () => {
  assert.deepEqual(scores({ ...EXACT, inattention: 1 }), [50, 50, 50]);
});

Deno.test("judge() stays on the scale and in the buckets for every persona", () => {
  const keys = DEFAULT_RUN_CONFIG.buckets.map(({ key }) => key);
  const anyQuality = fc.array(fc.double({ min: 0, max: 100, noNaN: true }), {
    minLength: 12,
    maxLength: 12,
  });
  fc.assert(
    fc.property(fc.integer(), fc.constantFrom(...PERSONAS), anyQuality, (seed, who, quality) => {
      const displayMap = quality.map((_, i) => i);
      const random = randomSource(seed);
      const place = { ordinal: 3, items: 25 };
      for (
        const { bucket, da } of judge(
          who,
          { displayMap, quality },
          place,
          DEFAULT_RUN_CONFIG,
          random,
        )
      ) {
        assert.ok(keys.includes(bucket) && Number.isInteger(da) && da >= 0 && da <= 100);
      }
    }),
    { numRuns: 100 },
  );
});
