import { sentencesOf } from "../claims/sentences.ts";

/**
 * What a model wrote on one line, without the sentence that its length cut off; where it wrote no
 * sentence to its end, all that is there.
 */
export function wholeSentences(text: string): string {
  const sentences = sentencesOf(text);
  const last = sentences.findLastIndex((sentence) => /[.!?]["”')\]]*$/u.test(sentence.text));
  const end = last < 0 ? text.length : sentences[last]!.end;
  return text.slice(0, end).replace(/\s+/gu, " ").trim();
}
