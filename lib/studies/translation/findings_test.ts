import assert from "node:assert/strict";
import type { RankAgreement } from "./tables.ts";
import { plantedFinding, rankingsFinding } from "./findings.ts";

const AGREEMENT = { systems: 12, segments: 110, documents: 55, low: 0.4, high: 0.8 } as const;
const rounds: RankAgreement = {
  ...AGREEMENT,
  ...{ first: "esa1", second: "esa2" } as const,
  ...{ kendall_tau_b: 0.758, pairwise_accuracy: 0.879 },
  ...{ difference: "", difference_low: "", difference_high: "" },
};
const other = (low: number, high: number): RankAgreement => ({
  ...AGREEMENT,
  ...{ first: "esa1", second: "mqm" } as const,
  ...{ kendall_tau_b: 0.667, pairwise_accuracy: 0.833 },
  ...{ difference: -0.091, difference_low: low, difference_high: high },
});
const pair = (measure: "esa1" | "mqm", different: boolean) => ({
  ...{ measure, first: "a", second: "b", difference: 1, p: 0.1, adjusted_p: 0.1, different },
});

Deno.test("rankingsFinding() claims a difference only where an interval excludes zero", () => {
  const pairs = [pair("esa1", true), pair("esa1", false), pair("mqm", false), pair("mqm", false)];
  const level = rankingsFinding([rounds, other(-0.28, 0.22)], pairs);
  assert.match(level.title, /^It is not shown that two rounds of one measure/);
  assert.match(level.parts[0]!, /τ-b 0\.76 \[0\.40, 0\.80\] \(110 segments/);
  assert.match(level.parts[0]!, /0 to 1 of 2 pairs of systems differ/);
  assert.match(
    level.parts[1]!,
    /\| ESA-1, MQM \| 0\.67 \[0\.40, 0\.80\] \| 83\.3 \| −0\.09 \[−0\.28, 0\.22\] \|/,
  );
  assert.match(rankingsFinding([rounds, other(-0.28, -0.01)], pairs).title, /^1 of 1 pairs/);
  assert.throws(() => rankingsFinding([other(-1, 1)], pairs), /both rounds of ESA is missing/);
});

Deno.test("plantedFinding() gives the range of coverage over effects, and a row per rater", () => {
  const effect = (name: string, covered: number) => ({
    ...{ rater: "simulated_careless", effect: name, planted: 1, found: 1, standard_error: 0.1 },
    ...{ covered, sessions: 40 },
  });
  const { parts: [statement, table] } = plantedFinding({
    ...{ order: "1.00", systems: 12, items: 20, significant: 63 },
    byDocument: { significant: 0, documents: 5 },
    effects: [effect("points per row", 36), effect("share of multiples of 5", 30)],
    raters: [{
      ...{ rater: "simulated_careless", unread: 0.35, sessions: 40, checks: 120, passed: 106 },
      ...{ all_passed: 27, all_read: 0.27, kappa: "0.46" },
    }],
  });
  assert.match(statement!, /63 of 66 pairs differ/);
  assert.match(
    statement!,
    /in 75 to 90 % of 40 sessions .* lowest for the share of round scores \(multiples of 5\)\.$/,
  );
  assert.match(table!, /\| careless \| 35 \| 27 of 40 \| 0\.46 \|/);
});
