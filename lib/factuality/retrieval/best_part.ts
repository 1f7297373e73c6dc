import type { Passage } from "./passage.ts";
import { passageParts } from "./passage_parts.ts";
import { termsOf } from "./terms.ts";

/** Words that a sentence vector is made of: more would blur it, and cost more to encode. */
const PART_WORDS = 40;

/**
 * The part of a passage (sentences, or items of a list, of 40 words at most) that has the most of
 * the claim's words in common, under the passage's title and section: "France, Capital: Paris".
 * Choosing it by words is what leaves one text a passage to be encoded.
 */
export function bestPart({ title, section, text }: Passage, terms: ReadonlySet<string>): string {
  let best = { part: "", common: -1 };
  for (const part of passageParts(text, PART_WORDS)) {
    const common = new Set(termsOf(part).filter((term) => terms.has(term))).size;
    if (common > best.common) best = { part, common };
  }
  const heading = [title, best.part.startsWith(section) ? "" : section].filter((one) => one !== "");
  return heading.length === 0 ? best.part : `${heading.join(", ")}: ${best.part}`;
}
