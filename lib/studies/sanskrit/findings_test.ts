import assert from "node:assert/strict";
import type { Artefact } from "../../pairs/artefacts.ts";
import { ONE_LETTER, type Statistic } from "../../pairs/clustered.ts";
import { bothOrders } from "../../pairs/forced_choice.ts";
import { readFigureData } from "./figure_rows.ts";
import { baselineFinding, lengthFinding, sanskritSection } from "./findings.ts";
import { SANSKRIT_PATHS } from "./study.ts";

type FigureData = ReturnType<typeof readFigureData>;

const TOTAL = "likelihood_accuracy_total";
const PER_TOKEN = "likelihood_accuracy_per_token";

/** A row whose interval reaches 0.05 to either side. */
const row = (measure: string, estimate: number, phenomenon = "ALL"): Statistic => ({
  ...{ model: "m", phenomenon, measure, n: 20, clusters: 10, method: "made" },
  value: { kind: "interval", estimate, low: estimate - 0.05, high: estimate + 0.05 },
});

/** One model of one panel, whose answers are complete; another lacks some. */
const SCORED = {
  models: ["m"],
  masked: [],
  panels: [{
    ...{ title: "local", design: "both", orders: bothOrders } as const,
    ...{ models: ["m"], asked: ["m"] },
  }],
  leftOut: [{ model: "large", lacks: { both: 30, counterbalanced: 15 } }],
  likelihoods: [] as FigureData["likelihoods"],
};

const ARTEFACTS = ["metre", "character_5gram"].flatMap((baseline, i) =>
  ["ALL", "balanced"].map((phenomenon, part): Artefact => ({
    ...{ baseline, phenomenon, n: 20 - 10 * part, correct: 10, ties: 0 },
    ...{ accuracy: 0.6 + i / 10, low: 0.5 + i / 10, high: 0.7 + i / 10 },
  }))
);

Deno.test("baselineFinding() says no more than the paired interval supports, and what was not asked", () => {
  const letter: Statistic = {
    ...row("accuracy", 0.5),
    value: { kind: "value", estimate: 0.5, reason: `made; ${ONE_LETTER}` },
  };
  const probes = [
    row(TOTAL, 0.72, "text"),
    row(TOTAL, 0.7, "control"),
    row("accuracy_difference", 0.02, "text-control"),
  ];
  const textAt = (lead: number) =>
    baselineFinding({
      ...{ ...SCORED, probes, artefacts: ARTEFACTS },
      statistics: [letter, row(TOTAL, 0.72), row(`${TOTAL}_less_best_rule`, lead)],
    });
  assert.match(textAt(0.02), /^### 4\. No difference shown between m and character 5-grams\n/);
  assert.match(textAt(0.02), /72\.0 \[67\.0, 77\.0\] % of 20 pairs \(chance: 50 %\)/);
  assert.match(
    textAt(0.02),
    /character 5-grams scores 70\.0 .*difference is 2\.0 \[−3\.0, 7\.0\] points/,
  );
  assert.match(textAt(0.02), /\| all pairs \(20\) \| balanced part \(10\) \|/);
  assert.match(
    textAt(0.02),
    /Asked to choose, m names the same letter in both orders of every pair/,
  );
  assert.match(textAt(0.02), /large lacks 30 of 40 answers of the forced choice/);
  assert.match(textAt(0.02), /For 1 of 1 models no difference in accuracy between lines/);
  assert.match(textAt(0.12), /^### 4\. m is ahead of every grammar-free baseline/);
  assert.match(textAt(-0.12), /^### 4\. No score reaches character 5-grams/);
});

Deno.test("lengthFinding() says “reverses” where total and per token lie on opposite sides of chance", () => {
  const reversed = [row(TOTAL, 0.9, "tokens.longer"), row(PER_TOKEN, 0.2, "tokens.longer")];
  const number = [
    row(TOTAL, 0.9, "number_singular_plural"),
    row(TOTAL, 0.1, "number_plural_singular"),
  ];
  const phenomena = [row(TOTAL, 0.9, "case"), row(PER_TOKEN, 0.2, "case")];
  const statistics = [...reversed, ...number, ...phenomena, row(TOTAL, 0.8)];
  const text = lengthFinding({ ...SCORED, statistics });
  assert.match(text, /^### 5\. Length normalisation reverses the verdict\n/);
  assert.match(text, /right on 90\.0 to 90\.0 % .* per token on 20\.0 to 20\.0 % \(chance: 50 %\)/);
  assert.match(text, /By phenomenon, 1 of 2 accuracies lie above chance and 1 below it/);
  assert.match(
    text,
    /\| m \| case \| per token \| 20\.0 \[15\.0, 25\.0\] \| 90\.0 \[85\.0, 95\.0\] \|/,
  );
  assert.match(text, /m prefers the singular, whichever number the line requires/);
  assert.match(text, /\| plural \| singular \| 20 \| 10\.0 \[5\.0, 15\.0\] \|/);
  const level = [row(TOTAL, 0.52, "tokens.longer"), row(PER_TOKEN, 0.48, "tokens.longer")];
  const plain = lengthFinding({ ...SCORED, statistics: [...level, row(TOTAL, 0.8)] });
  assert.match(plain, /^### 5\. Accuracy depends on the number of tokens/);
});

Deno.test("RESULTS.md has the findings that the files of data/sanskrit give: run notebook 25 again", () => {
  const results = Deno.readTextFileSync(SANSKRIT_PATHS.results);
  const [, section] =
    results.match(/<!-- begin sanskrit .*?-->\n([\s\S]*?)<!-- end sanskrit -->/) ??
      [];
  assert.equal(section?.trim(), sanskritSection(readFigureData()));
});
