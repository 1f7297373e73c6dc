/** Report of a batch: overall findings, then one section per text (requirement 8.7). */
import { markdownTable } from "../../figures/table.ts";
import {
  escapeHtml,
  listMarkup,
  page,
  PAGE_STYLE,
  section,
  tableMarkup,
} from "../../files/page.ts";
import { candidateText, legend, PAGE_SCRIPT, scriptPolicy } from "../report/html.ts";
import { doubtfulClaimsSection, signOf, unsupportedSection } from "../report/html.ts";
import * as markdown from "../report/words.ts";
import { groundingSentence, joinNonEmpty, noteWords, provenanceLines } from "../report/words.ts";
import { oneDecimal, resultSentence, scoredAccuracy, verdictCounts } from "../report/words.ts";
import { verdictReason } from "../check/verify.ts";
import { type ClaimResult, type Evaluation, VERDICT_LABELS } from "../types.ts";
import { type BatchSummary, summaryMarkdown, summarySentences, summaryTables } from "./summary.ts";

type Evaluations = readonly Evaluation[];

/** Maximum length of all sections in characters. Browsers and editors can open such a report. */
const MAX_CHARACTERS = 6_000_000;

/**
 * Sections of a report by position. Where space is short, the texts with the least support have
 * one.
 */
function selectedSections(
  evaluations: Evaluations,
  most: number,
  sectionOf: (evaluation: Evaluation, index: number) => string,
): ReadonlyMap<number, string> {
  const worstFirst = [...evaluations.entries()]
    .sort(([, a], [, b]) => b.unsupported.length - a.unsupported.length);
  const sections = new Map<number, string>();
  let left = most;
  for (const [index, evaluation] of worstFirst) {
    // No section is shorter than its text.
    if (evaluation.request.candidate.length > left) continue;
    const section = sectionOf(evaluation, index);
    if (section.length > left) continue;
    left -= section.length;
    sections.set(index, section);
  }
  return new Map([...sections].sort(([a], [b]) => a - b));
}

function omissionNote({ length }: Evaluations, { size }: ReadonlyMap<number, string>): string {
  if (size === length) return "";
  return `For ${length - size} of ${length} texts there is no room here: their claims are in ` +
    "claims.csv, all that is known of them in results.jsonl.";
}

/** Table of texts, with systems and queries where the batch names them. */
function textsTable(evaluations: Evaluations) {
  const named = evaluations.some(({ request }) => request.system !== undefined);
  const judged = evaluations.some(scoredAccuracy);
  const columns = [
    "text",
    ...named ? ["system", "query"] : [],
    ...["claims", ...VERDICT_LABELS, "disputed", "unverifiable", "not scored"],
    ...judged ? ["judges, of 100"] : [],
  ];
  const rows = evaluations.map((evaluation) => {
    const { request: { id, system, query }, claims } = evaluation;
    const counts = verdictCounts(claims);
    const accuracy = scoredAccuracy(evaluation);
    const score = accuracy ? `${oneDecimal(accuracy.score)}` : "–";
    return [
      id,
      ...named ? [system ?? "–", query ?? "–"] : [],
      `${claims.length - counts["not checkable"]}`,
      ...VERDICT_LABELS.map((label) => `${counts[label]}`),
      `${counts.disputed}`,
      `${counts.unverifiable}`,
      `${counts.unscored}`,
      ...judged ? [score] : [],
    ];
  });
  return { columns, rows };
}

/** Formats a batch as Markdown: summary, table of texts, one section per text. */
export function batchMarkdown(
  evaluations: Evaluations,
  summary: BatchSummary,
  most: number = MAX_CHARACTERS,
): string {
  const { escapedMarkdown } = markdown;
  const sections = selectedSections(evaluations, most, (evaluation) => {
    const { request: { question }, problems } = evaluation;
    return joinNonEmpty([
      `## ${escapedMarkdown(titleOf(evaluation))}`,
      question === "" ? "" : `Asked: ${escapedMarkdown(question)}`,
      `${escapedMarkdown(resultSentence(evaluation))} ${
        escapedMarkdown(groundingSentence(evaluation))
      }`,
      markdown.claims(evaluation),
      markdown.unsupportedSection(evaluation),
      titledMarkdown("Supported with doubts", markdown.doubtfulClaimsSection(evaluation)),
      problems.map((one) => `- ${escapedMarkdown(one)}`).join("\n"),
    ], "\n\n");
  });
  const { columns, rows } = textsTable(evaluations);
  const parts = [
    summaryMarkdown(summary).trim(),
    `## Texts\n\n${markdownTable(columns, rows.map((row) => row.map(escapedMarkdown)))}`,
    omissionNote(evaluations, sections),
    ...sections.values(),
  ];
  return `${joinNonEmpty(parts, "\n\n")}\n`;
}

const titledMarkdown = (title: string, content: string) => content && `### ${title}\n\n${content}`;

const titleOf = ({ request: { id, system, query } }: Evaluation) =>
  system === undefined ? id : `${system}: ${query} (${id})`;

const STYLE = `${PAGE_STYLE}
details.text { background: var(--panel); border: 1px solid var(--hair); border-radius: 6px;
  margin: 0 0 .5rem; padding: .5rem 1rem; }
details.text > summary { font-weight: 600; }
details.text .running { max-height: 60vh; overflow-y: auto; }
details.text td { max-width: 32rem; }
`;

