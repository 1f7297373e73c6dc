import { sentencesOf } from "../claims/sentences.ts";
import { type Evidence, type Passage, SOURCE_TEXT, type TextSpan } from "../types.ts";

/** A stretch of a passage that a network can read at once. */
export interface SourceChunk {
  readonly passage: Passage;
  readonly span: TextSpan;
  /** What the network is shown: the stretch, behind title and section of a passage that was looked up. */
  readonly premise: string;
}

/** A stretch as what a verdict rests on. @param relevance 0–1. */
export function chunkEvidence({ passage, span }: SourceChunk, relevance: number): Evidence {
  const text = passage.text.slice(span.start, span.end);
  return { passageId: passage.id, collection: passage.collection, span, text, relevance };
}

type CountTokens = (text: string) => number;

/** `France, Population: `: a passage of a knowledge base does not repeat what it is about. */
function headingOf({ collection, title, section }: Passage): string {
  const parts = [title, section].filter((part) => part !== "");
  return collection === SOURCE_TEXT || parts.length === 0 ? "" : `${parts.join(", ")}: `;
}

/** A sentence that is too long by itself, halved at white space until it is not. */
function shortened(text: string, span: TextSpan, fits: (span: TextSpan) => boolean): TextSpan[] {
  if (fits(span)) return [span];
  const middle = Math.floor((span.start + span.end) / 2);
  const space = text.lastIndexOf(" ", middle);
  const cut = space > span.start ? space : middle;
  if (cut <= span.start) return [span];
  return [
    ...shortened(text, { start: span.start, end: cut }, fits),
    ...shortened(text, { start: cut, end: span.end }, fits),
  ];
}

/** Neighbouring spans joined as long as they fit together. */
function packed(spans: readonly TextSpan[], fits: (span: TextSpan) => boolean): TextSpan[] {
  const chunks: TextSpan[] = [];
  for (const span of spans) {
    const last = chunks.at(-1);
    const joined = last && { start: last.start, end: span.end };
    if (joined && fits(joined)) chunks[chunks.length - 1] = joined;
    else chunks.push(span);
  }
  return chunks;
}

/**
 * Sentences of a passage, as many together as the limit allows, none of them cut unless it is longer
 * than the limit by itself. A text without a sentence is one.
 *
 * @param limit Most tokens of a premise, ≥ 1.
 */
export function chunksOf(
  passage: Passage,
  limit: number,
  countTokens: CountTokens,
): readonly SourceChunk[] {
  const { text } = passage;
  const heading = headingOf(passage);
  const premise = ({ start, end }: TextSpan) => heading + text.slice(start, end);
  const fits = (span: TextSpan) => countTokens(premise(span)) <= limit;
  const sentences = sentencesOf(text).map(({ start, end }) => ({ start, end }));
  const whole = { start: 0, end: text.length };
  const parts = (sentences.length > 0 ? sentences : [whole])
    .flatMap((span) => shortened(text, span, fits));
  return packed(parts, fits).map((span) => ({ passage, span, premise: premise(span) }));
}

function countWords(text: string): number {
  return text.split(/\s+/).filter((word) => word !== "").length;
}

/**
 * Passages in stretches that a language model is shown one at a time; blank ones are left out.
 * @param limit Most words of a stretch with its heading, ≥ 1.
 */
export function wordChunks(passages: readonly Passage[], limit: number): readonly SourceChunk[] {
  return passages
    .filter(({ text }) => text.trim() !== "")
    .flatMap((passage) => chunksOf(passage, limit, countWords));
}
