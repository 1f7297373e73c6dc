import type { TextSpan } from "../text_span.ts";

/** Bullets, numbers of list items, headings' and quotations' marks at the start of a line. */
const MARK = /^(?:\s*(?:>|[-*•‣◦–—](?=\s)|#{1,6}(?=\s)|\(?(?:\d{1,3}|[a-z])[.)](?=\s)))*\s*/;

/** A line shorter than this (in characters) that the next one does not go on from stands alone. */
const SHORT_LINE = 50;

/**
 * Paragraphs, list items, headings and short lines of a text, in order, without their marks; lines
 * that were only wrapped stay together.
 */
export function blocksOf(text: string): readonly TextSpan[] {
  const blocks: TextSpan[] = [];
  let open: TextSpan | undefined;
  for (const line of linesOf(text)) {
    const words = text.slice(line.start, line.end);
    const goesOn = open && words.trim() && isWrapped(text.slice(open.start, open.end), words);
    if (open && goesOn) open = { start: open.start, end: line.end };
    else {
      if (open) blocks.push(open);
      open = contentOf(text, line);
    }
  }
  if (open) blocks.push(open);
  return blocks;
}

function linesOf(text: string): readonly TextSpan[] {
  return [...text.matchAll(/[^\r\n\u2028\u2029]*(?:\r\n|[\r\n\u2028\u2029]|$)/g)]
    .filter(([line]) => line.length > 0)
    .map(({ 0: line, index }) => ({ start: index, end: index + line.trimEnd().length }));
}

function contentOf(text: string, line: TextSpan): TextSpan | undefined {
  const start = line.start + MARK.exec(text.slice(line.start, line.end))![0].length;
  return start < line.end ? { start, end: line.end } : undefined;
}

function isWrapped(before: string, line: string): boolean {
  if (line !== line.trimStart() && /^\s{4}/.test(line)) return false;
  if (MARK.exec(line)![0].trim() !== "") return false;
  const last = before.slice(before.lastIndexOf("\n") + 1);
  if (/^\s*\p{Ll}/u.test(line) || /[,;–—-]\s*$/.test(last)) return true;
  return last.trim().length >= SHORT_LINE && !/[.!?:]["”’)\]]*\s*$/.test(last);
}
