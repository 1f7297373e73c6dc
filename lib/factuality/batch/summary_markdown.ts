import { markdownTable } from "../../figures/markdown_table.ts";
import type { BootstrapInterval } from "../../stats/intervals.ts";
import type { Unavailable } from "../../stats/unavailable.ts";
import type { BatchSummary, Distribution } from "./summary.ts";

/** The summary of a batch as a readable report. */
export function summaryMarkdown(summary: BatchSummary): string {
  const { requests, evaluated, missing, factualAccuracy, supportedShare, claims } = summary;
  const without = missing === 0 ? "" : ` ${missing} have no result: see failures.jsonl.`;
  const columns = ["figure", "scored", "unscored", "mean [95 %]", "median [95 %]", "deciles"];
  return [
    "# Factuality evaluation: batch",
    `${evaluated} of ${requests} requests are evaluated.${without}`,
    markdownTable(columns, [
      row("factual accuracy by the judges, 0–100", factualAccuracy, 1),
      row("share of claims supported, 0–1", supportedShare, 2),
    ]),
    "## Distribution of factual accuracy",
    histogram(factualAccuracy, 0),
    "## Distribution of the share supported",
    histogram(supportedShare, 1),
    "## Claims",
    markdownTable(["verdict", "claims"], Object.entries(claims)),
  ].join("\n\n") + "\n";
}

function row(
  figure: string,
  { scored, unscored, mean, median, deciles }: Distribution,
  digits: number,
) {
  const tenths = deciles.map((value) => value.toFixed(digits)).join(" ");
  return [figure, scored, unscored, shown(mean, digits), shown(median, digits), tenths];
}

function shown(figure: BootstrapInterval | Unavailable, digits: number): string {
  if (figure.kind === "unavailable") return `– (${figure.reason})`;
  const [middle, low, high] = [figure.estimate, figure.low, figure.high]
    .map((value) => value.toFixed(digits));
  return `${middle} [${low}, ${high}]`;
}

function histogram({ histogram }: Distribution, digits: number): string {
  const rows = histogram.map(({ low, high, n }) =>
    [`${low.toFixed(digits)}–${high.toFixed(digits)}`, n] as const
  );
  return markdownTable(["from–to", "requests"], rows);
}
