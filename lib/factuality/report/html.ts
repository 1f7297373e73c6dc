import {
  escapeHtml,
  listMarkup,
  page,
  PAGE_STYLE,
  policyHash,
  section,
  tableMarkup,
} from "../../files/page.ts";
import type { ClaimResult, Evaluation, Evidence } from "../types.ts";
import { type FlaggedPhrase, type Passage, SOURCE_TEXT, sourcePassage } from "../types.ts";
import { type TextSpan } from "../types.ts";
import { type UnsupportedClaim, VERDICT_LABELS, type VerdictProbabilities } from "../types.ts";
import {
  type ClaimStatus,
  ensembleWords,
  groundingSentence,
  joinNonEmpty,
  missingScores,
} from "./words.ts";
import {
  doubtfulClaims,
  findingWords,
  judgementWords,
  measuredWords,
  noteWords,
  percent,
  reasonsForDoubt,
  retrievalWords,
  unverifiableSuffix,
} from "./words.ts";
import {
  comparedSentence,
  plausibilitySentence,
  provenanceLines,
  resultSentence,
  statusOf,
} from "./words.ts";
import { unsupportedGroups, weightOf } from "./words.ts";

/** Script that makes a claim's words clickable. Without it only its number is a link. */
export const PAGE_SCRIPT = `
document.addEventListener("click", ({ target }) => {
  const words = target.closest("[data-go]");
  if (words && getSelection().isCollapsed) location.hash = words.dataset.go;
});
`;

const MAX_RULES = 500;

/** Maximum number of claims with a card, unsupported ones first. Others have one line. */
const MAX_CARDS = 2_000;

/** Numbers of the claims with a card, from 1. */
function cardsOf({ claims }: Evaluation): ReadonlySet<number> {
  const numbers = claims.map((result, index) => ({ number: index + 1, result }));
  const weight = (result: ClaimResult) => signOf(result).gravity < 3 ? 1 : 0;
  const chosen = numbers.toSorted((a, b) => weight(a.result) - weight(b.result));
  return new Set(chosen.slice(0, MAX_CARDS).map(({ number }) => number));
}

/** Renders an evaluation as one self-contained HTML file that also works without its script. */
export function evaluationPage(evaluation: Evaluation): string {
  const { request: { id, question }, claims } = evaluation;
  const asked = question === "" ? "" : `<p class="quiet">Asked: ${escapeHtml(question)}</p>\n`;
  const cards = cardsOf(evaluation);
  const sources = shownPassages(evaluation, cards);
  const made = listMarkup(provenanceLines(evaluation).map(escapeHtml));
  // The selected claim's words and its evidence are highlighted without a script. For a book's
  // claims a browser would test every rule on every word.
  const rules = claims.length > MAX_RULES ? [] : claims.map((_, index) => {
    const looked = `body:has(#claim-${index + 1}:target)`;
    const words = `.of-${index + 1} { outline: 2px solid var(--accent); outline-offset: 1px; }`;
    return `${looked} ${words}\n${looked} mark.for-${index + 1} { background: var(--mark-hot); }`;
  });
  const main = `${
    joinNonEmpty([
      section("Unsupported", unsupportedSection(evaluation)),
      section("Supported with doubts", doubtfulClaimsSection(evaluation)),
    ], "\n")
  }
<div class="both">
<div>
${section("The text", `${asked}${legend()}\n${candidateText(evaluation)}`)}
${section("What it was checked against", sources.map(passageMarkup).join("\n"))}
</div>
<div class="cards" role="region" aria-label="Claims" tabindex="0">
${section("Claims", claimCards(evaluation, sources, cards))}
</div>
</div>
${scoresSection(evaluation)}
${otherFindingsSections(evaluation)}`;
  return page({
    title: `Factuality evaluation: ${escapeHtml(id)}`,
    style: `${PAGE_STYLE}${rules.join("\n")}\n`,
    allowed: scriptPolicy,
    header: `<p class="result">${escapeHtml(resultSentence(evaluation))}</p>
<p>${escapeHtml(groundingSentence(evaluation))}</p>`,
    main,
    footer: section("How it was made", `<div class="quiet">${made}</div>`),
    script: `<script>${PAGE_SCRIPT}</script>\n`,
  });
}

/** Content-security policy that allows the page's one script. */
export const scriptPolicy = `script-src '${policyHash(PAGE_SCRIPT)}'`;

