import assert from "node:assert/strict";
import type { Wmt23 } from "./wmt23.ts";
import { wmt23Sentences } from "./wmt23_sentences.ts";

const system = (measure: string, name: string, rank: number) => ({
  ...{ measure, rank, system: name, segments: 110, mean: 80, low: 70, high: 90 },
});
const agreement = (first: string, second: string, tauB: number) => ({
  ...{ first, second, systems: 12, segments: 110, tauB, low: tauB - 0.2, high: tauB + 0.1 },
});
const TABLES: Wmt23 = {
  systems: [
    system("ESA-1", "A", 1),
    system("ESA-1", "B", 4),
    system("MQM", "A", 3),
    system("MQM", "B", 1),
  ],
  agreements: [
    agreement("ESA-1", "ESA-2", 0.76),
    agreement("ESA-1", "MQM", 0.6),
    agreement("ESA-2", "MQM", 0.8),
  ],
};

Deno.test("wmt23Sentences() takes every number from the tables", () => {
  const text = wmt23Sentences(TABLES);
  assert.match(text, /First is A by ESA-1, B by MQM\./);
  assert.match(text, /differ most on B, which is between rank 1 and rank 4/);
  assert.match(text, /best .* ESA-2 and MQM \(τ-b 0\.80, 95 % interval 0\.60 to 0\.90\)/);
  assert.match(text, /Of the 2 pairs of different measures 1 agree at least as well/);
  assert.match(text, /the interval of 1 lies wholly below/);
});
