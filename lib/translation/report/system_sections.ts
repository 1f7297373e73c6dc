import { markdownTable } from "../../figures/markdown_table.ts";
import type { SystemComparison } from "../analysis/results.ts";
import { shown, shownNumber, shownP } from "./shown.ts";

/** Every system's mean score, standardised score, place and cluster. */
export function systemTable({ systems }: SystemComparison): string {
  return markdownTable(
    ["system", "mean score", "mean z", "rank", "cluster", "items", "ratings"],
    systems.map(({ system, meanDa, meanZ, rank, cluster, items, ratings }) => [
      system,
      shown(meanDa),
      shown(meanZ, 2),
      "kind" in rank.interval
        ? String(rank.rank)
        : `${rank.rank} [${rank.interval.low}, ${rank.interval.high}]`,
      cluster,
      items,
      ratings,
    ]),
  );
}

/** Neighbours in the order of means: where a ranking is least sure. */
export function neighbourTable({ systems, pairs }: SystemComparison): string {
  const rows = systems.slice(1).flatMap(({ system }, index) =>
    pairs.filter(({ first, second }) => first === systems[index]!.system && second === system)
  );
  return markdownTable(
    ["better", "worse", "difference", "p", "adjusted p"],
    rows.map(({ first, second, difference, test, adjustedP }) => [
      first,
      second,
      shown(difference),
      test.kind === "test" ? shownP(test.p) : shown(test),
      typeof adjustedP === "number" ? shownP(adjustedP) : shown(adjustedP),
    ]),
  );
}

/** One sentence: how many pairs of systems these ratings tell apart. */
export function toldApart({ systems, pairs, alpha }: SystemComparison): string {
  const tested = pairs.flatMap(({ adjustedP }) => typeof adjustedP === "number" ? [adjustedP] : []);
  const apart = tested.filter((p) => p <= alpha).length;
  const clusters = Math.max(...systems.map(({ cluster }) => cluster));
  return `${apart} of ${tested.length} pairs of systems are told apart at α = ` +
    `${shownNumber(alpha, 2)} after Holm's adjustment; they make ${clusters} ` +
    `cluster${clusters === 1 ? "" : "s"}.`;
}
