import assert from "node:assert/strict";
import fc from "fast-check";
import { unavailable } from "../../stats/unavailable.ts";
import {
  PROFILE_METRIC_NAMES,
  type ProfileMetric,
  type ProfileMetrics,
} from "./profile_metrics.ts";
import { reliability, riskFlag } from "./reliability.ts";

const NOT_KNOWN = unavailable("not measured");

function metrics(
  known: Readonly<Partial<Record<"mihr" | "fleissKappa" | "uncertainty", number>>>,
  width = 0.01,
): ProfileMetrics {
  const entries = PROFILE_METRIC_NAMES.map((name): readonly [string, ProfileMetric] => {
    const estimate = (known as Readonly<Record<string, number | undefined>>)[name];
    if (estimate === undefined) return [name, NOT_KNOWN];
    const interval = {
      ...{ kind: "interval", low: estimate - width, high: estimate + width } as const,
      confidence: 0.95,
    };
    return [name, { kind: "measured", estimate, n: 9, interval }];
  });
  return Object.fromEntries(entries) as ProfileMetrics;
}

const level = (known: Parameters<typeof metrics>[0]) => {
  const found = reliability(metrics(known));
  return found.kind === "reliability" ? found.level : found.reason;
};

Deno.test("Requirement 19.5: MiHR over 0.3, κ under 0.4 or uncertainty over 0.8 is high risk", () => {
  const safe = { mihr: 0.3, fleissKappa: 0.4, uncertainty: 0.8 };
  assert.deepEqual(riskFlag(metrics(safe)), { high: false, reasons: [], unknown: [] });
  for (const [name, value] of [["mihr", 0.31], ["fleissKappa", 0.39], ["uncertainty", 0.81]]) {
    const { high, reasons } = riskFlag(metrics({ ...safe, [name as "mihr"]: value as number }));
    assert.equal(high, true);
    assert.deepEqual(reasons.map(({ metric }) => metric), [name]);
  }
});

Deno.test("a reason says where the interval reaches across the threshold", () => {
  const flag = riskFlag(metrics({ mihr: 0.35, fleissKappa: 0.1 }, 0.1));
  assert.deepEqual(flag.reasons.map(({ words, certain }) => [words, certain]), [
    ["MiHR is 0.35, above 0.3, but its interval reaches across", false],
    ["Fleiss' κ is 0.10, below 0.4", true],
  ]);
  assert.deepEqual(flag.unknown, ["uncertainty"]);
});

Deno.test("Requirement 19.2: reliability is low at high risk, high where all is well, medium else", () => {
  assert.equal(level({ mihr: 0.5, fleissKappa: 0.9, uncertainty: 0.1 }), "low");
  assert.equal(level({ mihr: 0.1, fleissKappa: 0.6, uncertainty: 0.5 }), "high");
  assert.equal(level({ mihr: 0.2, fleissKappa: 0.9, uncertainty: 0.1 }), "medium");
});

Deno.test("reliability is never high where something is not known, and unavailable where nothing is", () => {
  assert.equal(level({ mihr: 0.01, uncertainty: 0.1 }), "medium");
  assert.equal(level({}), "neither MiHR nor agreement nor uncertainty is known");
  const found = reliability(metrics({ mihr: 0.01, uncertainty: 0.1 }));
  assert.ok(found.kind === "reliability");
  assert.deepEqual(found.reasons, ["Fleiss' κ is not known"]);
});

Deno.test("Requirement 19.2: reliability is low exactly where the risk is high, whatever the figures", () => {
  const share = fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined });
  fc.assert(
    fc.property(share, share, share, (mihr, fleissKappa, uncertainty) => {
      const known = Object.fromEntries(
        Object.entries({ mihr, fleissKappa, uncertainty }).filter(([, v]) => v !== undefined),
      );
      const made = metrics(known);
      const found = reliability(made);
      assert.equal(found.kind === "unavailable", Object.keys(known).length === 0);
      if (found.kind === "unavailable") return;
      assert.equal(found.level === "low", riskFlag(made).high);
      assert.equal(found.level === "high", found.reasons.length === 0);
    }),
    { numRuns: 300 },
  );
});
