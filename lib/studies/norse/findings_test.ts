import assert from "node:assert/strict";
import type { Artefact } from "../../pairs/artefacts.ts";
import { lookUp, ONE_LETTER, type Statistic } from "../../pairs/clustered.ts";
import { bothOrders } from "../../pairs/forced_choice.ts";
import { DIRECTIONS, measuredWays, readFigureData } from "./evidence.ts";
import { baselineFinding, choiceFinding, frequencyFinding, norseSection } from "./findings.ts";
import { NORSE_PATHS } from "./study.ts";

const TOTAL = "likelihood_accuracy_total";

/** A row whose interval reaches 0.05 to either side. */
const row = (measure: string, estimate: number, phenomenon = "ALL", model = "m"): Statistic => ({
  ...{ model, phenomenon, measure, n: 20, clusters: 10, method: "made" },
  value: { kind: "interval", estimate, low: estimate - 0.05, high: estimate + 0.05 },
});

Deno.test("choiceFinding() speaks of letters where accuracy is at chance and few sentences are kept", () => {
  const letter: Statistic = {
    ...row("accuracy", 0.5, "ALL", "letter"),
    value: { kind: "value", estimate: 0.5, reason: `made; ${ONE_LETTER}` },
  };
  const rows = [
    letter,
    row("consistency", 0.06, "ALL", "letter"),
    row("d_prime", 0, "ALL", "letter"),
  ];
  const text = choiceFinding(lookUp(rows), ["letter"], 20);
  assert.match(text, /^### 1\. Asked to choose, small models choose a letter, not a sentence\n/);
  assert.match(text, /same sentence in both orders on 6\.0 % of the pairs/);
  assert.match(text, /\| letter \| 50\.0 \| 0\.00 \[−0\.05, 0\.05\] \| 6\.0 \[1\.0, 11\.0\] \|/);
  const better = [row("accuracy", 0.8), row("d_prime", 1.7), row("consistency", 0.9)];
  assert.match(
    choiceFinding(lookUp(better), ["m"], 20),
    /^### 1\. .* differ in how far they follow/,
  );
});

/** One model of one panel. */
const SCORED = {
  models: ["m"],
  panels: [{
    ...{ title: "local", design: "both", orders: bothOrders } as const,
    ...{ models: ["m"], asked: ["m"] },
  }],
  likelihoods: [{ model: "m" }] as unknown as ReturnType<typeof readFigureData>["likelihoods"],
};

Deno.test("frequencyFinding() says “rare” where every model is below chance forward, and counts after Holm", () => {
  const statistics = [
    row(TOTAL, 0.3),
    row(TOTAL, 0.9, "reverse"),
    row("likelihood_as_alone", 0.85),
    row(TOTAL, 0.8, "source.ALL"),
    row(TOTAL, 0.1, "UMLAUT"),
    row(TOTAL, 0.52, "QUIRKY_CASE"),
  ];
  const text = frequencyFinding({ ...SCORED, statistics });
  assert.match(text, /^### 2\. A total log-probability measures how rare a form is\n/);
  assert.match(text, /\| model \| forward \(20\), % \| reverse \(20\), % \|/);
  assert.match(text, /\| m \| 30\.0 \[25\.0, 35\.0\] \| 90\.0 .* \| 85\.0 .* \| 80\.0 /);
  assert.match(text, /\| forward \| 2 \| 0 \| 1 \|/);
  assert.doesNotMatch(text, /was not scored/);
  const level = frequencyFinding({ ...SCORED, statistics: [row(TOTAL, 0.48)] });
  assert.match(level, /^### 2\. A total log-probability depends on the direction/);
  assert.match(level, /m was not scored on words alone/);
});

Deno.test("baselineFinding() says no more than the paired interval supports", () => {
  const artefacts = ["unigram", "character_5gram"].map((baseline, i): Artefact => ({
    ...{ baseline, phenomenon: "both", n: 20, correct: 10, ties: 0 },
    ...{ accuracy: 0.6 + i / 10, low: 0.5 + i / 10, high: 0.7 + i / 10 },
  }));
  const textAt = (lead: number) => {
    const statistics = [
      row(TOTAL, 0.55),
      row(TOTAL, 0.58, "both"),
      row(`${TOTAL}_less_best_rule`, lead, "both"),
    ];
    const drawn = { direction: DIRECTIONS[2]!, drawnAs: "mean of both directions" };
    return baselineFinding({
      ...SCORED,
      ...drawn,
      statistics,
      artefacts,
      ways: measuredWays(statistics),
    });
  };
  assert.match(textAt(-0.12), /^### 3\. No scoring rule reaches character 5-grams\n/);
  assert.match(textAt(-0.12), /m total: 58\.0 \[53\.0, 63\.0\] % .*Character 5-grams score 70\.0 /);
  assert.match(textAt(-0.12), /difference is −12\.0 \[−17\.0, −7\.0\] points/);
  assert.match(textAt(-0.04), /^### 3\. No difference shown between/);
  assert.match(textAt(0.1), /^### 3\. The best score is ahead of every grammar-free baseline/);
});

Deno.test("RESULTS.md has the findings that the files of data/norse give: run notebook 15 again", () => {
  const results = Deno.readTextFileSync(NORSE_PATHS.results);
  const [, section] = results.match(/<!-- begin norse .*?-->\n([\s\S]*?)<!-- end norse -->/) ?? [];
  assert.equal(section?.trim(), norseSection(readFigureData()));
});
