import assert from "node:assert/strict";
import type { Statistic } from "../../pairs/clustered.ts";
import { bothOrders } from "../../pairs/forced_choice.ts";
import { strongestJudge } from "./figure_rows.ts";

const MASKED = "bidirectional_character:pll_original";
const CHOICE = "accuracy";
const LIKELIHOOD = "likelihood_accuracy_total";

const row = (model: string, measure: string, estimate: number): Statistic => ({
  ...{ model, measure, phenomenon: "ALL", value: { kind: "value", estimate } },
  ...{ n: 9, clusters: 2, method: "made" },
});

/**
 * Statistics of a model `small` and a model trained on the text.
 * `small` is better by likelihood than by choice; the other is better still.
 */
const EVIDENCE = {
  panels: [{
    ...{ title: "local", design: "both", orders: bothOrders } as const,
    ...{ models: ["small"], asked: ["small"] },
  }],
  masked: [MASKED],
  statistics: [
    row("small", CHOICE, 0.5),
    row("small", LIKELIHOOD, 0.7),
    row(MASKED, LIKELIHOOD, 1),
  ],
};

Deno.test("strongestJudge() takes no model that was trained on the text here", () => {
  assert.equal(strongestJudge(EVIDENCE).label, "small, likelihood");
  assert.throws(() => strongestJudge({ ...EVIDENCE, statistics: [] }), RangeError);
});
