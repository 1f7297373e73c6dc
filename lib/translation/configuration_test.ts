import assert from "node:assert/strict";
import { YAML_BOMB } from "../files/testdata/yaml_bomb.ts";
import {
  DEFAULT_RUN_CONFIG,
  parseConfiguration,
  parseRunConfig,
  practiceItem,
} from "./configuration.ts";
import { configHash } from "./hashes.ts";

Deno.test("parseRunConfig() fills in the specification's defaults", () => {
  assert.deepEqual(parseRunConfig("", "run.yaml"), DEFAULT_RUN_CONFIG);
  assert.equal(DEFAULT_RUN_CONFIG.numTranslations, 12);
  assert.equal(DEFAULT_RUN_CONFIG.buckets.map(({ key }) => key).join(), "best,good,ok,poor");
});

Deno.test("parseRunConfig() names every key that is unknown, of the wrong type or does not fit the others", () => {
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
    [YAML_BOMB, /run\.yaml: it is no YAML or JSON\. Excessive alias count/],
    ["- 1", /the whole file/],
    ["a: 3\nda_min: low\nb: true", /^SyntaxError: .*run\.yaml: .*da_min.*unknown key a, b/],
  ];
  for (const [text, message] of faults) {
    assert.throws(() => parseRunConfig(text, "run.yaml"), message);
  }
});

const PRACTICE = `
num_translations: 2
instructions: { de: "# Hinweise" }
practice:
  - source: It rains.
    translations:
      - { text: Es regnet., bucket: best, da: 95, why: Says the same. }
      - { text: Es schneit., bucket: poor, da: 5 }
preparation: { systems: [cedar, larch], raters: 2 }
`;

Deno.test("practice and instructions are part of the configuration and its hash, preparation is not", () => {
  const { config, preparation, asked: onPage } = parseConfiguration(PRACTICE, "run.yaml");
  const translations = ["Es regnet.", "Es schneit."];
  const practised = (translations: string[]) =>
    practiceItem(config, { source: "It rains.", translations })?.translations[1];
  const reference = { text: "Es schneit.", bucket: "poor", da: 5, why: "" };
  assert.deepEqual(practised(translations), reference);
  assert.equal(practised(["Es regnet.", ""]), undefined);
  assert.deepEqual(preparation.raters, ["rater_1", "rater_2"]);
  assert.ok(!JSON.stringify(config).includes("cedar") && !onPage.includes("cedar"));
  assert.deepEqual(parseRunConfig(onPage, "page"), config);
  assert.equal(parseConfiguration("", "run.yaml").asked, "{}");
  const hashes = [
    PRACTICE,
    PRACTICE.replace("# Hinweise", "# Hinweis"),
    PRACTICE.replace("95", "94"),
    PRACTICE.replace("cedar", "fir"),
  ].map((text) => configHash(parseRunConfig(text, "run.yaml")));
  assert.equal(new Set(hashes).size, 3);
  assert.equal(hashes[0], hashes[3]);
  for (const [from, to] of [["da: 5 ", "da: 101 "], ["poor", "worst"], ["s: 2", "s: 3"]] as const) {
    assert.throws(
      () => parseRunConfig(PRACTICE.replace(from, to), "run.yaml"),
      /practice\.0(\.tr.*is no rating|: has 2 translations)/,
    );
  }
});

Deno.test("the example of data/translation/README.md is a configuration", () => {
  const readme = Deno.readTextFileSync(
    new URL("../../data/translation/README.md", import.meta.url),
  );
  const { config } = parseConfiguration(
    /```yaml\n(.*?)```/s.exec(readme)![1]!,
    "data/translation/README.md",
  );
  assert.equal(config.practice[0]!.translations.length, config.numTranslations);
});
