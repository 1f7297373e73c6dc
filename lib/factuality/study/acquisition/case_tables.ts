import { markdownTable } from "../../../figures/markdown_table.ts";
import { randomSource } from "../../../stats/random.ts";
import { bestPart } from "../../retrieval/best_part.ts";
import { termsOf } from "../../retrieval/terms.ts";
import { SPLITS } from "../../training/country_split.ts";
import type { KnowledgeCase } from "../../training/knowledge_case.ts";
import type { MeasuredVerdicts } from "../../training/measured_verdicts.ts";
import { VERDICT_LABELS } from "../../verdicts/verdict.ts";
import { type ClaimOnlyModel, measureClaimOnly } from "./claim_only.ts";

/** Countries and cases of each split, by label. */
export function splitTable(cases: readonly KnowledgeCase[]): string {
  return markdownTable(
    ["split", "countries", "cases", ...VERDICT_LABELS],
    SPLITS.map((split) => {
      const own = cases.filter((one) => one.split === split);
      return [split, new Set(own.map(({ cluster }) => cluster)).size, own.length, ...labels(own)];
    }),
  );
}

/** Cases by one of their properties, the most frequent first, and by label. */
export function tallyTable(cases: readonly KnowledgeCase[], by: "kind" | "edit" | "form"): string {
  const groups = [...Map.groupBy(cases, (one) => one[by])]
    .sort(([a, m], [b, n]) => n.length - m.length || (a < b ? -1 : 1));
  return markdownTable(
    [by, "cases", ...VERDICT_LABELS],
    groups.map(([name, own]) => [name, own.length, ...labels(own)]),
  );
}

function labels(cases: readonly KnowledgeCase[]): readonly number[] {
  return VERDICT_LABELS.map((label) => cases.filter((one) => one.label === label).length);
}

/** Claims with their label, how they were made, and the part of the source nearest in words. */
export function exampleTable(cases: readonly KnowledgeCase[]): string {
  return markdownTable(
    [
      "country",
      "claim",
      "label",
      "made by",
      "source (form), the part nearest to the claim in words",
    ],
    cases.map(({ cluster, claim, label, kind, edit, form, passages }) => {
      const terms = new Set(termsOf(claim));
      const common = (part: string) => new Set(termsOf(part).filter((it) => terms.has(it))).size;
      const parts = passages.map((passage) => bestPart(passage, terms));
      const nearest = parts.reduce((best, part) => common(part) > common(best) ? part : best);
      return [
        cluster,
        claim,
        label,
        kind === edit ? kind : `${kind}, ${edit}`,
        `(${form}) ${nearest}`,
      ];
    }),
  );
}

/** How well supported claims are told from the others without any source; 50 % is chance. */
export function claimOnlyTable(model: ClaimOnlyModel, cases: readonly KnowledgeCase[]): string {
  const groups: readonly (readonly [string, readonly KnowledgeCase[]])[] = [
    ["all", cases],
    ["all but opinions", cases.filter(({ kind }) => kind !== "opinion")],
    ...Map.groupBy(cases.filter(({ kind }) => kind !== "opinion"), ({ kind }) => kind),
  ];
  return markdownTable(
    ["held-out cases", "n", "countries", "balanced accuracy (%), 95 % by country"],
    groups.map(([name, own]) => {
      const found = measureClaimOnly(model, own, randomSource(`claim only/${name}`));
      return [name, found.n, found.clusters, shown(found)];
    }),
  );
}

function shown({ balancedAccuracy, low, high }: MeasuredVerdicts): string {
  const percent = (share: MeasuredVerdicts["low"]) =>
    typeof share === "number" ? (100 * share).toFixed(1) : `– (${share.reason})`;
  return `${percent(balancedAccuracy)} [${percent(low)}, ${percent(high)}]`;
}
