import assert from "node:assert/strict";
import type { Wmt23 } from "./wmt23.ts";
import { otherMeasuresSentence, wmt23Sentences } from "./wmt23_sentences.ts";

const system = (measure: string, name: string, rank: number) => ({
  ...{ measure, rank, system: name, segments: 110, documents: 55, mean: 80 },
  ...{ low: 70, high: 90, cluster: 1, clusterUnadjusted: 2 },
});
const agreement = (first: string, second: string, tauB: number, difference?: number) => ({
  ...{ first, second, systems: 12, segments: 110, documents: 55, pairwiseAccuracy: 0.8 },
  ...{ tauB, low: tauB - 0.2, high: tauB + 0.1 },
  difference: difference === undefined
    ? undefined
    : { estimate: difference, low: difference - 0.1, high: difference + 0.1 },
});
const pair = (measure: string, p: number, adjustedP: number) => ({
  ...{ measure, p, adjustedP, different: adjustedP <= 0.05 },
});
const TABLES: Wmt23 = {
  systems: [
    system("ESA-1", "A", 1),
    system("ESA-1", "B", 4),
    system("MQM", "A", 3),
    system("MQM", "B", 1),
  ],
  pairs: [pair("ESA-1", 0.01, 0.02), pair("ESA-1", 0.03, 0.06), pair("MQM", 0.2, 0.3)],
  agreements: [
    agreement("ESA-1", "ESA-2", 0.76),
    agreement("ESA-1", "MQM", 0.6, -0.16),
    agreement("ESA-2", "MQM", 0.8, 0.04),
  ],
};

Deno.test("wmt23Sentences() takes every number from the tables", () => {
  const text = wmt23Sentences(TABLES);
  assert.match(text, /First is A by ESA-1, B by MQM\./);
  assert.match(text, /differ most on B, which is between rank 1 and rank 4/);
  assert.match(text, /best .* ESA-2 and MQM \(τ-b 0\.80, 95 % interval 0\.60 to 0\.90\)/);
  assert.match(text, /2 pairs of different measures differ from that by −0\.16 to 0\.04/);
  assert.match(text, /from −0\.26 to 0\.14: those of ESA-1 and MQM leave nought out/);
});

Deno.test("wmt23Sentences() counts the pairs told apart, adjusted and not", () => {
  const text = wmt23Sentences(TABLES);
  assert.match(text, /0 to 1 of 2 pairs of systems are told apart after Holm's adjustment, 0 to 2/);
  assert.match(text, /a single one by every measure/);
});

Deno.test("wmt23Sentences() says what these data do not tell, not that nothing is there", () => {
  const [rounds, , unsure] = TABLES.agreements;
  const text = wmt23Sentences({ ...TABLES, agreements: [rounds!, unsure!] });
  assert.match(text, /these data do not tell another measure from another round/);
});

Deno.test("otherMeasuresSentence() names the measures whose interval leaves nought out, if any", () => {
  assert.match(otherMeasuresSentence(TABLES), /^rankings by ESA-1 and MQM do not agree as/);
  const unsure = { agreements: TABLES.agreements.toSpliced(1, 1) };
  assert.match(otherMeasuresSentence(unsure), /^these data do not tell another measure/);
});
