import { sentencesOf } from "../claims/sentences.ts";
import { type Passage, SOURCE_TEXT } from "../retrieval/passage.ts";
import type { TextSpan } from "../text_span.ts";
import { type ReadingTools, readWords } from "./read_words.ts";
import type { Word } from "./word.ts";

/** One sentence of a source, read. */
export interface SourceSentence {
  readonly passage: Passage;
  /** Where it stands in the passage. */
  readonly span: TextSpan;
  /** What stands there. */
  readonly text: string;
  /** With what the passage is about before it ("France, Population: …"), where it does not say so itself. */
  readonly read: string;
  /** Words of `read`; their spans are places in `read`. */
  readonly words: readonly Word[];
  /** Place among all sentences; neighbours of one passage differ by 1. */
  readonly index: number;
}

/** All sentences of the passages in order, read once. */
export function sourceSentences(
  passages: readonly Passage[],
  tools: ReadingTools,
): readonly SourceSentence[] {
  return passages.flatMap((passage) =>
    sentencesOf(passage.text).flatMap((sentence) => parts(sentence)).map((span) => {
      const text = passage.text.slice(span.start, span.end);
      const read = `${about(passage, text)}${text}`;
      return { passage, span, text, read, words: readWords(read, tools) };
    })
  ).map((sentence, index) => ({ ...sentence, index }));
}

/** Between semicolons, each part states something on its own: "total: 68,512,806; male: 33,557,094". */
function parts({ text, start }: TextSpan & { readonly text: string }): readonly TextSpan[] {
  const ends = [...text.matchAll(/;(?=\s)/g)].map(({ index }) => index + 1);
  return [0, ...ends].map((from, index) => {
    const to = ends[index] ?? text.length;
    const space = text.slice(from, to).search(/\S/);
    return { start: start + from + Math.max(space, 0), end: start + to };
  });
}

function about({ collection, title, section }: Passage, text: string): string {
  if (collection === SOURCE_TEXT) return "";
  const missing = [title, section].filter((name) => name !== "" && !text.includes(name));
  return missing.length === 0 ? "" : `${missing.join(", ")}: `;
}
