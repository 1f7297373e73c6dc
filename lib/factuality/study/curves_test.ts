import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import type { Table } from "../../files/table.ts";
import { inFolder } from "../../files/testdata/folder.ts";
import { randomSource } from "../../stats/random.ts";
import { FEATURE_NAMES, FEATURES } from "../features/features.ts";
import type { JudgedCase } from "../training/measures.ts";
import type { HeadSettings } from "../training/own_head.ts";
import { SPLITS } from "../training/splits.ts";
import { FEATURE_GROUPS, type VectorCase } from "../training/verifier_fit.ts";
import { VERDICT_LABELS } from "../types.ts";
import { ablationRows, balancedAccuracyDifference, type ClusterTable } from "./curves.ts";
import { clusterTables, type CurveFit, curveRows, domainAnswers, domainRows } from "./curves.ts";
import { meanBalancedAccuracy, shareOfCountries, type VectorisedCase } from "./curves.ts";
import { DOMAIN_TRAINING, LEARNING_CURVE, REGIMES, VERIFIER_ABLATION } from "./tables.ts";

/** Rows are read as they were written. */
const isKept = <Row>(table: Table<Row>, rows: readonly Row[]) =>
  inFolder((folder) => {
    const kept = table.at(join(folder, "kept.csv"));
    kept.write(rows);
    assert.deepEqual(kept.read(), rows);
  });

function judged(label: JudgedCase["label"], cluster: string, supported?: number): JudgedCase {
  if (supported === undefined) return { label, cluster, probabilities: undefined };
  const [refuted, unknown] = [0.6, 0.4].map((share) => share * (1 - supported)) as [number, number];
  return { label, cluster, probabilities: { supported, refuted, "not enough info": unknown } };
}

const CASES = [
  ...[judged("supported", "a", 0.9), judged("refuted", "a", 0.4), judged("supported", "b", 0.2)],
  ...[judged("not enough info", "b", 0.1), judged("supported", "b")],
];

Deno.test("clusterTables() counts by label and answer, one table a cluster, without the unscored", () => {
  assert.deepEqual(clusterTables(CASES, "binary"), [
    { cluster: "a", counts: [[1, 0], [0, 1]] },
    { cluster: "b", counts: [[0, 1], [0, 1]] },
  ]);
  // P(supported) of 0.4 is more than 0.6 · 0.6 for refuted.
  const counts = [[1, 0, 0], [1, 0, 0], [0, 0, 0]];
  assert.deepEqual(clusterTables(CASES, "three-way")[0], { cluster: "a", counts });
});

/** Right ones out of ten on either side. */
const table = (cluster: string, supported: number, rest: number): ClusterTable => {
  return { cluster, counts: [[supported, 10 - supported], [10 - rest, rest]] };
};

Deno.test("balanced accuracies of runs, and their difference on the same clusters, by hand", () => {
  const first = [table("a", 10, 10), table("b", 6, 8)];
  const second = [table("b", 10, 10), table("a", 10, 10)];
  const measured = meanBalancedAccuracy([first, second], randomSource(1));
  // First: recalls 16/20 and 18/20, mean 0.85; second: 1.
  assert.ok(measured.kind === "interval" && Math.abs(measured.estimate - 0.925) < 1e-12);
  assert.deepEqual([measured.low, measured.high, measured.clusters], [0.85, 1, 2]);
  const both = (a: number, b: number) => [table("a", a, a), table("b", b, b)];
  const [better, worse] = [both(9, 6), both(8, 5)];
  const found = balancedAccuracyDifference(better, worse, randomSource(1));
  assert.ok(found.kind === "interval");
  // Better by one tenth in each country: whatever countries are drawn.
  for (const value of [found.estimate, found.low, found.high]) {
    assert.ok(Math.abs(value - 0.1) < 1e-12);
  }
  const fewer = () => balancedAccuracyDifference(better, worse.slice(1), randomSource(1));
  assert.throws(fewer, /not measured on the same clusters/);
});

Deno.test("Requirement 12.4: clusterTables() count every scored claim once, whatever was said of it", () => {
  const said = fc.tuple(
    fc.constantFrom(...VERDICT_LABELS),
    fc.constantFrom("a", "b", "c"),
    fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined }),
  ).map((one) => judged(...one));
  const readings = fc.constantFrom("binary" as const, "three-way" as const);
  fc.assert(fc.property(fc.array(said), readings, (cases, reading) => {
    const tables = clusterTables(cases, reading);
    const scored = cases.filter(({ probabilities }) => probabilities !== undefined);
    const claims = tables.flatMap(({ counts }) => counts.flat()).reduce((a, b) => a + b, 0);
    assert.equal(claims, scored.length);
    assert.equal(tables.length, new Set(scored.map(({ cluster }) => cluster)).size);
  }));
});

const COUNTRIES = Array.from({ length: 20 }, (_, i) => `country ${i}`);

