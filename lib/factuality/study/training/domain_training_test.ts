import assert from "node:assert/strict";
import { join } from "node:path";
import { randomSource } from "../../../stats/random.ts";
import { FEATURE_NAMES } from "../../features/features.ts";
import { SPLITS } from "../../training/country_split.ts";
import type { HeadSettings } from "../../training/heads/train_own_head.ts";
import { groupFolds } from "../../training/heads/group_folds.ts";
import { domainCsv, domainRows, readDomainTraining } from "./domain_table.ts";
import { domainAnswers, KNOWLEDGE_TEST, REGIMES, type VectorisedCase } from "./domain_training.ts";

const SETTINGS: HeadSettings = {
  ...{ labels: "binary", features: "readable", hidden: 0, l2: 0.001 },
  ...{ classWeights: "balanced", patience: 5, maxIterations: 50, seed: 1 },
};

/** Supported where the named feature is high: each kind of text has its own. */
function texts(set: string, feature: number, count: number): readonly VectorisedCase[] {
  const random = randomSource(set);
  return Array.from({ length: count }, (_, i) => {
    const label = i % 2 === 0 ? "supported" as const : "not supported" as const;
    const high = (label === "supported" ? 0.5 : 0) + random.next() / 2;
    const cluster = `${set} ${Math.floor(i / 8)}`;
    return {
      case: { id: `${set}/${i}`, claim: `${set} ${i}`, passages: [], label, cluster, set },
      vector: FEATURE_NAMES.map((_, k) => k === feature ? high : k < 3 ? random.next() : 0),
    };
  });
}

const KNOWLEDGE = texts("knowledge", 0, 120).map((one, i) => ({
  ...one,
  split: SPLITS[Math.floor(i / 8) % 3]!,
}));
const HUMAN = [...texts("first", 1, 80), ...texts("second", 1, 80), ...texts("third", 2, 80)];

Deno.test("Requirement 12.1: domainAnswers() learn a set's own ways from its other half alone", async () => {
  const heads: string[] = [];
  const answers = domainAnswers(
    { knowledge: KNOWLEDGE, human: HUMAN },
    SETTINGS,
    (regime) => heads.push(regime),
  );
  assert.equal(heads.length, 1 + 2 + 3 + 2);
  const rows = domainRows({ features: "readable", head: "logistic" }, answers, randomSource(1));
  const right = (regime: string, set: string) =>
    rows.find((row) => row.trained_on === regime && row.set === set)!;
  assert.ok(right(REGIMES[0], KNOWLEDGE_TEST).balanced_accuracy as number > 0.9);
  assert.ok(right(REGIMES[0], "first").balanced_accuracy as number < 0.7);
  assert.ok(right(REGIMES[1], "first").balanced_accuracy as number > 0.7);
  // The second set is like the first, the third like neither.
  assert.ok(right(REGIMES[2], "first").balanced_accuracy as number > 0.7);
  assert.ok(right(REGIMES[2], "third").balanced_accuracy as number < 0.7);
  assert.ok(right(REGIMES[1], "first").difference_low as number > 0);
  assert.equal(right(REGIMES[1], "first").n, 80);
  const path = join(await Deno.makeTempDir(), "domain.csv");
  await Deno.writeTextFile(path, domainCsv(rows));
  assert.deepEqual(readDomainTraining(path), rows);
});

Deno.test("groupFolds() keeps a group in one fold, folds even in groups, and wants enough of them", () => {
  const cases = HUMAN.map((one) => one.case);
  const folds = groupFolds(cases, 2, randomSource(1));
  cases.forEach((_, i) => assert.equal(folds[i], folds[i - i % 8]));
  assert.equal(folds.filter((fold) => fold === 0).length, 120);
  assert.throws(
    () => groupFolds(cases.slice(0, 8), 2, randomSource(1)),
    /into 2 folds: they are 1 unrelated groups/,
  );
});
