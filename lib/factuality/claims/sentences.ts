import type { TextSpan } from "../text_span.ts";
import { readEnglish } from "./english.ts";
import { blocksOf } from "./text_blocks.ts";

/** A sentence, list item or heading; `text` is what stands at its span, bullets excluded. */
export interface Sentence extends TextSpan {
  readonly text: string;
}

/** An unclosed quotation is waited for over so many characters, then given up. */
const LONGEST_QUOTATION = 600;

/**
 * Sentences in order: wink-nlp's, within the paragraphs, list items and headings of the text, put
 * together again where it parts inside a quotation or bracket or before a small letter.
 */
export function sentencesOf(text: string): readonly Sentence[] {
  return blocksOf(text).flatMap((block) => {
    const words = text.slice(block.start, block.end);
    const parts = readEnglish(words).sentences;
    return joined(words, parts).map((part) => trimmed(text, part, block.start));
  }).filter(({ text }) => /[\p{L}\p{N}]/u.test(text));
}

function trimmed(text: string, part: TextSpan, offset: number): Sentence {
  const start = offset + part.start;
  const end = offset + part.end;
  return { text: text.slice(start, end), start, end };
}

function joined(text: string, parts: readonly TextSpan[]): readonly TextSpan[] {
  const sentences: TextSpan[] = [];
  for (const part of parts) {
    const last = sentences.at(-1);
    if (last && goesOn(text, last, part)) {
      sentences[sentences.length - 1] = { start: last.start, end: part.end };
    } else sentences.push(part);
  }
  return sentences;
}

function goesOn(text: string, before: TextSpan, after: TextSpan): boolean {
  const first = text.slice(before.start, before.end);
  const next = text.slice(after.start, after.end);
  if (/^[\p{Ll}\])]/u.test(next) && !/^(?:i\)|[a-z][.)])/.test(next)) return true;
  if (/^["”’'][\s.,;:]*$/.test(next)) return true;
  if (/^(?:\[\d+\]|[,;:)]|\(\d{4}\))/.test(next)) return true;
  // "Ph.|D. from", "U.|S. Army".
  if (/(?:^|[\s(.])\p{Lu}\p{Ll}?\.$/u.test(first) && /^\p{Lu}\.(?:\s|$)/u.test(next)) return true;
  return first.length < LONGEST_QUOTATION && isOpen(first) && closes(text.slice(after.start));
}

/** A quotation mark or bracket without its partner; apostrophes do not count. */
function isOpen(text: string): boolean {
  const count = (mark: RegExp) => text.match(mark)?.length ?? 0;
  return count(/"/g) % 2 === 1 || count(/“/g) > count(/”/g) || count(/\(/g) > count(/\)/g);
}

function closes(rest: string): boolean {
  return /["”)]/.test(rest.slice(0, LONGEST_QUOTATION));
}
