import assert from "node:assert/strict";
import { VERDICT_LABELS } from "../verdicts/verdict.ts";
import { join } from "node:path";
import { type BaselineSettings, pmiCalibration } from "./baseline_settings.ts";
import {
  readBaselineSettings,
  readVerifierWeights,
  writeBaselineSettings,
} from "./weights_files.ts";

Deno.test("the weights that ship load: hash, features and labels are those of the code", () => {
  const weights = readVerifierWeights();
  assert.ok(weights.training.cases.train > 1_000);
  assert.ok(
    weights.gazetteer.some(({ name, also }) => name === "France" && also.includes("French")),
  );
});

Deno.test("the baselines' thresholds that ship load, and the shares are a distribution", () => {
  const { majority, overlap, cosine } = readBaselineSettings();
  const sum = VERDICT_LABELS.reduce((total, label) => total + majority[label], 0);
  assert.ok(Math.abs(sum - 1) < 1e-9);
  assert.ok(overlap.slope > 0 && cosine.slope > 0);
});

Deno.test("a weights file that is not there is said to be missing", () => {
  assert.throws(() => readVerifierWeights("no/such/weights.json"), Deno.errors.NotFound);
});

const CALIBRATION = { threshold: 0.5, slope: 8, refutedShare: 0.25 };
const BASELINES: BaselineSettings = {
  majority: { supported: 0.5, refuted: 0.25, "not enough info": 0.25 },
  ...{ overlap: CALIBRATION, cosine: CALIBRATION },
};
const FITTED = {
  ...{ id: "small", modelSha256: "a".repeat(64), chunkWords: 300, ...CALIBRATION },
  measured: { balancedAccuracy: 0.6, low: 0.5, high: 0.7, n: 160, on: "made" },
  ...{ areaUnderCurve: 0.65, unscored: 0 },
};

Deno.test("writeBaselineSettings() keeps the thresholds of PMI that another task wrote", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const path = join(folder, "baselines.json");
    writeBaselineSettings(BASELINES, path);
    assert.deepEqual(readBaselineSettings(path), BASELINES);
    writeBaselineSettings({ ...BASELINES, pmi: [FITTED] }, path);
    writeBaselineSettings(BASELINES, path);
    assert.deepEqual(readBaselineSettings(path), { ...BASELINES, pmi: [FITTED] });
    await Deno.writeTextFile(path, "{");
    writeBaselineSettings(BASELINES, path);
    assert.deepEqual(readBaselineSettings(path), BASELINES);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("pmiCalibration() finds a model by its file, and says what fits one for another", () => {
  const settings = { ...BASELINES, pmi: [FITTED] };
  const small = { id: "renamed", sha256: FITTED.modelSha256 };
  assert.deepEqual(pmiCalibration(settings, small, "b.json"), CALIBRATION);
  assert.throws(
    () => pmiCalibration(BASELINES, small, "b.json"),
    /Cannot verify by PMI under renamed: b\.json has no threshold .* Run "deno task judges --pmi/,
  );
});
