import { type Clause, wordsText } from "./clause.ts";
import { supplied, suppliedWord, type Word } from "./word.ts";

/** Takes a clause apart, in the order of the text; undefined where it does not apply or is not safe. */
export type SplittingRule = (clause: Clause) => readonly Clause[] | undefined;

/** The clause with other words. */
export function withWords(clause: Clause, words: readonly Word[]): Clause {
  return { ...clause, words: withoutEdges(words) };
}

/** A statement of its own, about a subject that stands elsewhere in the sentence. */
export function withSubject(
  clause: Clause,
  subject: readonly Word[],
  rest: readonly Word[],
  aside = clause.aside,
): Clause {
  const bare = withoutEdges(subject);
  const note = { kind: "subject supplied", subject: wordsText(bare) } as const;
  const notes = [...clause.notes.filter(({ kind }) => kind !== "subject supplied"), note];
  return { words: withoutEdges([...supplied(bare), ...spaced(rest)]), notes, aside };
}

/** "is", "was", "are" or "were". */
export function copula(tense: "past" | "present", isPlural: boolean): Word {
  const form = tense === "past" ? isPlural ? "were" : "was" : isPlural ? "are" : "is";
  return suppliedWord(form, "AUX", "be");
}

function spaced(words: readonly Word[]): readonly Word[] {
  return words.map((word, index) => index === 0 ? { ...word, spaced: true } : word);
}

/** Without commas, conjunctions and stops at either end. */
function withoutEdges(words: readonly Word[]): readonly Word[] {
  let start = 0;
  let end = words.length;
  while (start < end && isEdge(words[start]!)) start++;
  while (end > start && isEdge(words[end - 1]!)) end--;
  return words.slice(start, end);
}

function isEdge({ text, partOfSpeech, enclosed }: Word): boolean {
  if (enclosed) return false;
  return /^[,;:.–—]$/.test(text) || partOfSpeech === "CCONJ" && /^(?:and|but)$/i.test(text);
}
