import { markdownTable } from "../../figures/table.ts";
import { type ClaimResult, type Evaluation } from "../types.ts";
import { type UnsupportedClaim, VERDICT_LABELS } from "../types.ts";
import { alsoUnverifiable, comparedSentence, findingWords, gapsOf } from "./words.ts";
import { groundingSentence, joined } from "./words.ts";
import { judgementWords, lookupWords, measuredWords, noteWords } from "./words.ts";
import { percent, plausibilitySentence, provenanceLines, resultSentence } from "./words.ts";
import { statusOf, tenths, unsupportedGroups, weightOf } from "./words.ts";

/** An evaluation as a readable report in GitHub's Markdown; sections without content are left out. */
export function evaluationMarkdown(evaluation: Evaluation): string {
  const { request, disagreements, problems } = evaluation;
  const disputes = disagreements.map(({ claimId, words }) => `${claimId}: ${plain(words)}`);
  const gaps = gapsOf(evaluation).map(({ what, reason, message, partialText = "" }) => {
    const partial = partialText && ` What had come back: "${plain(partialText)}"`;
    return `${plain(what)}: ${reason}. ${plain(message)}${partial}`;
  });
  const section = (title: string, content: string) => content && `## ${title}\n\n${content}`;
  const sections = [
    `# Factuality evaluation: ${plain(request.id)}`,
    `${plain(resultSentence(evaluation))} ${plain(groundingSentence(evaluation))}`,
    section("Scores", scores(evaluation)),
    section("Claims", claims(evaluation)),
    section("Not borne out", unsupported(evaluation)),
    section("Verifier and judges disagree", bullets(disputes)),
    section("The text by itself", consistency(evaluation)),
    section("Reasoning of the judges", reasoning(evaluation)),
    section("Passages that were used", passages(evaluation)),
    section("What was not scored", bullets(gaps)),
    section("Problems", bullets(problems.map(plain))),
    section("How it was made", bullets(provenanceLines(evaluation).map(plain))),
  ];
  return `${joined(sections, "\n\n")}\n`;
}

/** Others' words as they are, without meaning anything to Markdown; on one line. */
export function plain(text: string): string {
  return text.replace(/\s+/g, " ").trim()
    .replace(/\p{Cc}/gu, "\ufffd")
    // Marks that turn the direction of whatever follows them, until they are closed.
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, "").toWellFormed()
    .replace(/[\\`*_{}[\]#~$!]/g, "\\$&")
    .replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
    .replaceAll("|", "&#124;");
}

const bullets = (lines: readonly string[]) => lines.map((line) => `- ${line}`).join("\n");

function scores(evaluation: Evaluation): string {
  const rows = evaluation.criteria.flatMap(({ criterion, judges, ensemble }) => {
    const name = plain(criterion);
    const all = () => {
      if (ensemble.kind === "unscored") return ["not scored", plain(ensemble.message)];
      const { score, variance, range, reasons } = ensemble;
      const spread = variance === undefined
        ? ""
        : `variance ${tenths(variance)}, range ${tenths(range)}`;
      const doubts = reasons.map((reason) => `low confidence: ${plain(reason)}`);
      return [`**${tenths(score)}**`, joined([spread, ...doubts], "; ")];
    };
    const rows = judges.map(({ judge, judgement, measured, milliseconds }) => {
      const said = [judgementWords(judgement), plain(measuredWords(measured))];
      const seconds = (milliseconds / 1000).toFixed(2);
      return [name, plain(judge), ...said, weightOf(evaluation, judge), seconds];
    });
    return [...rows, [name, "**together**", ...all(), undefined, undefined]];
  });
  if (rows.length === 0) return "";
  const columns = ["criterion", "judge", "score", "measured balanced accuracy", "weight", "s"];
  return markdownTable(columns, rows);
}

export function claims({ claims }: Evaluation): string {
  if (claims.length === 0) return "";
  const columns = ["id", "claim", "kind", "verdict", ...VERDICT_LABELS, "evidence", "judges"];
  const rows = claims.map((result) => {
    const { claim, verdict, judges } = result;
    const text = plain(joined([claim.text, noteWords(claim)], " — "));
    const status = statusOf(result) + alsoUnverifiable(result);
    const shares = VERDICT_LABELS.map((label) =>
      verdict.kind === "scored" ? percent(verdict.probabilities[label]) : undefined
    );
    const said = judges.map((one) => `${plain(one.judge)} ${judgementWords(one.judgement)}`);
    return [claim.id, text, claim.kind, status, ...shares, evidence(verdict), said.join(", ")];
  });
  return markdownTable(columns, rows);
}

function evidence(verdict: ClaimResult["verdict"]): string {
  if (verdict.kind === "unscored") return plain(verdict.message);
  const [best] = verdict.evidence;
  const quote = best === undefined
    ? ""
    : `"${plain(best.text)}" (${plain(best.collection)} ${plain(best.passageId)}, ` +
      `${best.span.start}–${best.span.end})`;
  return joined([quote, ...findingWords(verdict).map(plain)], "; ");
}

export function unsupported(evaluation: Evaluation): string {
  const line = ({ claimId, text, detectedBy, reasons, evidence: [best] }: UnsupportedClaim) => {
    const name = claimId === "" ? "" : `${claimId}: `;
    const by = detectedBy.map(plain).join(", ");
    const quoted = best === undefined ? "" : ` Evidence: "${plain(best.text)}"`;
    return `${name}"${plain(text)}", detected by ${by}. ${reasons.map(plain).join("; ")}.${quoted}`;
  };
  return unsupportedGroups(evaluation).map(({ title, entries }) =>
    `### ${title} (${entries.length})\n\n${bullets(entries.map(line))}`
  ).join("\n\n");
}

function consistency(evaluation: Evaluation): string {
  if (evaluation.consistency === undefined) return "";
  const found = evaluation.consistency.contradictions
    .map(({ words, probability }) => `${plain(words)} (${percent(probability)})`);
  const none = "No two claims were found to exclude one another.";
  const sentences = [comparedSentence(evaluation), plausibilitySentence(evaluation)];
  return joined([bullets(found) || none, ...sentences], "\n\n");
}

function reasoning({ criteria }: Evaluation): string {
  const lines = criteria.flatMap(({ criterion, judges }) =>
    judges.flatMap(({ judge, judgement }) => {
      if (judgement.kind === "unscored") return [];
      const flags = judgement.flagged
        .map(({ phrase, reason }) => `"${plain(phrase)}": ${plain(reason)}`);
      const words = joined([plain(judgement.reasoning), ...flags], "; ");
      return words === "" ? [] : [`${plain(judge)}, ${plain(criterion)}: ${words}`];
    })
  );
  return bullets(lines);
}

function passages({ claims, configuration }: Evaluation): string {
  if (configuration.retriever === undefined) return "";
  const lines = claims.flatMap(({ claim, passages, retrieval }) =>
    passages.length === 0
      ? [`${claim.id}: ${plain(lookupWords(retrieval))}`]
      : passages.map(({ passage, rank, bm25, cosine }) => {
        const { collection, title, section, id } = passage;
        const from = joined([collection, title, section].map(plain), ", ");
        const near = cosine === undefined ? "" : `, cosine ${cosine.toFixed(2)}`;
        return `${claim.id}, rank ${rank}: ${from} (${plain(id)}; BM25 ${bm25.toFixed(2)}${near})`;
      })
  );
  return bullets(lines);
}
