import type { Passage } from "../retrieval/passage.ts";

/** The text that a data set gives with a claim. */
export function evidencePassage(set: string, id: string, text: string, title = ""): Passage {
  return { id: `${id}/evidence`, text, collection: set, title, section: "" };
}
