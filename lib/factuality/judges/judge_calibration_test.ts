import assert from "node:assert/strict";
import { readJudgeCalibration } from "./judge_calibration.ts";
import { promptTemplates } from "./prompts.ts";

const YAML = `
templates:
  - name: claim
    description: d
    answer: score
    next_word_form: truth
    text: "{{claim}} {{answer_format}}"
  - name: truth
    description: d
    answer: next word
    next_words: { yes: ["true"], no: ["false"] }
    text: "{{claim|line}} It is"
`;
const PROMPTS = promptTemplates(YAML, "made.yaml");

const FILE = "a".repeat(64);
const MEASURED = { balancedAccuracy: 0.7, low: 0.6, high: 0.8, n: 100, on: "made" };

function entry(prompt: string, more: Record<string, unknown> = {}) {
  return {
    id: "model",
    readout: prompt === "claim" ? "generation" : "next-token",
    prompt,
    promptSha256: PROMPTS.template(prompt).sha256,
    modelSha256: FILE,
    scaling: prompt === "claim" ? null : { slope: 1, intercept: 0 },
    measured: MEASURED,
    areaUnderCurve: 0.75,
    unscored: 0,
    ...more,
  };
}

const file = (...entries: unknown[]) => JSON.stringify({ schemaVersion: 1, entries });

Deno.test("readJudgeCalibration() finds a model by its readout or prompt", () => {
  const of = readJudgeCalibration(file(entry("claim"), entry("truth")), "made.json", PROMPTS);
  const probability = { scaling: { slope: 1, intercept: 0 }, measured: MEASURED };
  assert.deepEqual(of("model", "next-token", FILE), probability);
  assert.deepEqual(of("model", "truth", FILE), probability);
  assert.deepEqual(of("model", "generation", FILE), { scaling: undefined, measured: MEASURED });
  assert.equal(of("other", "generation", FILE), undefined);
});

Deno.test("readJudgeCalibration() forgets what was measured with another prompt", () => {
  const edited = promptTemplates(YAML.replace("It is", "This is"), "made.yaml");
  const of = readJudgeCalibration(file(entry("claim"), entry("truth")), "made.json", edited);
  assert.equal(of("model", "next-token", FILE), undefined);
  assert.ok(of("model", "generation", FILE));
});

Deno.test("readJudgeCalibration() knows nothing of another file of the same name, nor of a server's", () => {
  const of = readJudgeCalibration(file(entry("claim")), "made.json", PROMPTS);
  assert.ok(of("model", "generation", FILE));
  assert.equal(of("model", "generation", "b".repeat(64)), undefined);
  assert.equal(of("model", "generation", undefined), undefined);
});

Deno.test("readJudgeCalibration() names what is wrong", () => {
  const wrong = file(entry("claim", { areaUnderCurve: 2 }));
  assert.throws(() => readJudgeCalibration(wrong, "made.json", PROMPTS), /entries\.0\.areaUnder/);
  assert.throws(
    () => readJudgeCalibration("{", "made.json", PROMPTS),
    /made\.json: it is not JSON/,
  );
});
