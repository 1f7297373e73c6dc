import assert from "node:assert/strict";
import fc from "fast-check";
import type { Unavailable } from "./agreement.ts";
import {
  HIGH_UNCERTAINTY,
  isHighUncertainty,
  shannonEntropy,
  softmax,
  type Uncertainty,
  uncertaintyByEntropy,
  uncertaintyByVariance,
  type UncertaintyParts,
} from "./uncertainty.ts";

const FORMS = [uncertaintyByEntropy, uncertaintyByVariance];

function known(found: Uncertainty | Unavailable): Uncertainty {
  assert.ok(found.kind === "uncertainty");
  return found;
}

function near(parts: UncertaintyParts, total: number, aleatoric: number, epistemic: number): void {
  const expected = { total, aleatoric, epistemic };
  for (const name of ["total", "aleatoric", "epistemic"] as const) {
    assert.ok(Math.abs(parts[name] - expected[name]) < 1e-12, `${name} ${parts[name]}`);
  }
}

Deno.test("uncertainty has parts worked by hand: of contradiction, of doubt, of agreement", () => {
  const contrary = [[1, 0], [0, 1]];
  near(known(uncertaintyByEntropy(contrary)).raw, Math.LN2, 0, Math.LN2);
  near(known(uncertaintyByVariance(contrary)).raw, 0.5, 0, 0.5);
  for (const form of FORMS) {
    near(known(form(contrary)).normalised, 1, 0, 1);
    near(known(form([[0.5, 0.5], [0.5, 0.5], [0.5, 0.5]])).normalised, 1, 1, 0);
    near(known(form([[0, 1, 0], [0, 1, 0]])).raw, 0, 0, 0);
  }
  // p̄ = (.5, .5): .5. Within: 2 · .8 · .2 = .32 in both. Across: 2 · .3² = .18.
  const found = known(uncertaintyByVariance([[0.8, 0.2], [0.2, 0.8]]));
  near(found.raw, 0.5, 0.32, 0.18);
  near(found.normalised, 1, 0.64, 0.36);
  const entropy = -(0.8 * Math.log(0.8) + 0.2 * Math.log(0.2));
  const byEntropy = known(uncertaintyByEntropy([[0.8, 0.2], [0.2, 0.8]]));
  near(byEntropy.raw, Math.LN2, entropy, Math.LN2 - entropy);
});

Deno.test("uncertainty is unavailable for a single sample or option, and names what is no distribution", () => {
  for (const form of FORMS) {
    for (const samples of [[[0.5, 0.5]], [], [[1], [1]]]) {
      assert.equal(form(samples).kind, "unavailable");
    }
    assert.throws(() => form([[0.5, 0.5], [0.5, 0.6]]), /sample 2 is no distribution/);
    assert.throws(() => form([[0.5, 0.5], [0.2, 0.3, 0.5]]), /sample 2 has 3 options, the first 2/);
  }
});

Deno.test("Requirement 18.4: what is above the threshold is flagged, what is on it is not", () => {
  assert.equal(HIGH_UNCERTAINTY, 0.8);
  const flagged = [0.79, 0.8, 0.81].map((value) => isHighUncertainty(value));
  assert.deepEqual(flagged, [false, false, true]);
  assert.equal(isHighUncertainty(0.6, 0.5), true);
  assert.throws(() => isHighUncertainty(1.39), /give the normalised one/);
  assert.throws(() => isHighUncertainty(0.5, NaN), RangeError);
});

const logit = fc.double({ min: -20, max: 20, noNaN: true });
const samples = fc.integer({ min: 2, max: 5 }).chain((options) => {
  const sample = fc.array(logit, { minLength: options, maxLength: options }).map(softmax);
  return fc.array(sample, { minLength: 2, maxLength: 6 });
});

Deno.test("Requirement 18.5: total is epistemic + aleatoric, none below 0, shares up to 1", () => {
  fc.assert(fc.property(samples, (drawn) => {
    for (const form of FORMS) {
      const { raw, normalised } = known(form(drawn));
      for (const { total, aleatoric, epistemic } of [raw, normalised]) {
        assert.ok(Math.abs(total - aleatoric - epistemic) < 1e-12);
        assert.ok(epistemic >= 0 && aleatoric >= 0);
      }
      assert.ok(normalised.total <= 1);
    }
  }));
});

Deno.test("Requirement 18.2: epistemic by variance is the sum of variances across samples", () => {
  fc.assert(fc.property(samples, (drawn) => {
    const across = drawn[0]!.reduce((sum, _, k) => {
      const values = drawn.map((sample) => sample[k]!);
      const mean = values.reduce((a, b) => a + b, 0) / values.length;
      return sum + values.reduce((all, value) => all + (value - mean) ** 2, 0) / values.length;
    }, 0);
    assert.ok(Math.abs(known(uncertaintyByVariance(drawn)).raw.epistemic - across) < 1e-12);
  }));
});

Deno.test("Requirement 18.3: repeating the same sample adds nothing epistemic", () => {
  fc.assert(fc.property(samples, (drawn) => {
    const repeated = drawn.map(() => drawn[0]!);
    for (const form of FORMS) assert.ok(known(form(repeated)).raw.epistemic < 1e-12);
  }));
});

Deno.test("shannonEntropy() gives entropies worked by hand, in nats; 0 · ln 0 is 0", () => {
  assert.ok(Math.abs(shannonEntropy([0.5, 0.5]) - Math.LN2) < 1e-15);
  // Two halves of a quarter each: 1.5 bits.
  assert.ok(Math.abs(shannonEntropy([0.5, 0.25, 0.25]) - 1.5 * Math.LN2) < 1e-15);
  assert.equal(shannonEntropy([0, 1, 0]), 0);
  for (const wrong of [[], [0.5], [0.5, 0.6], [1.5, -0.5], [NaN, 1], [Infinity]]) {
    assert.throws(() => shannonEntropy(wrong), RangeError, `${wrong}`);
  }
});

Deno.test("Requirement 18.1: entropy is 0 to ln K, and the order of the places does not matter", () => {
  const logits = fc.array(fc.double({ min: -30, max: 30, noNaN: true }), {
    minLength: 2,
    maxLength: 8,
  });
  fc.assert(fc.property(logits, (values) => {
    const p = softmax(values);
    const entropy = shannonEntropy(p);
    assert.ok(entropy >= 0 && entropy <= Math.log(p.length) + 1e-12);
    assert.ok(Math.abs(entropy - shannonEntropy(p.toReversed())) < 1e-12);
  }));
});
