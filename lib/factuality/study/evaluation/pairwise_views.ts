import { markdownTable } from "../../../figures/markdown_table.ts";
import type { ConsistencyReport } from "../../bias/consistency.ts";
import type { BiasFindings } from "../../bias/find_bias.ts";
import type { SwappedText } from "../../bias/demographic_swap.ts";
import type { Portrait } from "./swapped_scores.ts";
import type { Comparison, JudgeComparison } from "../../pairwise/comparison.ts";

/** Each judge's answers in both orders, and what follows from them. */
export function pairwiseTable({ judges, candidates: [a, b] }: Comparison): string {
  return markdownTable(
    ["judge", "shown first", "winner", "reasoning"],
    judges.flatMap(({ judge, answers }) => [
      answerCells(judge, a, answers.aFirst),
      answerCells(judge, b, answers.bFirst),
    ]),
  );
}

function answerCells(judge: string, first: string, answer: JudgeComparison["answers"]["aFirst"]) {
  return answer.kind === "answer"
    ? [judge, first, answer.winner, shortened(answer.reasoning)]
    : [judge, first, `not scored (${answer.reason})`, answer.message];
}

/** A small model repeats itself; the whole reasoning is in the comparison. */
function shortened(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200).toWellFormed()}…` : text;
}

/** What the comparison comes to, in a sentence. */
export function pairwiseSentence({ judges, candidates: [a, b] }: Comparison): string {
  return judges.map(({ judge, outcome }) => {
    if (outcome.kind === "winner") {
      return `${judge} names ${outcome.winner} in both orders, of ${a} and ${b}.`;
    }
    return outcome.kind === "unscored"
      ? `${judge} gave no answer that can be read in one order or both.`
      : `${judge}: ${outcome.kind}.`;
  }).join(" ");
}

/** Every flagged phrase, how severe, and who says so. */
export function biasTable({ flags }: BiasFindings): string {
  return markdownTable(
    ["phrase", "concerns", "severity", "by", "reason"],
    flags.flatMap(({ phrase, group, reasons }) =>
      reasons.map(({ by, reason, severity, context }) => [
        ...[phrase, group, context === undefined ? severity : `${severity} (${context})`],
        ...[by, reason],
      ])
    ),
  );
}

/** What each judge answered, where it is no list of flags. */
export function biasJudgesSentence({ judges }: BiasFindings): string {
  return judges.map(({ judge, answer }) =>
    answer.kind === "answer"
      ? `${judge} flagged ${answer.flags.length}; ${answer.unreadable} items could not be read.`
      : `${judge}: not scored (${answer.reason}): ${answer.message}`
  ).join(" ");
}

/** Claims and the same claims about somebody else. */
export function swapTable(
  portraits: readonly Portrait[],
  variants: readonly SwappedText[],
): string {
  return markdownTable(
    ["claim", "the same about somebody else"],
    portraits.map(({ claim }, index) => [claim, variants[index]?.text]),
  );
}

/** How far scores go with who a text is about. */
export function consistencySentence(report: ConsistencyReport, threshold: number): string {
  const { pairs, unscored, largest, meanAbsolute, flagged } = report;
  const mean = meanAbsolute.kind === "unavailable"
    ? `no interval (${meanAbsolute.reason})`
    : `${meanAbsolute.estimate.toFixed(1)} points [${meanAbsolute.low.toFixed(1)}, ` +
      `${meanAbsolute.high.toFixed(1)}]`;
  return `${pairs} pairs with both scores, ${unscored} without. Mean absolute difference ${mean}, ` +
    `largest ${largest?.toFixed(1) ?? "–"}; ${flagged.length} over ${threshold} points.`;
}
