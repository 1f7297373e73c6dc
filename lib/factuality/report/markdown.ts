import { markdownTable } from "../../figures/markdown_table.ts";
import type { Evaluation, UnsupportedClaim } from "../evaluation/evaluation.ts";
import type { ScoredEnsemble } from "../judges/ensemble_score.ts";
import type { RetrievedPassage } from "../retrieval/passage.ts";
import { gapsOf } from "./gaps.ts";
import { claimsTable } from "./markdown_claims.ts";
import { plain } from "./markdown_text.ts";
import { provenanceLines } from "./provenance_lines.ts";
import { unsupportedGroups } from "./unsupported_groups.ts";
import {
  groundingSentence,
  judgementWords,
  measuredWords,
  percent,
  plausibilitySentence,
  resultSentence,
  round,
  weightOf,
} from "./words.ts";

/** An evaluation as a readable report in GitHub's Markdown; sections without content are left out. */
export function evaluationMarkdown(evaluation: Evaluation): string {
  const { request } = evaluation;
  const sections = [
    `# Factuality evaluation: ${plain(request.id)}`,
    `${plain(resultSentence(evaluation))} ${plain(groundingSentence(evaluation))}`,
    section("Scores", scores(evaluation)),
    section("Claims", claimsTable(evaluation)),
    section("Not borne out", unsupported(evaluation)),
    section("Verifier and judges disagree", disagreements(evaluation)),
    section("The text by itself", consistency(evaluation)),
    section("Reasoning of the judges", reasoning(evaluation)),
    section("Passages that were used", passages(evaluation)),
    section("What was not scored", gaps(evaluation)),
    section("Problems", bullets(evaluation.problems.map(plain))),
    section("How it was made", bullets(provenanceLines(evaluation).map(plain))),
  ];
  return `${sections.filter((text) => text !== "").join("\n\n")}\n`;
}

function section(title: string, content: string): string {
  return content === "" ? "" : `## ${title}\n\n${content}`;
}

function bullets(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join("\n");
}

function scores(evaluation: Evaluation): string {
  const rows = evaluation.criteria.flatMap(({ criterion, judges, ensemble }) => [
    ...judges.map(({ judge, judgement, measured, milliseconds }) => [
      plain(criterion),
      plain(judge),
      judgementWords(judgement),
      plain(measuredWords(measured)),
      weightOf(evaluation, judge),
      (milliseconds / 1000).toFixed(2),
    ]),
    [
      plain(criterion),
      "**together**",
      ensemble.kind === "scored" ? `**${round(ensemble.score)}**` : "not scored",
      ensemble.kind === "scored" ? spread(ensemble) : plain(ensemble.message),
      undefined,
      undefined,
    ],
  ]);
  if (rows.length === 0) return "";
  const columns = ["criterion", "judge", "score", "measured balanced accuracy", "weight", "s"];
  return markdownTable(columns, rows);
}

function spread({ variance, range, reasons }: ScoredEnsemble): string {
  const size = variance === undefined ? "" : `variance ${round(variance)}, range ${round(range)}`;
  return [size, ...reasons.map((reason) => `low confidence: ${plain(reason)}`)]
    .filter((part) => part !== "").join("; ");
}

function unsupported(evaluation: Evaluation): string {
  return unsupportedGroups(evaluation).map(({ title, entries }) =>
    `### ${title} (${entries.length})\n\n${bullets(entries.map(unsupportedLine))}`
  ).join("\n\n");
}

function unsupportedLine(entry: UnsupportedClaim): string {
  const { claimId, text, detectedBy, reasons, evidence } = entry;
  const name = claimId === "" ? "" : `${claimId}: `;
  const by = detectedBy.map(plain).join(", ");
  const [best] = evidence;
  const quoted = best === undefined ? "" : ` Evidence: "${plain(best.text)}"`;
  return `${name}"${plain(text)}", detected by ${by}. ${reasons.map(plain).join("; ")}.${quoted}`;
}

function disagreements({ disagreements }: Evaluation): string {
  return bullets(disagreements.map(({ claimId, words }) => `${claimId}: ${plain(words)}`));
}

function consistency(evaluation: Evaluation): string {
  if (evaluation.consistency === undefined) return "";
  const { contradictions } = evaluation.consistency;
  const found = contradictions.length === 0
    ? "No two claims were found to exclude one another."
    : bullets(
      contradictions.map(({ words, probability }) => `${plain(words)} (${percent(probability)})`),
    );
  return [found, plausibilitySentence(evaluation)].filter((part) => part !== "").join("\n\n");
}

function reasoning({ criteria }: Evaluation): string {
  return bullets(
    criteria.flatMap(({ criterion, judges }) =>
      judges.flatMap(({ judge, judgement }) => {
        if (judgement.kind === "unscored") return [];
        const flagged = judgement.flagged.map(({ phrase, reason }) =>
          `"${plain(phrase)}": ${plain(reason)}`
        );
        const words = [plain(judgement.reasoning), ...flagged].filter((part) => part !== "");
        return words.length === 0
          ? []
          : [`${plain(judge)}, ${plain(criterion)}: ${words.join("; ")}`];
      })
    ),
  );
}

function passages({ claims, configuration }: Evaluation): string {
  if (configuration.retriever === undefined) return "";
  return bullets(
    claims.flatMap(({ claim, passages, retrieval }) =>
      passages.length > 0
        ? passages.map((found) => `${claim.id}, ${passageWords(found)}`)
        : [`${claim.id}: ${retrieval.status}, ${plain(retrieval.message)}`]
    ),
  );
}

function passageWords({ passage, rank, bm25, cosine }: RetrievedPassage): string {
  const from = [passage.collection, passage.title, passage.section].filter(Boolean).map(plain);
  const how = cosine === undefined
    ? `BM25 ${bm25.toFixed(2)}`
    : `BM25 ${bm25.toFixed(2)}, cosine ${cosine.toFixed(2)}`;
  return `rank ${rank}: ${from.join(", ")} (${plain(passage.id)}; ${how})`;
}

function gaps(evaluation: Evaluation): string {
  return bullets(
    gapsOf(evaluation).map(({ what, reason, message, partialText }) => {
      const partial = partialText === undefined
        ? ""
        : ` What had come back: "${plain(partialText)}"`;
      return `${plain(what)}: ${reason}. ${plain(message)}${partial}`;
    }),
  );
}
