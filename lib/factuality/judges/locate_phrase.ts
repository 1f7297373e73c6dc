import type { TextSpan } from "../text_span.ts";

const PLAIN: Readonly<Record<string, string>> = {
  ...{ "‘": "'", "’": "'", "“": '"', "”": '"', "«": '"', "»": '"' },
  ...{ "‐": "-", "‑": "-", "–": "-", "—": "-", "−": "-" },
};

/** A text in lower case with plain quotes, dashes and spaces, and where each character stood. */
function normalised(text: string): { readonly text: string; readonly starts: readonly number[] } {
  let plain = "";
  const starts: number[] = [];
  for (let at = 0; at < text.length; at++) {
    const unit = text[at]!;
    const character = /\s/.test(unit) ? " " : PLAIN[unit] ?? unit.toLowerCase();
    // A letter that grows in lower case stays itself, so that offsets stay true.
    const kept = character.length === 1 ? character : unit;
    if (kept === " " && plain.endsWith(" ")) continue;
    plain += kept;
    starts.push(at);
  }
  return { text: plain, starts };
}

const WORD = /[\p{L}\p{N}]/u;

/** Where the phrase begins in the text without cutting a word in two; -1 for nowhere. */
function wholeWords(text: string, phrase: string): number {
  for (let at = text.indexOf(phrase); at !== -1; at = text.indexOf(phrase, at + 1)) {
    const end = at + phrase.length;
    const cutsBefore = WORD.test(phrase[0]!) && WORD.test(text[at - 1] ?? "");
    const cutsAfter = WORD.test(phrase.at(-1)!) && WORD.test(text[end] ?? "");
    if (!cutsBefore && !cutsAfter) return at;
  }
  return -1;
}

/**
 * Where a phrase first stands in a text: as it is, or else but for case, white space, and the form of
 * quotes and dashes, without the punctuation around it. Undefined where it does not stand there.
 */
export function locatePhrase(text: string, phrase: string): TextSpan | undefined {
  const trimmed = phrase.trim();
  if (!WORD.test(trimmed)) return undefined;
  const exact = wholeWords(text, trimmed);
  if (exact !== -1) return { start: exact, end: exact + trimmed.length };
  const wanted = normalised(trimmed).text.replace(/^[\s'".,;:!?]+|[\s'".,;:!?]+$/g, "");
  const { text: plain, starts } = normalised(text);
  const found = wholeWords(plain, wanted);
  if (found === -1) return undefined;
  return { start: starts[found]!, end: starts[found + wanted.length - 1]! + 1 };
}
