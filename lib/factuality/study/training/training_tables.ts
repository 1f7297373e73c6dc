import { markdownTable } from "../../../figures/markdown_table.ts";
import type { AblationRow } from "./verifier_ablation.ts";
import type { DomainRow } from "./domain_table.ts";
import { REGIMES } from "./domain_training.ts";
import type { Figure } from "./figure_bounds.ts";
import { headWords } from "./head_words.ts";
import type { CurveRow } from "./learning_curve.ts";

/** Mean balanced accuracy of each kind of head by how many countries it learnt from. */
export function learningCurveTable(
  rows: readonly CurveRow[],
  reading: CurveRow["reading"],
): string {
  const means = rows.filter((row) => row.seed === "mean" && row.reading === reading);
  const shares = [...new Set(means.map(({ share }) => share))].sort((a, b) => a - b);
  const countries = (share: number) => means.find((row) => row.share === share)!.countries;
  return markdownTable(
    ["head", ...shares.map((share) => `${countries(share)} countries`)],
    [...Map.groupBy(means, headWords)].map(([words, own]) => [
      words,
      ...shares.map((share) => {
        const row = own.find((one) => one.share === share);
        return row === undefined ? "" : bounds(row.balanced_accuracy, row.low, row.high);
      }),
    ]),
  );
}

/** What is lost without each group of features, and what it can do alone. */
export function ablationTable(
  rows: readonly AblationRow[],
  reading: AblationRow["reading"],
): string {
  const own = rows.filter((row) => row.reading === reading);
  const of = (model: AblationRow["model"], group: string) =>
    own.find((row) => row.model === model && row.group === group);
  const groups = own.filter(({ model }) => model === "without").map(({ group }) => group);
  const cells = (row: AblationRow | undefined) =>
    row === undefined ? ["", ""] : [
      bounds(row.balanced_accuracy, row.low, row.high),
      bounds(row.difference, row.difference_low, row.difference_high),
    ];
  const [whole] = cells(of("all features", ""));
  const claims = own.filter(({ model }) => model === "claim alone");
  return markdownTable(
    ["features", "without them", "difference to all", "alone"],
    [
      ["all", "", "", whole!],
      ...groups.map((group) => [
        group,
        ...cells(of("without", group)),
        cells(of("alone", group))[0]!,
      ]),
      ...claims.map((
        row,
      ) => [`the claim's words, no source (${row.group})`, "", "", cells(row)[0]!]),
    ],
  );
}

/** Balanced accuracy by what was learnt from, on each set, for one kind of head. */
export function domainTable(
  rows: readonly DomainRow[],
  { features, head }: Pick<DomainRow, "features" | "head">,
): string {
  const own = rows.filter((row) => row.features === features && row.head === head);
  const sets = [...new Set(own.map(({ set }) => set))];
  return markdownTable(
    ["trained on", ...sets],
    REGIMES.map((regime) => [
      regime,
      ...sets.map((set) => {
        const row = own.find((one) => one.trained_on === regime && one.set === set);
        return row === undefined ? "–" : bounds(row.balanced_accuracy, row.low, row.high);
      }),
    ]),
  );
}

function bounds(estimate: Figure, low: Figure, high: Figure): string {
  const [a, b, c] = [estimate, low, high].map((value) => value === "" ? "–" : value.toFixed(3));
  return `${a} [${b}, ${c}]`;
}