const shownAs = (
  className: string,
  gravity: number,
  sign: string,
  words: string,
  meaning: string,
) => ({ className, gravity, sign, words, meaning });

/** CSS class and sign of each verdict. Where claims overlap the most severe is shown. */
const VERDICT_SIGNS: Readonly<Record<ClaimStatus, ReturnType<typeof shownAs>>> = {
  supported: shownAs("supported", 2, "✓", "supported", "a source says so"),
  refuted: shownAs("refuted", 4, "✗", "refuted", "a source says otherwise"),
  "not enough info": shownAs("unknown", 3, "?", "not enough info", "the sources leave it open"),
  disputed: shownAs(
    "unknown",
    3,
    "≠",
    "disputed",
    "not supported, for that has under 50 %, and yet nothing else is more probable",
  ),
  unverifiable: shownAs("unknown", 3, "∅", "unverifiable", "nothing to check it against"),
  unscored: shownAs("unscored", 1, "–", "not scored", "the verifier gave no answer"),
  "not checkable": shownAs("unscored", 0, "·", "not checkable", "an opinion, a question"),
};
export function signOf(result: ClaimResult) {
  const sign = VERDICT_SIGNS[statusOf(result)];
  return { ...sign, words: `${sign.words}${unverifiableSuffix(result)}` };
}

/** Cuts a text at the ends of marks; `owners` lists the marks of a segment, ascending. */
export function segmentsOf(
  text: string,
  marks: readonly (TextSpan & { readonly owner: number })[],
) {
  const inside = marks.map(({ start, end, owner }) => {
    return { owner, start: Math.max(0, start), end: Math.min(text.length, end) };
  }).filter(({ start, end }) => start < end);
  const cuts = new Set([0, text.length, ...inside.flatMap(({ start, end }) => [start, end])]);
  const places = [...cuts].sort((a, b) => a - b);
  const begun = Map.groupBy(inside, ({ start }) => start);
  let open: typeof inside = [];
  return places.slice(1).map((end, index) => {
    const start = places[index]!;
    open = [...open.filter((mark) => mark.end > start), ...begun.get(start) ?? []];
    const owners = [...new Set(open.map((mark) => mark.owner))].sort((a, b) => a - b);
    return { start, end, text: text.slice(start, end), owners };
  });
}

/** A passage on the page with the evidence in it. */
type ShownPassage = ReturnType<typeof shownPassages>[number];

/** Evidence of a claim, with the claim's number (from 1) and its anchor. */
type PlacedEvidence = ReturnType<typeof placedEvidence>[number];

/** Returns the source text, if any, and every retrieved passage once. */
function shownPassages({ request, claims }: Evaluation, cards: ReadonlySet<number>) {
  const looked = claims.flatMap(({ passages }) => passages.map(({ passage }) => passage));
  const all = request.source.trim() === "" ? looked : [sourcePassage(request.source), ...looked];
  const distinct = new Map(all.map((passage) => [keyOf(passage), passage]));
  const evidence = claims.flatMap(placedEvidence).filter(({ claim }) => cards.has(claim));
  const placed = Map.groupBy(evidence, ({ evidence }) => placeOf(evidence));
  return [...distinct].map(([key, passage]) => ({ passage, evidence: placed.get(key) ?? [] }));
}

/** Returns the evidence of one claim, best first. */
const placedEvidence = ({ verdict }: ClaimResult, index: number) =>
  verdict.kind === "unscored" ? [] : verdict.evidence.map((evidence, rank) => {
    return { claim: index + 1, anchor: `evidence-${index + 1}-${rank + 1}`, evidence };
  });

/** Key of a passage, since ids are unique only within a collection. */
const keyOf = ({ collection, id }: Passage) => JSON.stringify([collection, id]);
const placeOf = (evidence: Evidence) => JSON.stringify([evidence.collection, evidence.passageId]);

/** Renders the candidate's text with verdict colours and links. Anchors begin with `at`. */
export function candidateText({ request, claims, criteria }: Evaluation, at = ""): string {
  const marks = claims.flatMap(({ claim }, owner) =>
    claim.spans.map((span) => ({ ...span, owner }))
  );
  const judgements = criteria.flatMap(({ judges }) => judges.map(({ judgement }) => judgement));
  const flags = judgements.flatMap((judgement) =>
    judgement.kind === "scored" ? judgement.flagged.flatMap(({ span }) => span ?? []) : []
  ).map((span) => ({ ...span, owner: claims.length }));
  const segments = segmentsOf(request.candidate, [...marks, ...flags])
    .map((segment) => segmentMarkup(segment, claims, at));
  return `<div class="running">${segments.join("")}</div>`;
}

