import type { ClaimResult, Evaluation, JudgeResult } from "../../evaluation/evaluation.ts";
import { VERDICT_LABELS, type VerdictProbabilities } from "../../verdicts/verdict.ts";
import { judgementWords, noteWords, percent } from "../words.ts";
import {
  keyOf,
  type PlacedEvidence,
  placedEvidence,
  type ShownPassage,
  shownPassages,
} from "./evidence_places.ts";
import { escaped, list } from "./markup.ts";
import { signOf, VERDICT_SIGNS } from "./verdict_signs.ts";

/** Characters of a passage shown on either side of the evidence. */
const CONTEXT = 90;

/** What is known of each claim: verdict, probabilities, evidence, findings and judges. */
export function claimCards(evaluation: Evaluation): string {
  const around = {
    passages: new Map(
      shownPassages(evaluation).map(({ passage }) => [
        keyOf(passage.collection, passage.id),
        passage,
      ]),
    ),
    disputes: Map.groupBy(evaluation.disagreements, ({ claimId }) => claimId),
  };
  return evaluation.claims.map((result, index) => card(around, result, index)).join("\n");
}

/** What all cards are made from: looked up once, for a long text has thousands of claims. */
interface Around {
  readonly passages: ReadonlyMap<string, ShownPassage["passage"]>;
  readonly disputes: ReadonlyMap<string, Evaluation["disagreements"]>;
}

function card(around: Around, result: ClaimResult, index: number): string {
  const { claim, verdict, unverifiable, retrieval, judges } = result;
  const { className, sign, words } = signOf(result);
  const number = index + 1;
  const evidence = placedEvidence(result, index);
  const disputes = around.disputes.get(claim.id) ?? [];
  return [
    `<article class="card" id="claim-${number}" tabindex="-1" aria-labelledby="title-${number}">`,
    `<h3 id="title-${number}"><span class="badge ${className}">${sign} ${words}</span> ` +
    `<span class="quiet">claim ${number}, ${claim.kind}${
      unverifiable ? ", unverifiable" : ""
    }</span></h3>`,
    `<p class="claim">${escaped(claim.text)}</p>`,
    claim.notes.length > 0 ? `<p class="quiet">${escaped(noteWords(claim))}</p>` : "",
    verdict.kind === "scored"
      ? probabilityBar(verdict.probabilities)
      : `<p>${escaped(verdict.message)}</p>`,
    verdict.kind === "scored"
      ? list(verdict.findings.map((finding) => escaped(finding.words)))
      : "",
    evidence.map((placed) => quote(around, placed)).join("\n"),
    verdict.kind === "scored" && verdict.reasoning !== ""
      ? `<p>${escaped(verdict.reasoning)}</p>`
      : "",
    judgesList(judges),
    list(disputes.map((dispute) => `<strong>Disagreement:</strong> ${escaped(dispute.words)}`)),
    `<p class="quiet">Knowledge base: ${escaped(`${retrieval.status}, ${retrieval.message}`)}. ` +
    `<a href="#text-${number}">In the text</a></p>`,
    "</article>",
  ].filter((part) => part !== "").join("\n");
}

/** The evidence with some words around it, and a link to its place. */
function quote({ passages }: Around, { anchor, evidence }: PlacedEvidence): string {
  const shown = passages.get(keyOf(evidence.collection, evidence.passageId));
  if (shown === undefined) return `<blockquote>${escaped(evidence.text)}</blockquote>`;
  const { text, title, section, collection } = shown;
  const { start, end } = evidence.span;
  const before = start <= CONTEXT
    ? text.slice(0, start)
    : `… ${text.slice(start - CONTEXT, start).replace(/^\S*\s/, "")}`;
  const after = text.length - end <= CONTEXT
    ? text.slice(end)
    : `${text.slice(end, end + CONTEXT).replace(/\s\S*$/, "")} …`;
  const name = [collection, title, section].filter((part) => part !== "").join(", ");
  return `<blockquote>${escaped(before)}<mark>${escaped(evidence.text)}</mark>${escaped(after)}` +
    `<footer><a href="#${anchor}">${escaped(name)}</a></footer></blockquote>`;
}

/** Three shares of one bar, which are told in words too. */
function probabilityBar(probabilities: VerdictProbabilities): string {
  let x = 0;
  const bars = VERDICT_LABELS.map((label) => {
    const width = 100 * probabilities[label];
    const rect = `<rect class="${VERDICT_SIGNS[label].className}" x="${x.toFixed(2)}" ` +
      `width="${width.toFixed(2)}" height="6"/>`;
    x += width;
    return rect;
  });
  const words = VERDICT_LABELS.map((label) => `${label} ${percent(probabilities[label])}`);
  return `<svg class="bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">${
    bars.join("")
  }</svg>\n<p class="quiet">${words.join(" · ")}</p>`;
}

function judgesList(judges: readonly JudgeResult[]): string {
  return list(judges.map(({ judge, judgement }) => {
    const score = `${escaped(judge)}: <strong>${judgementWords(judgement)}</strong>`;
    if (judgement.kind === "unscored") return `${score}. ${escaped(judgement.message)}`;
    if (judgement.reasoning === "") return score;
    return `<details><summary>${score}</summary><p>${escaped(judgement.reasoning)}</p></details>`;
  }));
}
