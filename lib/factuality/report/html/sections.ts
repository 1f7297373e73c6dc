import type { Evaluation, JudgeResult, UnsupportedClaim } from "../../evaluation/evaluation.ts";
import { gapsOf } from "../gaps.ts";
import { provenanceLines } from "../provenance_lines.ts";
import { unsupportedGroups } from "../unsupported_groups.ts";
import {
  ensembleWords,
  judgementWords,
  measuredWords,
  percent,
  plausibilitySentence,
  weightOf,
} from "../words.ts";
import { escaped, list, table, titled } from "./markup.ts";

/** Every judge's own score beside what they say together. */
export function scoresSection(evaluation: Evaluation): string {
  const tables = evaluation.criteria.map(({ criterion, judges, ensemble }) => {
    const rows = judges.map((result) => judgeRow(evaluation, result));
    const columns = ["judge", "score", "balanced accuracy when measured", "weight", "reasoning"];
    return table(`${escaped(criterion)}: ${escaped(ensembleWords(ensemble))}`, columns, rows);
  });
  return titled("Scores", tables.join("\n"));
}

function judgeRow(evaluation: Evaluation, result: JudgeResult): readonly string[] {
  const { judge, judgement, measured } = result;
  return [
    escaped(judge),
    judgementWords(judgement),
    escaped(measuredWords(measured)),
    String(weightOf(evaluation, judge) ?? "–"),
    reasoningMarkup(judgement),
  ];
}

function reasoningMarkup(judgement: JudgeResult["judgement"]): string {
  if (judgement.kind === "unscored") return escaped(judgement.message);
  const flagged = judgement.flagged.map(({ phrase, reason }) =>
    `“${escaped(phrase)}”: ${escaped(reason)}`
  );
  return `${escaped(judgement.reasoning)}${list(flagged)}`;
}

/** What was found: what is not borne out, contradictions, gaps and problems. */
export function foundSections(evaluation: Evaluation): string {
  const { consistency, problems } = evaluation;
  const contradictions = consistency?.contradictions ?? [];
  return [
    titled("Not borne out", unsupported(evaluation)),
    titled(
      "Claims that exclude one another",
      list(
        contradictions.map(({ words, probability }) =>
          `${escaped(words)} (${percent(probability)})`
        ),
      ),
    ),
    titled("How plausible claims are by themselves", plausibility(evaluation)),
    titled(
      "What was not scored",
      list(
        gapsOf(evaluation).map(({ what, reason, message, partialText }) =>
          `${escaped(what)}: ${reason}. ${escaped(message)}` +
          (partialText === undefined
            ? ""
            : ` What had come back: <code>${escaped(partialText)}</code>`)
        ),
      ),
    ),
    titled("Problems", list(problems.map(escaped))),
  ].filter((part) => part !== "").join("\n");
}

function plausibility(evaluation: Evaluation): string {
  const sentence = plausibilitySentence(evaluation);
  return sentence === "" ? "" : `<p>${escaped(sentence)}</p>`;
}

function unsupported(evaluation: Evaluation): string {
  const numbers = new Map(evaluation.claims.map(({ claim }, index) => [claim.id, index + 1]));
  return unsupportedGroups(evaluation).map(({ title, entries }) =>
    `<h3>${title} (${entries.length})</h3>\n` +
    list(entries.map((entry) => unsupportedItem(entry, numbers.get(entry.claimId))))
  ).join("\n");
}

function unsupportedItem(
  { text, detectedBy, reasons }: UnsupportedClaim,
  number: number | undefined,
): string {
  const name = number === undefined ? "" : `<a href="#claim-${number}">claim ${number}</a>: `;
  return `${name}“${escaped(text)}”, detected by ${escaped(detectedBy.join(", "))}. ` +
    escaped(reasons.join("; "));
}

/** What made it, with every setting, and when. */
export function makingSection(evaluation: Evaluation): string {
  const lines = list(provenanceLines(evaluation).map(escaped));
  return titled("How it was made", `<div class="quiet">${lines}</div>`);
}
