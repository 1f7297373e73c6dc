import { byteLength, type FoldedSentence, type HeldOutBaseline } from "./baseline.ts";
import { HeldOutCounts } from "./held_out_counts.ts";

/** Words are runs of letters, marks and digits, in lower case. */
function words(text: string): readonly string[] {
  return text.normalize("NFC").toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

const TOTAL = "";

/**
 * Word frequency with add-one smoothing: P(w) = (c(w) + 1) / (N + V + 1), where c and N count the
 * sentences outside the fold, V is the number of different words in all sentences, and the one
 * more stands for every unknown word.
 */
export function unigramBaseline(sentences: readonly FoldedSentence[]): HeldOutBaseline {
  const counts = new HeldOutCounts();
  for (const { fold, text } of sentences) {
    for (const word of words(text)) {
      counts.add(word, fold);
      counts.add(TOTAL, fold);
    }
  }
  const types = [...counts.keys()].filter((key) => key !== TOTAL).length;
  return {
    name: "unigram",
    score(text, heldOut) {
      const found = words(text);
      const denominator = counts.count(TOTAL, heldOut) + types + 1;
      const logProbability = found.reduce(
        (sum, word) => sum + Math.log((counts.count(word, heldOut) + 1) / denominator),
        0,
      );
      return { logProbability, tokens: found.length, bytes: byteLength(text) };
    },
  };
}
