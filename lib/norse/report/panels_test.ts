import assert from "node:assert/strict";
import { ORDERS } from "../../pairs/forced_choice.ts";
import { bothOrders, counterbalancedOrders } from "../../pairs/order_plan.ts";
import { lookUp } from "../../pairs/statistic_lookup.ts";
import { computeStatistics } from "../../pairs/statistics.ts";
import { PHENOMENA } from "../../pairs/testdata/norse.ts";
import { responded } from "../../pairs/testdata/responses.ts";
import { madeItems } from "../../pairs/testdata/whole_run.ts";
import { countedResponses } from "../../pairs/panels/study_panels.ts";
import type { Evidence } from "./evidence.ts";
import { accuracyBars, accuracyCells } from "../../pairs/report/accuracy_rows.ts";
import { letterRows } from "./figure_rows.ts";
import { accuracySection, modelSection } from "./model_sections.ts";
import { phenomenonSection } from "./phenomenon_section.ts";

const ITEMS = madeItems(12);
const PAIRS = ITEMS.map(({ pair }) => pair);
const HALF = counterbalancedOrders(PAIRS, 3);
const LOCAL = {
  ...{ title: "local", design: "both", orders: bothOrders } as const,
  ...{ models: ["small"], asked: ["small"] },
};
const HOSTED = {
  ...{ title: "hosted", design: "counterbalanced", orders: HALF } as const,
  ...{ models: ["far/large"], asked: ["far/large"] },
};

/** The small model always says A, the large one is always right; only the small one is scored. */
function evidence(panels: Evidence["panels"]): Evidence {
  const responses = PAIRS.flatMap(({ id }) =>
    ORDERS.flatMap((order) => [
      responded("small", id, order, "A"),
      responded("far/large", id, order, order === "A_gram" ? "A" : "B"),
    ])
  );
  const likelihoods = PAIRS.map(({ id: pairId }) => ({
    ...{ model: "small", pairId },
    grammatical: { logProbability: -1, tokens: 2, bytes: 9 },
    ungrammatical: { logProbability: -2, tokens: 2, bytes: 9 },
  }));
  const settings = { seed: 1, resamples: 100, phenomena: PHENOMENA };
  return {
    ...{ items: ITEMS, panels, likelihoods },
    models: panels.flatMap(({ models }) => models),
    responses: countedResponses(responses, panels),
    statistics: computeStatistics({ ...settings, items: ITEMS, responses, likelihoods, panels }),
    ...{ rejections: [], review: [], hosted: [], artefacts: [], balanced: [] },
    ...{ precision: [], agreement: [] },
  };
}

const ALONE = evidence([LOCAL]);
const BOTH = evidence([LOCAL, HOSTED]);

Deno.test("accuracyBars() sets panels side by side under names of their own, with no bar for both", () => {
  const named = (shown: Evidence) =>
    accuracyBars(shown).map(({ group, label, n }) => `${group}: ${label}, ${n}`);
  assert.deepEqual(named(ALONE), [
    "Forced choice, both orders: small, 24",
    "Likelihood: small, 12",
  ]);
  assert.deepEqual(named(BOTH), [
    "Forced choice, both orders (local): small, 24",
    "Forced choice, one order a pair (hosted): far/large, 12",
    "Likelihood (local): small, 12",
  ]);
});

Deno.test("accuracyCells() and letterRows() name the panel and leave out what was not measured", () => {
  assert.deepEqual(accuracyCells(ALONE, PHENOMENA).rows, ["small, choice", "small, likelihood"]);
  assert.deepEqual(accuracyCells(BOTH, PHENOMENA).rows, [
    "small (local), choice",
    "small (local), likelihood",
    "far/large (hosted), choice",
  ]);
  // Only answers that count: six pairs of twelve with the good sentence at A, six at B.
  const hosted = letterRows(BOTH).filter(({ group }) => group === "far/large (hosted)");
  assert.deepEqual(hosted.map(({ amounts }) => amounts), [[6, 0, 0], [0, 6, 0]]);
});

Deno.test("sections give each panel a table of its own and no figure that one order cannot give", () => {
  const found = lookUp(BOTH.statistics);
  const accuracy = accuracySection(BOTH, found);
  assert.match(accuracy, /both orders \(local panel\), one order a pair \(hosted panel\)/);
  assert.match(
    accuracy,
    /\*\*Panel local\*\*, both orders:.*\*\*Panel hosted\*\*, one order a pair:/s,
  );
  assert.doesNotMatch(accuracySection(ALONE, lookUp(ALONE.statistics)), /\*\*Panel/);
  const models = modelSection(BOTH, found);
  assert.match(models, /\*\*small\.\*\*.*Its d′ is 0\.00.*in both orders for 0\.0/);
  assert.match(
    models,
    /\*\*far\/large\.\*\*.*Of 12 answers.*Its d′ is 2\.07.*nothing is known of its consistency/,
  );
  assert.doesNotMatch(models, /small vs far|NaN|undefined/);
  const letters = (shown: Evidence) => phenomenonSection(shown, found).split("\n\n").at(-1) ?? "";
  assert.match(letters(ALONE), /^Where both orders are asked.*in few pairs\.$/);
  assert.match(letters(BOTH), /Where both orders are asked[^]*\nWhere one order a pair is asked/);
  assert.match(
    phenomenonSection(BOTH, found),
    /small chooses 50\.0.*and by likelihood 100\.0[^;]*; far\/large chooses 100\.0[^;]*chance\)\. With/,
  );
});