Deno.test("shareOfCountries() is nested within a seed, another with another, never empty", () => {
  const [small, large] = [0.1, 0.4].map((share) => shareOfCountries(COUNTRIES, share, 1));
  assert.deepEqual([small!.size, large!.size], [2, 8]);
  assert.ok([...small!].every((country) => large!.has(country)));
  assert.notDeepEqual(shareOfCountries(COUNTRIES, 0.4, 2), large);
  assert.deepEqual(shareOfCountries(COUNTRIES.toReversed(), 0.4, 1), large);
  assert.equal(shareOfCountries(COUNTRIES, 0.01, 1).size, 1);
});

/** All right in one country, half right in the other. */
function fit(seed: number, right: number): CurveFit {
  const two = (n: number) => [[n, 4 - n], [4 - n, n]];
  const three = (n: number) => [[n, 4 - n, 0], [4 - n, n, 0], [0, 4 - n, n]];
  const of = (table: (n: number) => number[][]) =>
    [4, right].map((n, i) => ({ cluster: "ab"[i]!, counts: table(n) }));
  const point = { features: "readable", head: "logistic", share: 0.1 } as const;
  const tables = { binary: of(two), "three-way": of(three) };
  return { ...point, seed, countries: 2, claims: 50 + seed, tables };
}

Deno.test("Requirement 12.4: curveRows() tell every seed and the mean; the file reads as written", () => {
  const rows = curveRows([fit(1, 4), fit(2, 0)], randomSource(1));
  assert.deepEqual(rows.map(({ seed, reading }) => `${reading} ${seed}`), [
    ...["three-way 1", "three-way 2", "three-way mean", "binary 1", "binary 2", "binary mean"],
  ]);
  const [three, binary] = [rows[2]!, rows[5]!];
  assert.deepEqual([three.balanced_accuracy, binary.balanced_accuracy], [0.75, 0.75]);
  assert.deepEqual([three.claims, three.n, three.clusters], [51.5, 24, 2]);
  isKept(LEARNING_CURVE, rows);
});

/** The label stands in the first feature of `name` alone; the claim's words are the same for all. */
const SYNTHETIC: readonly VectorCase[] = Array.from({ length: 120 }, (_, i) => {
  const label = VERDICT_LABELS[i % 3]!;
  const source = { id: `${i}`, claim: "The same claim.", passages: [], set: "made up" };
  const made = { kind: "fact", edit: "", form: "sentence" } as const;
  // Clusters and labels do not go together.
  const [cluster, split] = [`c${i % 20}`, SPLITS[(i % 20) % 3]!];
  const vector = FEATURES.map(({ group }, k) => (group === "name" ? i % 3 : (i * (k + 3)) % 7) / 7);
  return { case: { ...source, ...made, label, cluster, split }, vector };
});

Deno.test("ablationRows() see which group is needed, and that the claim alone says nothing", () => {
  const rows = ablationRows(SYNTHETIC, 0.1, randomSource(1));
  assert.equal(rows.length, 2 * (1 + 2 * FEATURE_GROUPS.length) + 2);
  const find = (model: string, group = "") =>
    rows.find((row) => row.model === model && row.group === group && row.reading === "three-way")!;
  assert.equal(find("all features").balanced_accuracy, 1);
  assert.equal(find("all features").difference, 0);
  assert.equal(find("alone", "name").balanced_accuracy, 1);
  assert.ok(find("without", "name").balanced_accuracy as number < 0.7);
  assert.ok(find("without", "name").difference_high as number < 0);
  const alone = rows.slice(-2).map(({ model, group, balanced_accuracy }) => {
    return [model, group, balanced_accuracy];
  });
  assert.deepEqual(alone, [["claim alone", "all claims", 0.5], [
    "claim alone",
    "no opinions",
    0.5,
  ]]);
  isKept(VERIFIER_ABLATION, rows);
});

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

const KNOWLEDGE = texts("knowledge", 0, 120)
  .map((one, i) => ({ ...one, split: SPLITS[Math.floor(i / 8) % 3]! }));
const HUMAN = [...texts("first", 1, 80), ...texts("second", 1, 80), ...texts("third", 2, 80)];

Deno.test("Requirement 12.1: domainAnswers() learn a set's own ways from its other half alone", () => {
  const heads: string[] = [];
  const data = { knowledge: KNOWLEDGE, human: HUMAN };
  const answers = domainAnswers(data, SETTINGS, (regime) => heads.push(regime));
  assert.equal(heads.length, 1 + 2 + 3 + 2);
  const rows = domainRows({ features: "readable", head: "logistic" }, answers, randomSource(1));
  const row = (regime: number, set: string) =>
    rows.find((one) => one.trained_on === REGIMES[regime] && one.set === set)!;
  const right = (regime: number, set: string) => row(regime, set).balanced_accuracy as number;
  assert.ok(right(0, "held-out claims of the knowledge base") > 0.9);
  // The second set is like the first, the third like neither.
  assert.ok(right(0, "first") < 0.7 && right(1, "first") > 0.7 && right(2, "first") > 0.7);
  assert.ok(right(2, "third") < 0.7);
  assert.ok(row(1, "first").difference_low as number > 0 && row(1, "first").n === 80);
  isKept(DOMAIN_TRAINING, rows);
});
