import assert from "node:assert/strict";
import fc from "fast-check";
import { randomSource } from "../../../stats/random.ts";
import { DEFAULT_RUN_CONFIG as config } from "../../../translation/configuration.ts";
import { isIncomplete, isInvalid } from "../../../translation/rules/violations.ts";
import { newWorkbook } from "../../../translation/workbook/write_workbook.ts";
import { judge, type Persona, PERSONAS } from "./perception.ts";
import { simulateRater } from "./rate.ts";

const EXACT: Persona = { ...PERSONAS[0]!, harshness: 0, noise: 0 };

Deno.test("judge() gives the true quality, and adds each of a rater's faults, by hand", () => {
  const scores = (faults: Partial<Persona>, ordinal = 0, items = 1) => {
    const seen = { displayMap: [2, 0, 1], quality: [90, 50, 10] };
    return judge({ ...EXACT, ...faults }, seen, { ordinal, items }, config, randomSource(1))
      .map(({ da }) => da);
  };
  assert.deepEqual(scores({}), [90, 50, 10]);
  assert.deepEqual(scores({ harshness: 10 }), [80, 40, 0]);
  // Translation 2 stands first, 0 second, 1 third.
  assert.deepEqual(scores({ positionEffect: 4 }), [90, 54, 6]);
  // Drift is zero in the middle of the session.
  assert.deepEqual(scores({ drift: -1 }, 0, 11), [95, 55, 15]);
  assert.deepEqual(scores({ drift: -1 }, 5, 11), [90, 50, 10]);
  assert.deepEqual(scores({ drift: -1 }, 10, 11), [85, 45, 5]);
  // What is not read gets what the sentence's translations are worth together.
  assert.deepEqual(scores({ inattention: 1 }), [50, 50, 50]);
});

function rated(persona: Persona, seed: number, items = 2) {
  const quality = Array.from({ length: config.numTranslations }, (_, i) => 90 - 7 * i);
  const inputs = Array.from({ length: items }, (_, index) => {
    return { itemId: index + 1, source: "one", translations: quality.map((it) => `worth ${it}`) };
  });
  const runId = "6f2d2f0a-5d5f-4b53-9d0f-3f1c2b7a9e10";
  const workbook = newWorkbook(inputs, { runId, config, keySha256: "" });
  const random = randomSource(seed);
  return simulateRater(workbook, { config, persona, random, qualityOf: () => quality });
}

Deno.test("FR-5, FR-7: simulateRater() leaves no item incomplete or invalid, whoever rates", () => {
  fc.assert(fc.property(fc.constantFrom(...PERSONAS), fc.nat(), (persona, seed) => {
    for (const { evaluation } of rated(persona, seed).items) {
      assert.ok(!isIncomplete(evaluation) && !isInvalid(evaluation, config));
    }
  }));
});

Deno.test("simulateRater() goes by its seed, and takes the time that the persona takes, breaks not counted", () => {
  assert.deepEqual(rated(PERSONAS[0]!, 7), rated(PERSONAS[0]!, 7));
  assert.notDeepEqual(rated(PERSONAS[0]!, 7), rated(PERSONAS[0]!, 8));
  const { items } = rated(PERSONAS[0]!, 3, 20);
  const mean = items.reduce((sum, { evaluation }) => sum + evaluation.activeSeconds, 0) / 20;
  // 12 × 9 s × e^(0.35² / 2), and some for Next and for repairs.
  assert.ok(mean > 108 && mean < 160, `${mean}`);
});
