import assert from "node:assert/strict";
import fc from "fast-check";
import { randomSource } from "../../stats/random.ts";
import {
  abstentionProbability,
  type LabelledFeatures,
  trainAbstention,
} from "./train_classifier.ts";

/** `form` tells the label but for noise, the others are noise alone. */
function rows(count: number): readonly LabelledFeatures[] {
  const random = randomSource(5);
  return Array.from({ length: count }, (_, i) => {
    const abstains = i % 4 === 0;
    const noise = () => random.next() - 0.5;
    const form = [(abstains ? 1 : -1) + noise(), noise()];
    return {
      ...{ abstains, cluster: `thing ${Math.floor(i / 2)}` },
      features: { first: [noise(), noise()], mean: [noise(), noise()], form },
    };
  });
}

const trained = trainAbstention(rows(40), randomSource("folds"));

Deno.test("trainAbstention() learns what tells the labels apart, and tells all it tried", () => {
  for (const { features, abstains } of rows(100)) {
    assert.equal(abstentionProbability(features, trained) >= 0.5, abstains);
  }
  const losses = trained.tried.map(({ logLoss }) => logLoss);
  const best = trained.tried.find(({ groups, l2 }) =>
    groups === trained.groups && l2 === trained.l2
  );
  assert.equal(best?.logLoss, Math.min(...losses));
});

Deno.test("trainAbstention() gives the same for the same seed", () => {
  assert.deepEqual(trainAbstention(rows(40), randomSource("folds")), trained);
});

Deno.test("trainAbstention() refuses answers of one label", () => {
  const one = rows(40).filter(({ abstains }) => abstains);
  assert.throws(() => trainAbstention(one, randomSource(1)), RangeError);
});

Deno.test("Requirement 20.1: abstentionProbability() is between 0 and 1 whatever the features", () => {
  const values = fc.array(fc.double({ min: -50, max: 50, noNaN: true }), {
    minLength: 2,
    maxLength: 2,
  });
  fc.assert(
    fc.property(values, values, values, (first, mean, form) => {
      const probability = abstentionProbability({ first, mean, form }, trained);
      assert.ok(probability >= 0 && probability <= 1);
    }),
    { numRuns: 200 },
  );
});