function segmentMarkup(
  { text, owners, end }: ReturnType<typeof segmentsOf>[number],
  claims: readonly ClaimResult[],
  at: string,
): string {
  if (owners.length === 0) return escapeHtml(text);
  const ofClaims = owners.filter((index) => index < claims.length).map((index) => {
    return { ...signOf(claims[index]!), claim: claims[index]!.claim, number: index + 1 };
  });
  const [gravest] = ofClaims.toSorted((a, b) => b.gravity - a.gravity);
  const classes = [
    "words",
    ...gravest ? [gravest.className] : [],
    ...owners.length > ofClaims.length ? ["flagged"] : [],
    ...ofClaims.map(({ number }) => `of-${number}`),
  ];
  const go = gravest ? ` data-go="${at}claim-${gravest.number}"` : "";
  const tags = ofClaims.filter(({ claim }) => claim.spans.at(-1)?.end === end)
    .map(({ className, number, sign, words }) =>
      `<a class="tag ${className}" id="${at}text-${number}" href="#${at}claim-${number}" ` +
      `aria-label="claim ${number}: ${words}">${number}${sign}</a>`
    );
  return `<span class="${classes.join(" ")}"${go}>${escapeHtml(text)}</span>${tags.join("")}`;
}

/** Explains colours, lines and signs for a first-time reader. */
export function legend(): string {
  const items = Object.values(VERDICT_SIGNS).map(({ className, sign, words, meaning }) =>
    `<li><span class="words ${className}">${sign} ${words}</span> ${meaning}</li>`
  );
  const flag = `<li><span class="words flagged">flagged</span> by a judge</li>`;
  return `<ul class="legend" aria-label="Signs">${items.join("")}${flag}</ul>
<p class="quiet">The verifier is a program and errs in both directions, so every verdict shows its
evidence. A verdict is the most probable of the three; a claim is supported from 50 % on. A supported
claim is listed under “Supported with doubts” where a finding speaks against it, or where its
probability is below 70 %. Brackets give the 95 % interval of a share.</p>`;
}

/** Renders a passage or the source text with the evidence marked. */
function passageMarkup({ passage, evidence }: ShownPassage): string {
  const { collection, title, section, id, text } = passage;
  const isSource = collection === SOURCE_TEXT;
  const name = isSource
    ? "Source text"
    : joinNonEmpty([collection, title, section, `passage ${id}`], ", ");
  const marks = evidence.map(({ evidence }, index) => ({ ...evidence.span, owner: index }));
  const anchored = new Set<PlacedEvidence>();
  const running = segmentsOf(text, marks).map(({ text, owners }) => {
    const covering = owners.map((index) => evidence[index]!);
    // An anchor at the start of evidence, with the numbers of its claims.
    const anchors = covering.filter((placed) => !anchored.has(placed)).map((placed) => {
      anchored.add(placed);
      if (!placed.anchor.endsWith("-1")) return `<span id="${placed.anchor}"></span>`;
      return `<a class="tag evidence" id="${placed.anchor}" href="#claim-${placed.claim}" ` +
        `aria-label="evidence for claim ${placed.claim}">${placed.claim}</a>`;
    });
    const classes = new Set(covering.map(({ claim }) => `for-${claim}`));
    // In a short source every word is evidence for every claim.
    if (covering.every(({ anchor }) => !anchor.endsWith("-1"))) classes.add("read");
    return covering.length === 0
      ? escapeHtml(text)
      : `${anchors.join("")}<mark class="${[...classes].join(" ")}">${escapeHtml(text)}</mark>`;
  });
  return `<details class="passage"${isSource ? " open" : ""}><summary>${
    escapeHtml(name)
  }</summary>` +
    `<div class="running">${running.join("")}</div></details>`;
}

/** Number of characters shown on either side of the evidence. */
const CONTEXT = 90;

