import assert from "node:assert/strict";
import fc from "fast-check";
import { randomSource } from "../../stats/random.ts";
import { drawToken } from "./draw_token.ts";
import type { NextToken } from "./engine.ts";

function distribution(weights: readonly number[]): NextToken {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return {
    best: weights.indexOf(Math.max(...weights)),
    size: weights.length,
    logProbability: (token) => Math.log(weights[token]! / total),
  };
}

/** Pearson's χ² of draws against their expectation. */
function chiSquare(next: NextToken, expected: readonly number[], temperature: number): number {
  const random = randomSource(7);
  const draws = 20_000;
  const counts = expected.map(() => 0);
  for (let i = 0; i < draws; i++) counts[drawToken(next, temperature, random).token]!++;
  return expected.reduce((sum, p, i) => sum + (counts[i]! - draws * p) ** 2 / (draws * p), 0);
}

// 99.9 % quantiles of χ² with 3 degrees of freedom: 16.3.
Deno.test("drawToken() draws in proportion to the probabilities at temperature 1", () => {
  assert.ok(chiSquare(distribution([1, 4, 2, 3]), [0.1, 0.4, 0.2, 0.3], 1) < 16.3);
  assert.ok(chiSquare(distribution([9, 4, 5, 2]), [0.45, 0.2, 0.25, 0.1], 1) < 16.3);
});

Deno.test("drawToken() draws in proportion to P^(1/T) at other temperatures", () => {
  const squares = [1, 16, 4, 9].map((weight) => weight / 30);
  assert.ok(chiSquare(distribution([1, 4, 2, 3]), squares, 0.5) < 16.3);
  const roots = [1, 2, 3, 4].map((weight) => weight / 10);
  assert.ok(chiSquare(distribution([1, 4, 9, 16]), roots, 2) < 16.3);
});

Deno.test("drawToken() takes the most probable at temperature 0, and at one so low that weights vanish", () => {
  for (const temperature of [0, 1e-6]) {
    const drawn = drawToken(distribution([1, 2, 4, 1]), temperature, randomSource(1));
    assert.equal(drawn.token, 2);
    assert.equal(drawn.logProbability, Math.log(0.5));
  }
});

Deno.test("Requirement 18.1: drawToken() gives an entropy between 0 and ln(vocabulary), and never a token of weight 0", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 20 }),
      fc.integer(),
      fc.double({ min: 0, max: 3, noNaN: true }),
      (drawn, seed, temperature) => {
        const weights = drawn.some((weight) => weight > 0) ? drawn : [1, ...drawn];
        const { token, entropy } = drawToken(
          distribution(weights),
          temperature,
          randomSource(seed),
        );
        assert.ok(weights[token]! > 0);
        assert.ok(entropy >= -1e-12 && entropy <= Math.log(weights.length) + 1e-12);
      },
    ),
    { numRuns: 200 },
  );
});
