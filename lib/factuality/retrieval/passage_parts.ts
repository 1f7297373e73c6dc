/** Longest passage in words: about what a reader, or a small model, takes in at once. */
const LONGEST_PASSAGE_WORDS = 200;

/**
 * A text in parts of at most so many words, 200 unless told, cut at the ends of sentences,
 * then of list items; a longer sentence stays whole. The parts, joined by a space, are the text
 * with its white space folded. None for an empty text.
 */
export function passageParts(text: string, longest = LONGEST_PASSAGE_WORDS): readonly string[] {
  const folded = text.replace(/\s+/gu, " ").trim();
  if (folded === "") return [];
  if (wordCount(folded) <= longest) return [folded];
  const sentences = folded.split(/(?<=[.!?]["”’)\]]?) (?=["“(\[]?[\p{Lu}\d])/u);
  const pieces = sentences.flatMap((sentence) =>
    wordCount(sentence) <= longest ? [sentence] : pack(sentence.split(/(?<=;) /u), longest)
  );
  return pack(pieces, longest);
}

/** Joins neighbours while they stay within the limit. */
function pack(pieces: readonly string[], longest: number): readonly string[] {
  const parts: string[] = [];
  let words = 0;
  for (const piece of pieces) {
    const more = wordCount(piece);
    if (parts.length > 0 && words + more <= longest) {
      parts[parts.length - 1] += ` ${piece}`;
      words += more;
    } else {
      parts.push(piece);
      words = more;
    }
  }
  return parts;
}

function wordCount(text: string): number {
  return text.split(" ").length;
}