/** Renders a batch as one self-contained HTML file with a collapsed section per text. */
export function batchPage(
  evaluations: Evaluations,
  summary: BatchSummary,
  most: number = MAX_CHARACTERS,
): string {
  const sections = selectedSections(evaluations, most, sectionMarkup);
  const { columns, rows } = textsTable(evaluations);
  const linked = rows.map(([id, ...cells], index) => {
    const name = escapeHtml(id!);
    const link = `<a href="#text-${index + 1}">${name}</a>`;
    return [sections.has(index) ? link : name, ...cells.map(escapeHtml)];
  });
  const [mainResult, ...details] = summarySentences(summary).map(escapeHtml);
  const tables = summaryTables(summary).map(({ title, columns, rows }) => {
    const cells = rows.map((row) => row.map((cell) => escapeHtml(`${cell ?? "–"}`)));
    return { title, markup: tableMarkup(escapeHtml(title), columns.map(escapeHtml), cells) };
  });
  const isFirst = ({ title }: typeof tables[number]) => /^(?:What failed|Systems)/.test(title);
  const figures = tables.filter((one) => !isFirst(one)).map(({ markup }) => markup).join("\n");
  const made = evaluations.slice(0, 1).flatMap(provenanceLines);
  const sectionsShown = [legend(), omissionNote(evaluations, sections), ...sections.values()];
  return page({
    title: "Factuality evaluation: batch",
    style: STYLE,
    allowed: scriptPolicy,
    header: `<p class="result">${mainResult}</p>\n<p>${details.join(" ")}</p>`,
    main: [
      ...tables.filter(isFirst).map(({ markup }) => markup),
      section(
        "Texts",
        tableMarkup("A row a text; its name leads to it", columns.map(escapeHtml), linked),
      ),
      section("Text by text", joinNonEmpty(sectionsShown, "\n")),
      section("In figures", `<details><summary>Show them</summary>\n${figures}\n</details>`),
    ].join("\n"),
    footer: section(
      "How it was made",
      `<div class="quiet">${listMarkup(made.map(escapeHtml))}</div>`,
    ),
    script: `<script>${PAGE_SCRIPT}</script>\n`,
  });
}

/** Renders a text with its claims, collapsed. A link into it expands it. */
function sectionMarkup(evaluation: Evaluation, index: number): string {
  const { request: { question }, claims, problems } = evaluation;
  const at = `text-${index + 1}-`;
  const counts = verdictCounts(claims);
  const checkable = claims.length - counts["not checkable"];
  const asked = question === "" ? "" : `<p class="quiet">Asked: ${escapeHtml(question)}</p>`;
  const charges = unsupportedSection(evaluation, at);
  const doubts = doubtfulClaimsSection(evaluation, at);
  return joinNonEmpty([
    `<details class="text"><summary>${escapeHtml(titleOf(evaluation))} ` +
    `<span class="quiet">${counts.supported} of ${checkable} supported, ${counts.refuted} refuted</span></summary>`,
    `<div id="text-${index + 1}">`,
    asked,
    `<p>${escapeHtml(resultSentence(evaluation))} ${escapeHtml(groundingSentence(evaluation))}</p>`,
    candidateText(evaluation, at),
    claims.length === 0 ? "" : tableMarkup(
      "Claims and what they rest on",
      ["claim", "verdict", "in words", "evidence", "why"],
      claims.map((result, place) => claimCells(result, place + 1, at)),
    ),
    charges === "" ? "" : `<h3>Unsupported</h3>\n${charges}`,
    doubts === "" ? "" : `<h3>Supported with doubts</h3>\n${doubts}`,
    listMarkup(problems.map(escapeHtml)),
    "</div></details>",
  ], "\n");
}

/** Maximum length of shown evidence in characters, one or two sentences. */
const MAX_EVIDENCE_CHARACTERS = 400;

function claimCells(result: ClaimResult, number: number, at: string): readonly string[] {
  const { claim, verdict, passages } = result;
  const { className, sign, words } = signOf(result);
  const [best] = verdict.kind === "scored" ? verdict.evidence : [];
  const passage = passages.find(({ passage }) => passage.id === best?.passageId)?.passage;
  const whence = passage === undefined
    ? best?.collection
    : joinNonEmpty([passage.collection, passage.title, passage.section], ", ");
  const quoted = best === undefined || best.text.length <= MAX_EVIDENCE_CHARACTERS
    ? best?.text.trim()
    : `${best.text.trim().slice(0, MAX_EVIDENCE_CHARACTERS)} …`;
  const why = verdict.kind === "scored" ? verdictReason(verdict) : verdict.message;
  return [
    `<span id="${at}claim-${number}">${number}</span>`,
    `<span class="badge ${className}">${sign} ${words}</span>`,
    escapeHtml(joinNonEmpty([claim.text, noteWords(claim)], " — ")),
    quoted === undefined
      ? "–"
      : `“${escapeHtml(quoted)}” <span class="quiet">${escapeHtml(whence!)}</span>`,
    escapeHtml(why),
  ];
}
