import assert from "node:assert/strict";
import { unavailable } from "../../stats/unavailable.ts";
import { translationReport } from "./report.ts";
import { TWO_SYSTEMS } from "./testdata/comparison.ts";

const NONE = unavailable("made by hand");
const n = { segments: 110, documents: 55 };
const agreement = { ...n, systems: 12, tauB: 0.7, low: 0.5, high: 0.8, pairwiseAccuracy: 0.85 };

const report = translationReport({
  comparison: TWO_SYSTEMS,
  raters: [],
  together: { raters: [], items: 0, alphaDa: NONE, alphaZ: NONE, alphaBucket: NONE, pairs: [] },
  effects: [{
    rater: "simulated_strict",
    effect: "points per ten items",
    planted: -5,
    found: NONE,
  }],
  repeated: [{
    ...{ rater: "simulated_strict", effect: "points per ten items", planted: -5, found: -4.9 },
    ...{ standardError: 0.08, covered: 38, sessions: 40 },
  }],
  checks: [],
  qualities: [],
  wmt23: {
    systems: [{
      ...{ measure: "MQM", rank: 1, system: "A", ...n, mean: -1, low: -2, high: 0 },
      ...{ cluster: 1, clusterUnadjusted: 1 },
    }],
    pairs: [{ measure: "MQM", p: 0.01, adjustedP: 0.2, different: false }],
    agreements: [{
      ...{ first: "ESA-1", second: "MQM", ...agreement },
      difference: { estimate: -0.1, low: -0.3, high: 0.2 },
    }],
  },
});

Deno.test("translationReport() says before any number that the demo's raters are simulated", () => {
  const said = report.indexOf("**The raters of the demo are simulated**");
  assert.ok(said >= 0 && said < report.search(/\d/));
});

Deno.test("translationReport() writes every number with a true minus sign and its interval", () => {
  assert.match(report, /\| A \| – \| – \| – \| −1\.0 \[−2\.0, 0\.0\] \(1\) \|/);
  assert.match(report, /\| −5\.00 \| −4\.90 ± 0\.08 \| 38 of 40 \|/);
  assert.match(report, /– \(made by hand\)/);
});

Deno.test("translationReport() names every figure that notebook 32 draws", () => {
  const figures = [...report.matchAll(/figures\/translation\/(\w+)\.png/g)].map(([, name]) => name);
  assert.deepEqual(figures.sort(), [
    ...["buckets", "heaping", "pairwise_tests", "planted_quality", "position"],
    ...["position_slope", "system_means", "wmt23_rank_agreement"],
  ]);
});
