import assert from "node:assert/strict";
import { wilsonInterval } from "../../stats/intervals.ts";
import { randomSource } from "../../stats/random.ts";
import { ruleSplitter } from "../claims/rule_splitter.ts";
import { components, literalVerifier } from "../evaluate/testdata/stand_ins.ts";
import {
  clusteredShare,
  consistencyComponent,
  differenceOf,
  pairCases,
  yesNoDPrime,
} from "./detection.ts";
import type { RobustnessCase } from "./tables.ts";
import type { VariantKind } from "./variant.ts";
import fc from "fast-check";

const items = (values: readonly boolean[]) =>
  values.map((value, i) => ({ cluster: `c${i % 5}`, value }));

Deno.test("clusteredShare() gives width where all are alike, from the number of clusters", () => {
  // Wilson at 5 of 5: low = n / (n + z²) = 5 / (5 + 3.8415) = 0.5655.
  const all = clusteredShare(items(Array(20).fill(true)), randomSource(1));
  assert.ok(all.kind === "interval");
  assert.equal(all.estimate, 1);
  assert.ok(Math.abs(all.low - 0.5655) < 1e-4);
  assert.equal(all.high, 1);
  assert.equal(clusteredShare([], randomSource(1)).kind, "unavailable");
});

Deno.test("Requirement 14.5: a share lies within its interval, and that within 0 and 1", () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { minLength: 6, maxLength: 30 }), (values) => {
      const share = clusteredShare(items(values), randomSource(7));
      assert.ok(share.kind === "interval");
      assert.ok(0 <= share.low && share.low <= share.estimate + 1e-12);
      assert.ok(share.estimate <= share.high + 1e-12 && share.high <= 1);
      assert.equal(share.estimate, values.filter(Boolean).length / values.length);
    }),
    { numRuns: 100 },
  );
});

Deno.test("differenceOf() squares and adds: Newcombe's (1998) example (a), 56/70 against 48/80", () => {
  const [first, second] = [wilsonInterval(56, 70, 0.95), wilsonInterval(48, 80, 0.95)];
  const difference = differenceOf(first, second);
  assert.ok(difference.kind === "interval");
  assert.ok(Math.abs(difference.estimate - 0.2) < 1e-12);
  assert.ok(Math.abs(difference.low - 0.0524) < 5e-5);
  assert.ok(Math.abs(difference.high - 0.3339) < 5e-5);
});

Deno.test("yesNoDPrime() with the log-linear correction: worked by hand", () => {
  // 19 of 20 against 1 of 20: (19.5 / 21, 1.5 / 21) = (0.92857, 0.07143); z = ±1.46523.
  const dPrime = yesNoDPrime({ hits: 19, n: 20 }, { hits: 1, n: 20 });
  assert.ok(dPrime.kind === "value" && Math.abs(dPrime.estimate - 2.93047) < 1e-4);
  const none = yesNoDPrime({ hits: 5, n: 10 }, { hits: 5, n: 10 });
  assert.deepEqual(none, { kind: "value", estimate: 0 });
  assert.equal(yesNoDPrime({ hits: 0, n: 0 }, { hits: 1, n: 2 }).kind, "unavailable");
});

function robustnessCase(kind: VariantKind, changed: string): RobustnessCase {
  const original = "The coastline of Kenya is 536 km long.";
  const of = { id: `k/${kind}`, base: "k", country: "Kenya", kind, source: "ke/x", drawn: false };
  return { ...of, original, changed, from: "", to: "" };
}

Deno.test("Requirement 14.4: a claim and its perturbed twin are both flagged, a reworded one is not", async () => {
  const reading = { languageModel: undefined, mostPairs: 50, alsoWithSources: false };
  const component = consistencyComponent(
    components({
      splitter: ruleSplitter(),
      consistency: { verifier: literalVerifier, ...reading },
    }),
    { now: () => new Date(0), milliseconds: () => 0 },
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
