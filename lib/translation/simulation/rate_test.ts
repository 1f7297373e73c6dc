import assert from "node:assert/strict";
import fc from "fast-check";
import { randomSource } from "../../stats/random.ts";
import { DEFAULT_RUN_CONFIG as config } from "../configuration.ts";
import { displayOrder } from "../hashes.ts";
import { isIncomplete, isInvalid } from "../rules/violations.ts";
import { type RatingWorkbook, UNRATED } from "../types.ts";
import { PERSONAS } from "./perception.ts";
import { simulateRater } from "./rate.ts";

const N = config.numTranslations;
const RUN_ID = "6f2d2f0a-5d5f-4b53-9d0f-3f1c2b7a9e10";
const QUALITY = Array.from({ length: N }, (_, i) => 90 - 7 * i);

function blank(items: number): RatingWorkbook {
  return {
    runId: RUN_ID,
    configSha256: "",
    keySha256: "",
    items: Array.from({ length: items }, (_, index) => ({
      input: {
        itemId: index + 1,
        source: `sentence ${index + 1}`,
        translations: QUALITY.map((_, t) => `translation ${t + 1}`),
        rowInputHash: "",
      },
      evaluation: {
        itemId: index + 1,
        displayMap: displayOrder(RUN_ID, index + 1, N),
        ratings: QUALITY.map(() => UNRATED),
        comment: "",
        startedAt: undefined,
        committedAt: undefined,
        editCount: 0,
        activeSeconds: 0,
        highlightSeconds: 0,
      },
    })),
  };
}

const rated = (persona: typeof PERSONAS[number], seed: number, items = 4) =>
  simulateRater(blank(items), {
    config,
    persona,
    random: randomSource(seed),
    qualityOf: () => QUALITY,
  });

Deno.test("simulateRater() leaves no item incomplete or invalid, whoever rates: FR-5, FR-7", () => {
  fc.assert(
    fc.property(fc.constantFrom(...PERSONAS), fc.nat(), (persona, seed) => {
      for (const { evaluation } of rated(persona, seed, 2).items) {
        assert.ok(!isIncomplete(evaluation) && !isInvalid(evaluation, config));
      }
    }),
    { numRuns: 100 },
  );
});

Deno.test("simulateRater() gives the same workbook for the same seed, and another for another", () => {
  assert.deepEqual(rated(PERSONAS[0]!, 7), rated(PERSONAS[0]!, 7));
  assert.notDeepEqual(rated(PERSONAS[0]!, 7), rated(PERSONAS[0]!, 8));
});

Deno.test("simulateRater() takes the time that the persona takes, breaks not counted", () => {
  const { items } = rated(PERSONAS[0]!, 3, 20);
  const seconds = items.map(({ evaluation }) => evaluation.activeSeconds);
  const mean = seconds.reduce((sum, one) => sum + one, 0) / seconds.length;
  // 12 × 9 s × e^(0.35² / 2), and some for Next and for repairs.
  assert.ok(mean > 108 && mean < 160, `${mean}`);
});
