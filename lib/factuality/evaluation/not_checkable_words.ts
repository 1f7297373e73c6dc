import type { NotCheckable } from "../claims/claim.ts";

/** What a statement is that no source can decide, with its article. */
export const NOT_CHECKABLE_WORDS: Readonly<Record<NotCheckable, string>> = {
  question: "a question",
  opinion: "an opinion",
  hedge: "a guess",
  instruction: "an instruction",
  fragment: "a fragment of a sentence",
};
