import assert from "node:assert/strict";
import { abstentionProbability } from "../../../factuality/own/abstention_classifier.ts";
import { randomSource } from "../../../stats/random.ts";
import { type LabelledFeatures, trainAbstention } from "./abstention_training.ts";

/** `form` tells the label but for noise, the others are noise alone. */
function rows(count: number): readonly LabelledFeatures[] {
  const random = randomSource(5);
  return Array.from({ length: count }, (_, i) => {
    const abstains = i % 4 === 0;
    const noise = () => random.next() - 0.5;
    const form = [(abstains ? 1 : -1) + noise(), noise()];
    return {
      abstains,
      cluster: `thing ${Math.floor(i / 2)}`,
      features: { first: [noise(), noise()], mean: [noise(), noise()], form },
    };
  });
}

const trained = trainAbstention(rows(40), randomSource("folds"));

Deno.test("trainAbstention() learns what tells the labels apart, and tells all it tried", () => {
  for (const { features, abstains } of rows(100)) {
    assert.equal(abstentionProbability(features, trained) >= 0.5, abstains);
  }
  const { tried, groups, l2 } = trained;
  const best = tried.find((one) => one.groups === groups && one.l2 === l2);
  assert.equal(best?.logLoss, Math.min(...tried.map(({ logLoss }) => logLoss)));
});
