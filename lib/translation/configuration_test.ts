import assert from "node:assert/strict";
import { DEFAULT_RUN_CONFIG, parseRunConfig } from "./configuration.ts";

Deno.test("parseRunConfig() fills in the specification's defaults", () => {
  assert.deepEqual(parseRunConfig("", "run.yaml"), DEFAULT_RUN_CONFIG);
  assert.equal(DEFAULT_RUN_CONFIG.numTranslations, 12);
  assert.equal(DEFAULT_RUN_CONFIG.buckets.map(({ key }) => key).join(), "best,good,ok,poor");
});

Deno.test("parseRunConfig() names every key that is unknown or of the wrong type, at once", () => {
  assert.throws(
    () => parseRunConfig("num_translation: 3\nda_min: low\nintegerOnly: true", "run.yaml"),
    (error) =>
      error instanceof SyntaxError && /run\.yaml/.test(error.message) &&
      /da_min/.test(error.message) && /num_translation, integerOnly/.test(error.message),
  );
});

Deno.test("parseRunConfig() refuses values that do not fit together, with the key", () => {
  const faults: readonly (readonly [string, RegExp])[] = [
    ["da_min: 5\nda_max: 5", /da_max: must be above da_min/],
    ["da_min: 0.5", /whole numbers while integer_only/],
    ["num_translations: 1", /num_translations/],
    ["buckets: [{key: a, label: A}, {key: a, label: B}]", /two have the same key/],
    ["num_translations: 3\nallow_empty_buckets: false", /only 3 of 4 buckets can be filled/],
    ["da_max: 2\nallow_empty_buckets: false", /allow_empty_buckets: must be true, .* 3 of 4/],
    ["buckets: [{key: a, label: A, colour: red}, {key: b, label: B}]", /key buckets\.0\.colour/],
    ["buckets: [{key: Best!, label: A}, {key: b, label: B}]", /buckets\.0\.key/],
    ["target_language: not a tag", /target_language: is no BCP 47/],
    ["[1, 2", /no YAML or JSON/],
    ["- 1", /the whole file/],
  ];
  for (const [text, message] of faults) {
    assert.throws(() => parseRunConfig(text, "run.yaml"), message);
  }
});
