import assert from "node:assert/strict";
import { parseCsv } from "../../files/csv.ts";
import { formatCsv } from "../../files/csv.ts";
import { responded } from "../../pairs/testdata/responses.ts";
import { computeStatistics } from "../../pairs/statistics.ts";
import { PHENOMENA } from "../contrasts/candidate.ts";
import { METRIC_TABLE, metricRows } from "./metric_rows.ts";
import { madeContrast } from "./testdata/made_contrast.ts";
import { scored } from "./testdata/scored.ts";

const ITEMS = ["morph_0001", "morph_0002", "morph_0003"].map((id, index) =>
  madeContrast({ id, stem: index === 0 ? "deva" : "nara" })
);
const LIKELIHOODS = [
  scored("causal", "morph_0001", [-10, -11]),
  scored("causal", "morph_0002", [-10, -10]),
  scored("causal", "morph_0003", [-12, -11]),
];
const RESPONSES = ITEMS.flatMap(({ pair }) => [
  responded("causal", pair.id, "A_gram", "A"),
  responded("causal", pair.id, "B_gram", "A"),
]);
const STATISTICS = computeStatistics({
  items: ITEMS,
  phenomena: PHENOMENA,
  responses: RESPONSES,
  likelihoods: LIKELIHOODS,
  panels: [{ models: ["causal"] }],
  seed: 1,
  resamples: 100,
});

Deno.test("metricRows() gives every way of judging, ties by the log-probability alone", () => {
  const rows = metricRows(STATISTICS, ["causal"]);
  const third = 1 / 3;
  assert.deepEqual(rows, [
    // No pair of number among them: that is not an accuracy of 0.
    {
      model: "causal",
      measure: "forced_choice",
      n: 6,
      accuracies: [0.5, 0.5, undefined],
      ties: undefined,
    },
    ...["likelihood_total", "likelihood_per_token", "likelihood_per_byte"].map((measure) => ({
      ...{ model: "causal", measure, n: 3, accuracies: [third, third, undefined], ties: 1 },
    })),
  ]);
});

Deno.test("metricRows() has no row of a way in which a model was not judged", () =>
  assert.deepEqual(metricRows(STATISTICS, ["another"]), []));

Deno.test("METRIC_TABLE writes what is not there as an empty field and reads it back", () => {
  const { columns, format, parse } = METRIC_TABLE;
  const text = formatCsv(columns, metricRows(STATISTICS, ["causal"]).map(format));
  assert.match(text, /^causal,forced_choice,6,0.5,0.5,,$/m);
  assert.match(text, /^causal,likelihood_total,3,0.333333,0.333333,,1$/m);
  const { rows, damaged } = parseCsv(text, columns, parse);
  assert.deepEqual([damaged.length, rows[0]?.ties, rows[1]?.ties], [0, undefined, 1]);
  assert.equal(formatCsv(columns, rows.map(format)), text);
});