/** Renders a card per claim: verdict, probabilities, evidence, findings and judges. */
function claimCards(
  evaluation: Evaluation,
  shown: readonly ShownPassage[],
  cards: ReadonlySet<number>,
): string {
  // Indexed once, since a long text has thousands of claims.
  const passages = new Map(shown.map(({ passage }) => [keyOf(passage), passage]));
  const disputes = Map.groupBy(evaluation.disagreements, ({ claimId }) => claimId);
  return evaluation.claims.map((result, index) => {
    const { claim, verdict, retrieval, judges } = result;
    const { className, sign, words } = signOf(result);
    const number = index + 1;
    if (!cards.has(number)) {
      const line = `<span class="${className}">${sign} ${words}</span> ${escapeHtml(claim.text)}`;
      return `<p class="quiet" id="claim-${number}">claim ${number}: ${line}</p>`;
    }
    const scored = verdict.kind === "scored" ? verdict : undefined;
    return joinNonEmpty([
      `<article class="card" id="claim-${number}" tabindex="-1" aria-labelledby="title-${number}">`,
      `<h3 id="title-${number}"><span class="badge ${className}">${sign} ${words}</span> ` +
      `<span class="quiet">claim ${number}, ${claim.kind}</span></h3>`,
      `<p class="claim">${escapeHtml(claim.text)}</p>`,
      claim.notes.length > 0 ? `<p class="quiet">${escapeHtml(noteWords(claim))}</p>` : "",
      scored ? probabilityBar(scored.probabilities) : "",
      verdict.kind === "unscored" ? `<p>${escapeHtml(verdict.message)}</p>` : "",
      listMarkup(scored ? findingWords(scored).map(escapeHtml) : []),
      quotes(placedEvidence(result, index).map((placed) => quote(passages, placed))),
      scored?.reasoning ? `<p>${escapeHtml(scored.reasoning)}</p>` : "",
      listMarkup(judges.map(({ judge, judgement }) => {
        const score = `${escapeHtml(judge)}: <strong>${judgementWords(judgement)}</strong>`;
        if (judgement.kind === "unscored") return `${score}. ${escapeHtml(judgement.message)}`;
        const { reasoning } = judgement;
        if (reasoning === "") return score;
        return `<details><summary>${score}</summary><p>${escapeHtml(reasoning)}</p></details>`;
      })),
      listMarkup((disputes.get(claim.id) ?? []).map(({ words }) => disagreement(words))),
      `<p class="quiet">Knowledge base: ${escapeHtml(retrievalWords(retrieval))}. ` +
      `<a href="#text-${number}">In the text</a></p>`,
      "</article>",
    ], "\n");
  }).join("\n");
}

const disagreement = (words: string) => `<strong>Disagreement:</strong> ${escapeHtml(words)}`;

/** Shows the best evidence and collapses the rest. */
function quotes([best = "", ...rest]: readonly string[]): string {
  if (rest.length === 0) return best;
  const more = `<details><summary>What else was read (${rest.length})</summary>`;
  return `${best}\n${more}\n${rest.join("\n")}</details>`;
}

/** Quotes evidence with its context and a link to its position. */
function quote(passages: ReadonlyMap<string, Passage>, { anchor, evidence }: PlacedEvidence) {
  const shown = passages.get(placeOf(evidence));
  if (shown === undefined) return `<blockquote>${escapeHtml(evidence.text)}</blockquote>`;
  const { text, title, section, collection } = shown;
  const { start, end } = evidence.span;
  const [before, after] = [text.slice(Math.max(0, start - CONTEXT), start), text.slice(end)];
  const cut = after.slice(0, CONTEXT);
  const lead = start <= CONTEXT ? before : `… ${before.replace(/^\S*\s/, "")}`;
  const rest = after.length <= CONTEXT ? after : `${cut.replace(/\s\S*$/, "")} …`;
  const name = joinNonEmpty([collection, title, section], ", ");
  const link = `<a href="#${anchor}">${escapeHtml(name)}</a>`;
  return `<blockquote>${escapeHtml(lead)}<mark>${escapeHtml(evidence.text)}</mark>${
    escapeHtml(rest)
  }` +
    `<footer>${link}</footer></blockquote>`;
}

/** A bar of three probabilities, which are also given in words. */
function probabilityBar(probabilities: VerdictProbabilities): string {
  let x = 0;
  const bars = VERDICT_LABELS.map((label) => {
    const [from, width] = [x, 100 * probabilities[label]];
    x += width;
    return `<rect class="${VERDICT_SIGNS[label].className}" x="${from.toFixed(2)}" ` +
      `width="${width.toFixed(2)}" height="6"/>`;
  }).join("");
  const words = VERDICT_LABELS.map((label) => `${label} ${percent(probabilities[label])}`);
  const svg = `<svg class="bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">`;
  return `${svg}${bars}</svg>\n<p class="quiet">${words.join(" · ")}</p>`;
}

