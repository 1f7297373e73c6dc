import assert from "node:assert/strict";
import { lookUp } from "../../pairs/clustered.ts";
import { computeStatistics } from "../../pairs/statistics.ts";
import { responded } from "../../pairs/testdata/responses.ts";
import { PHENOMENA } from "./contrasts.ts";
import { contrastParts, metricRows, METRICS, partsOf, perplexityStatistics } from "./metrics.ts";
import { madeContrast, scored } from "./testdata/fixtures.ts";
import { labelLines, scan, type Verse, verseId } from "./verses.ts";

const verse = (number: number, line: string): Verse => ({
  ...{ id: verseId(1, number), chapter: 1, verse: number, speaker: "" },
  ...{ lines: labelLines([line]), ...scan([line]) },
});

Deno.test("partsOf() names the cells, the form's frequency, the relation, the metre and the variant's novelty", () => {
  assert.deepEqual(partsOf(madeContrast({}), 0, 0), [
    ...["from_genitive", "to_dative", "cells_genitive_dative"],
    ...["form_unseen", "relation_adnominal", "metre_kept", "vocative_excluded"],
    "variant.not_in_text",
  ]);
  const number = madeContrast({
    ...{ phenomenon: "number", cells: ["nom.pl", "nom.sg"], relation: "agreement" },
    marks: ["metre_changed", "compound"],
  });
  assert.deepEqual(partsOf(number, 2, 1), [
    ...["number_plural_singular", "form_rare", "relation_agreement", "metre_changed"],
    ...["vocative_excluded", "variant.in_text"],
  ]);
});

Deno.test("contrastParts() counts forms outside the pair's own verse and names only parts with a pair", () => {
  const item = madeContrast({ source: [1, 1] });
  const verses = [verse(1, "देवस्य देवस्य फलं"), verse(2, "फलं देवस्य")];
  const parts = contrastParts([item], verses);
  assert.deepEqual(parts.map(({ name }) => name), [
    ...["from_genitive", "to_dative", "cells_genitive_dative"],
    ...["form_rare", "relation_adnominal", "metre_kept", "vocative_excluded"],
    "variant.not_in_text",
  ]);
  assert.ok(parts.every(({ has }) => has(item)));
  const other = madeContrast({ id: "morph_0002" });
  assert.ok(parts.every(({ has }) => !has(other)));
});

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
});

Deno.test("metricRows() gives every way of judging, ties by the log-probability alone", () => {
  const rows = metricRows(STATISTICS, ["causal"]);
  // Without pairs of number or verbs the accuracy is missing, not 0.
  assert.equal(
    METRICS.format(rows).split("\n").slice(1).join("\n"),
    "causal,forced_choice,6,0.5,0.5,,,,,\n" +
      "causal,likelihood_total,3,0.333333,0.333333,,,,,1\n" +
      "causal,likelihood_per_token,3,0.333333,0.333333,,,,,1\n" +
      "causal,likelihood_per_byte,3,0.333333,0.333333,,,,,1\n",
  );
});

const TWO_ITEMS = [madeContrast({}), madeContrast({ id: "morph_0002", stem: "nara" })];

Deno.test("perplexityStatistics() weighs tokens, not pairs", () => {
  const rows = [
    scored("m", "morph_0001", [-4 * Math.LN2, -8 * Math.LN2], { tokens: 4 }),
    scored("m", "morph_0002", [-12 * Math.LN2, -12 * Math.LN2], { tokens: 12 }),
  ];
  const lookup = lookUp(perplexityStatistics(TWO_ITEMS, rows, ["m"]));
  const of = (measure: string) => {
    const { value, n } = lookup.row("m", measure);
    assert.ok(value.kind !== "unavailable" && n === 2);
    return value.estimate;
  };
  // 16 tokens: 16 bits, a bit each; then 20 bits, 2^(20/16).
  assert.ok(Math.abs(of("perplexity_grammatical") - 2) < 1e-12);
  assert.ok(Math.abs(of("perplexity_ungrammatical") - 2 ** 1.25) < 1e-12);
  assert.equal(lookup.row("m", "perplexity_grammatical", "number").value.kind, "unavailable");
});
