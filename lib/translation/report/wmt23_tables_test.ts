import assert from "node:assert/strict";
import type { Wmt23 } from "./wmt23.ts";
import { agreementTable, apartTable } from "./wmt23_tables.ts";

const n = { segments: 110, documents: 55 };
const pair = (measure: string, p: number, adjustedP: number) => ({
  ...{ measure, p, adjustedP, different: adjustedP <= 0.05 },
});
const measured = (measure: string, clusterUnadjusted: number) => ({
  ...{ measure, rank: 1, system: "A", ...n, mean: 80, low: 70, high: 90 },
  ...{ cluster: 1, clusterUnadjusted },
});
const MEASURES = ["ESA-1", "ESA-2", "DA+SQM", "MQM"];
const TABLES: Wmt23 = {
  systems: MEASURES.map((measure, place) => measured(measure, place + 1)),
  pairs: MEASURES.flatMap((measure) => [pair(measure, 0.01, 0.04), pair(measure, 0.04, 0.08)]),
  agreements: [
    {
      ...{ first: "ESA-1", second: "ESA-2", systems: 12, ...n, pairwiseAccuracy: 0.875 },
      ...{ tauB: 0.75, low: 0.5, high: 0.875, difference: undefined },
    },
    {
      ...{ first: "ESA-1", second: "MQM", systems: 12, ...n, pairwiseAccuracy: 0.8 },
      ...{ tauB: 0.6, low: 0.4, high: 0.7, difference: { estimate: -0.15, low: -0.3, high: 0 } },
    },
  ],
};

Deno.test("apartTable() counts pairs with and without adjustment, and both kinds of cluster", () => {
  assert.match(apartTable(TABLES), /\| DA\+SQM \| 2 \| 1 \| 1 \| 2 \| 3 \|/);
});

Deno.test("agreementTable() has no distance of the two rounds from themselves", () => {
  const table = agreementTable(TABLES);
  assert.match(table, /\| ESA-1, ESA-2 \| 0\.75 \[0\.50, 0\.88\] \| 87\.5 \| – \|/);
  assert.match(table, /\| ESA-1, MQM \| .* \| 80\.0 \| −0\.15 \[−0\.30, 0\.00\] \|/);
});
