import type { Passage } from "../retrieval/passage.ts";
import { chunksOf, type SourceChunk } from "./source_chunks.ts";

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
