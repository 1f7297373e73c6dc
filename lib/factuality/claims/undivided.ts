import { isFinite } from "./verb_forms.ts";
import type { Word } from "./word.ts";

/** Verbs and nouns whose content somebody else vouches for. */
const REPORTING = new Set(
  ("say claim argue believe report suggest allege think insist deny predict assert contend hope " +
    "wish speculate assume imagine expect warn promise propose").split(" "),
);

const CONDITIONS = ["if", "unless", "whether", "would", "provided", "suppose", "neither", "either"];

/** Conditionals, reported speech and the like: a part of these may be false where the whole is true. */
export function isUndivided(words: readonly Word[]): boolean {
  const outside = words.filter(({ enclosed }) => !enclosed);
  if (outside.some(({ normal }) => CONDITIONS.includes(normal))) return true;
  return outside.some(({ normal, lemma, partOfSpeech }, index) =>
    partOfSpeech === "VERB" && REPORTING.has(lemma) && reports(outside, index) ||
    normal === "according" && outside[index + 1]?.normal === "to" ||
    normal === "not" && outside[index + 1]?.normal === "only" ||
    ["fact", "claim", "belief", "idea", "theory", "view", "notion"].includes(normal) &&
      outside[index + 1]?.normal === "that"
  );
}

/** "said that", "said he was", "said to be"; not "expected growth". */
function reports(words: readonly Word[], verb: number): boolean {
  const next = words[verb + 1];
  if (!next) return false;
  if (["that", "to", ",", ":", "in"].includes(next.normal)) return next.normal !== "in";
  const isSubject = ["PRON", "PROPN", "DET"].includes(next.partOfSpeech);
  return isSubject &&
    words.slice(verb + 1, verb + 6).some((_, offset) => isFinite(words, verb + 1 + offset));
}
