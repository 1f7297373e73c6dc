import { markdownTable } from "../../figures/markdown_table.ts";
import type { ClaimResult, Evaluation } from "../evaluation/evaluation.ts";
import { plain } from "./markdown_text.ts";
import { judgementWords, noteWords, percent, standing } from "./words.ts";

/** The table of claims; nothing without one. */
export function claimsTable({ claims }: Evaluation): string {
  if (claims.length === 0) return "";
  const columns = [
    "id",
    "claim",
    "kind",
    "verdict",
    "supported",
    "refuted",
    "not enough info",
    "evidence",
    "judges",
  ];
  return markdownTable(columns, claims.map(claimRow));
}

function claimRow({ claim, verdict, judges, unverifiable }: ClaimResult) {
  const scored = verdict.kind === "scored" ? verdict.probabilities : undefined;
  const share = (value: number | undefined) => value === undefined ? undefined : percent(value);
  return [
    claim.id,
    plain([claim.text, noteWords(claim)].filter((part) => part !== "").join(" — ")),
    claim.kind,
    standing(claim, verdict) + (unverifiable ? " (unverifiable)" : ""),
    share(scored?.supported),
    share(scored?.refuted),
    share(scored?.["not enough info"]),
    evidenceCell(verdict),
    judges.map(({ judge, judgement }) => `${plain(judge)} ${judgementWords(judgement)}`).join(", "),
  ];
}

function evidenceCell(verdict: ClaimResult["verdict"]): string {
  if (verdict.kind === "unscored") return plain(verdict.message);
  const [best] = verdict.evidence;
  const quote = best === undefined
    ? ""
    : `"${plain(best.text)}" (${plain(best.collection)} ${plain(best.passageId)}, ` +
      `${best.span.start}–${best.span.end})`;
  return [quote, ...verdict.findings.map(({ words }) => plain(words))]
    .filter((part) => part !== "").join("; ");
}
