import assert from "node:assert/strict";
import { test } from "node:test";
import { ruleSplitter } from "../claims/rule_splitter.ts";
import { components, literalVerifier } from "../evaluation/testdata/stand_ins.ts";
import { consistencyComponent, pairCases } from "./contradictions.ts";
import type { RobustnessCase } from "./robustness_case.ts";
import type { VariantKind } from "./variant.ts";

const CLOCK = { now: () => new Date(0), milliseconds: () => 0 };

function robustnessCase(kind: VariantKind, changed: string): RobustnessCase {
  return {
    ...{ id: `k/${kind}`, base: "k", country: "Kenya", kind, source: "ke/x", drawn: false },
    ...{ original: "The coastline of Kenya is 536 km long.", changed, from: "", to: "" },
  };
}

test("Requirement 14.4: a claim and its perturbed twin are both flagged, a reworded one is not", async () => {
  const component = consistencyComponent(
    components({
      splitter: ruleSplitter(),
      consistency: {
        ...{ verifier: literalVerifier, languageModel: undefined, mostPairs: 50 },
        alsoWithSources: false,
      },
    }),
    { clock: CLOCK, settings: {} },
  );
  const pairs = pairCases([
    robustnessCase("number", "The coastline of Kenya is 590 km long."),
    robustnessCase("number", "The coastline of Kenya is 600 km long."),
    robustnessCase("spelling", "The coastline of Kenya is 536 km long"),
  ], 1);
  assert.deepEqual(pairs.map(({ id, label }) => [id, label]), [
    ["k/number", "not supported"],
    ["k/spelling", "supported"],
  ]);
  const [contradicting, same] = await Promise.all(pairs.map((pair) => component.answer(pair)));
  assert.ok(Math.abs(contradicting!.supported! - 0.2) < 1e-9);
  assert.match(contradicting!.reason, /exclude one another/);
  assert.equal(same!.supported, 1);
});
