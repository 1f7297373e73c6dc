import type { Comparison } from "./comparison.ts";
import type { FamilyResult } from "./features.ts";
import { FOUND } from "./word_match.ts";

/** How claim and evidence cover each other. */
export function shapeFeatures({ claim, sentences }: Comparison): FamilyResult<"shape"> {
  const best = sentences[0];
  const words = best?.sentence.words ?? [];
  const spoken = words.filter((_, column) =>
    best!.pairs.some((row) => row[column]!.match >= FOUND)
  );
  const found = claim.map((_, index) => sentences.some(({ matches }) => matches[index]! >= FOUND));
  const matched = found.filter(Boolean).length;
  const elsewhere = found.filter((is, index) => is && best!.matches[index]! < FOUND).length;
  return {
    values: {
      "shape.breadth": words.length === 0 ? 0 : spoken.length / words.length,
      "shape.spread": matched === 0 ? 0 : elsewhere / matched,
    },
    findings: [],
  };
}
