import { markdownTable } from "../../figures/markdown_table.ts";
import type { StatisticLookup } from "../../pairs/statistic_lookup.ts";
import { ALL } from "../../pairs/statistics_row.ts";
import { scoredModels } from "../../pairs/report/panel_evidence.ts";
import { type Evidence, GROUP_NAMES } from "./evidence.ts";
import { percentTable } from "../../pairs/report/metric_tables.ts";

/** How length and spelling work on likelihoods: tokens of both members, and normalised accuracies. */
export function lengthSection(evidence: Evidence, found: StatisticLookup): string {
  const scored = scoredModels(evidence);
  return [
    "### What length and spelling do to likelihoods",
    "",
    "Each token more is a factor more, so a total log-probability favours the member with fewer " +
    "tokens, whatever its grammar. *ǫ* costs the models of the local panel several tokens, and the variants of " +
    "u-umlaut replace it by *a*; those of the middle voice are shorter words. How often the " +
    "grammatical member has more tokens than the variant, in per cent of the pairs:",
    "",
    markdownTable(
      ["more tokens", ...Object.values(GROUP_NAMES)],
      scored.map((model) => [
        model,
        ...Object.keys(GROUP_NAMES).map((group) => longerShare(evidence, model, group)),
      ]),
    ),
    "",
    percentTable("accuracy per token", "likelihood_accuracy_per_token", scored, found, GROUP_NAMES),
    "",
    percentTable("accuracy per byte", "likelihood_accuracy_per_byte", scored, found, GROUP_NAMES),
  ].join("\n");
}

function longerShare({ items, likelihoods }: Evidence, model: string, group: string) {
  const own = new Set(
    items.filter(({ pair }) => group === ALL || pair.phenomenon === group).map(({ pair }) =>
      pair.id
    ),
  );
  const rows = likelihoods.filter((row) => row.model === model && own.has(row.pairId));
  if (rows.length === 0) return undefined;
  const longer = rows.filter(({ grammatical, ungrammatical }) =>
    grammatical.tokens > ungrammatical.tokens
  );
  return `${((100 * longer.length) / rows.length).toFixed(1)} (n = ${rows.length})`;
}
