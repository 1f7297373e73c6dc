import type { Comparison } from "./comparison.ts";
import type { FamilyResult } from "./features.ts";

/** "Yes, I think that …", "As far as I know, …": what follows is the claim. */
const OPENING =
  /^(?:\s*(?:yes|yeah|no|well|oh|so|ok|okay|actually|right|sure|and|but)\b[,.!]*)*(?:\s*(?:i (?:think|believe|guess|suppose|heard|read|know|understand)(?: that)?|as far as i know|in my opinion|from what i know)\b)?/i;

/** Not "us" and "mine", which are the country and the pit in small letters, nor the I of "World War I". */
const SPEAKER = /(?<!\p{Lu}[\p{L}.]*\s)\bI\b|\b(?:i|me|[Mm]y|[Ww]e|[Oo]ur)\b/u;

/** What people say of themselves is in no source that does not quote them. */
export function speakerFeatures({ claimText, all }: Comparison): FamilyResult<"speaker"> {
  const isAlone = SPEAKER.test(withoutQuotations(claimText.replace(OPENING, ""))) &&
    !all.some(({ text }) => SPEAKER.test(text));
  return {
    values: { "speaker.alone": isAlone ? 1 : 0 },
    findings: !isAlone ? [] : [{
      feature: "speaker.alone",
      words: "the claim speaks of who says it, the sources do not",
      speaksFor: "not enough info",
      strength: 1,
    }],
  };
}

const withoutQuotations = (text: string) => text.replace(/"[^"]*"|“[^”]*”/g, "");