/** Shows each judge's score next to the combined one. */
function scoresSection(evaluation: Evaluation): string {
  const tables = evaluation.criteria.map(({ criterion, judges, ensemble }) => {
    const rows = judges.map(({ judge, judgement, measured }) => [
      escapeHtml(judge),
      judgementWords(judgement),
      escapeHtml(measuredWords(measured)),
      String(weightOf(evaluation, judge) ?? "–"),
      judgement.kind === "unscored"
        ? escapeHtml(judgement.message)
        : escapeHtml(judgement.reasoning) + listMarkup(judgement.flagged.map(flag)),
    ]);
    const columns = ["judge", "score", "balanced accuracy when measured", "weight", "reasoning"];
    return tableMarkup(
      `${escapeHtml(criterion)}: ${escapeHtml(ensembleWords(ensemble))}`,
      columns,
      rows,
    );
  });
  return section("Scores", tables.join("\n"));
}

const flag = ({ phrase, reason }: FlaggedPhrase) =>
  `“${escapeHtml(phrase)}”: ${escapeHtml(reason)}`;

/** Shows other findings: contradictions, gaps and problems. */
function otherFindingsSections(evaluation: Evaluation): string {
  const contradictions = (evaluation.consistency?.contradictions ?? [])
    .map(({ words, probability }) => `${escapeHtml(words)} (${percent(probability)})`);
  const compared = comparedSentence(evaluation);
  const plausible = plausibilitySentence(evaluation);
  const gaps = missingScores(evaluation).map(({ what, reason, message, partialText = "" }) => {
    const partial = partialText && ` Text received: <code>${escapeHtml(partialText)}</code>`;
    return `${escapeHtml(what)}: ${reason}. ${escapeHtml(message)}${partial}`;
  });
  return joinNonEmpty([
    section(
      "Claims that exclude one another",
      listMarkup(contradictions) + (compared && `<p class="quiet">${escapeHtml(compared)}</p>`),
    ),
    section(
      "How plausible claims are by themselves",
      plausible && `<p>${escapeHtml(plausible)}</p>`,
    ),
    section("What was not scored", listMarkup(gaps)),
    section("Problems", listMarkup(evaluation.problems.map(escapeHtml))),
  ], "\n");
}

/** Lists supported claims with reasons for doubt. Anchors of claims begin with `at`. */
export function doubtfulClaimsSection(evaluation: Evaluation, at = ""): string {
  const numbers = new Map(evaluation.claims.map(({ claim }, index) => [claim.id, index + 1]));
  const items = doubtfulClaims(evaluation).map((one) => {
    const number = numbers.get(one.claim.id);
    const link = `<a href="#${at}claim-${number}">claim ${number}</a>`;
    return `${link}: “${escapeHtml(one.claim.text)}” ${
      escapeHtml(reasonsForDoubt(one).join("; "))
    }`;
  });
  return collapsed(listMarkup(items), items.length);
}

/** Collapses long lists. */
const collapsed = (items: string, count: number) =>
  count > MAX_ENTRIES ? `<details><summary>Show them</summary>\n${items}\n</details>` : items;

/** Maximum number of visible entries of one kind. The text stays in view. */
const MAX_ENTRIES = 20;

/** Lists unsupported claims by kind; anchors of claims begin with `at`. */
export function unsupportedSection(evaluation: Evaluation, at = ""): string {
  const numbers = new Map(evaluation.claims.map(({ claim }, index) => [claim.id, index + 1]));
  const item = ({ claimId, text, reasons }: UnsupportedClaim) => {
    const number = numbers.get(claimId);
    const link = `<a href="#${at}claim-${number}">claim ${number}</a>: `;
    const name = number === undefined ? "" : link;
    return `${name}“${escapeHtml(text)}” ${escapeHtml(reasons.join("; "))}`;
  };
  return unsupportedGroups(evaluation).map(({ title, entries }) => {
    const items = listMarkup(entries.map(item));
    return `<h3>${title} (${entries.length})</h3>\n${collapsed(items, entries.length)}`;
  }).join("\n");
}
