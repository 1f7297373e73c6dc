import assert from "node:assert/strict";
import { join } from "node:path";
import { randomSource } from "../../../stats/random.ts";
import { FEATURES } from "../../features/features.ts";
import { SPLITS } from "../../training/country_split.ts";
import { FEATURE_GROUPS, type VectorCase } from "../../training/verifier_fit.ts";
import { VERDICT_LABELS } from "../../verdicts/verdict.ts";
import { ablationCsv, ablationRows, readAblation } from "./verifier_ablation.ts";

/** The label stands in the first feature of `name` alone; the claim's words are the same for all. */
const CASES: readonly VectorCase[] = Array.from({ length: 120 }, (_, i) => {
  const label = VERDICT_LABELS[i % 3]!;
  return {
    case: {
      ...{ id: `${i}`, claim: "The same claim.", passages: [], label, cluster: `c${i % 30}` },
      ...{ set: "made up", split: SPLITS[(i % 30) % 3]!, kind: "fact", edit: "", form: "sentence" },
    },
    vector: FEATURES.map(({ group }, k) => (group === "name" ? i % 3 : (i * (k + 3)) % 7) / 7),
  };
});

Deno.test("ablationRows() see which group is needed, and that the claim alone says nothing", async () => {
  // Clusters and labels go together by threes: deal them anew.
  const cases = CASES.map((one, i) => ({
    ...one,
    case: { ...one.case, cluster: `c${i % 20}`, split: SPLITS[(i % 20) % 3]! },
  }));
  const rows = ablationRows(cases, 0.1, randomSource(1));
  assert.equal(rows.length, 2 * (1 + 2 * FEATURE_GROUPS.length) + 2);
  const find = (model: string, group = "") =>
    rows.find((row) => row.model === model && row.group === group && row.reading === "three-way")!;
  assert.equal(find("all features").balanced_accuracy, 1);
  assert.equal(find("all features").difference, 0);
  assert.equal(find("alone", "name").balanced_accuracy, 1);
  assert.ok(find("without", "name").balanced_accuracy as number < 0.7);
  assert.ok(find("without", "name").difference_high as number < 0);
  const claims = rows.slice(-2);
  assert.deepEqual(claims.map((row) => [row.model, row.group, row.balanced_accuracy]), [
    ["claim alone", "all claims", 0.5],
    ["claim alone", "no opinions", 0.5],
  ]);
  const path = join(await Deno.makeTempDir(), "ablation.csv");
  await Deno.writeTextFile(path, ablationCsv(rows));
  assert.deepEqual(readAblation(path), rows);
});
