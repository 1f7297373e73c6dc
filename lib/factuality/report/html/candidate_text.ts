import type { ClaimResult, Evaluation } from "../../evaluation/evaluation.ts";
import { escaped } from "./markup.ts";
import { type Segment, segmentsOf } from "./segments.ts";
import { signOf, VERDICT_SIGNS } from "./verdict_signs.ts";

/**
 * The candidate's text: each claim's words in its verdict's colour and line, and behind its last
 * word a link to what is known of it.
 */
export function candidateText({ request, claims, criteria }: Evaluation): string {
  const marks = claims.flatMap(({ claim }, index) =>
    claim.spans.map((span) => ({ ...span, of: index }))
  );
  const flags = criteria.flatMap(({ judges }) =>
    judges.flatMap(({ judgement }) =>
      judgement.kind === "scored" ? judgement.flagged.flatMap(({ span }) => span ?? []) : []
    )
  ).map((span) => ({ ...span, of: claims.length }));
  const segments = segmentsOf(request.candidate, [...marks, ...flags]);
  return `<div class="running">${
    segments.map((segment) => segmentMarkup(segment, claims)).join("")
  }</div>`;
}

function segmentMarkup({ text, of, end }: Segment, claims: readonly ClaimResult[]): string {
  const own = of.filter((index) => index < claims.length);
  const flagged = of.length > own.length ? ["flagged"] : [];
  if (of.length === 0) return escaped(text);
  const gravest = own.toSorted((a, b) => gravity(claims, b) - gravity(claims, a))[0];
  const verdict = gravest === undefined ? [] : [signOf(claims[gravest]!).className];
  const numbers = own.map((index) => `of-${index + 1}`);
  const go = gravest === undefined ? "" : ` data-go="claim-${gravest + 1}"`;
  const classes = ["words", ...verdict, ...flagged, ...numbers].join(" ");
  const ends = own.filter((index) => claims[index]!.claim.spans.at(-1)?.end === end);
  return `<span class="${classes}"${go}>${escaped(text)}</span>` +
    ends.map((index) => claimTag(claims[index]!, index + 1)).join("");
}

const gravity = (claims: readonly ClaimResult[], index: number) => signOf(claims[index]!).gravity;

function claimTag(result: ClaimResult, number: number): string {
  const { className, sign, words } = signOf(result);
  return `<a class="tag ${className}" id="text-${number}" href="#claim-${number}" ` +
    `aria-label="claim ${number}: ${words}">${number}${sign}</a>`;
}

/** What the colours, lines and signs mean. */
export function legend(): string {
  const items = Object.values(VERDICT_SIGNS).map(({ className, sign, words }) =>
    `<li><span class="words ${className}">${sign} ${words}</span></li>`
  );
  const flag = `<li><span class="words flagged">flagged by a judge</span></li>`;
  return `<ul class="legend" aria-label="Signs">${items.join("")}${flag}</ul>`;
}
