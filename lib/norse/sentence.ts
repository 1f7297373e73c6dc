import type { SourceLocation } from "../pairs/pair.ts";

/** One prose sentence of the saga. */
export interface Sentence {
  /** `VS_{chapter}_{position}`, e.g. `VS_08_012`. */
  readonly id: string;
  readonly chapter: number;
  /** 1-based position among all units of the chapter, excluded ones counted. */
  readonly position: number;
  /** The edition's spelling, quotation marks removed. */
  readonly source: string;
  /** Classical normalisation (see orthography.ts); what every pair is made from. */
  readonly normalised: string;
}

export const SENTENCE_COLUMNS = ["id", "chapter", "position", "source", "normalised"] as const;

/** The saga as certificates name it. */
const SAGA_TITLE = "Völsunga saga";

/** Where a sentence stands, as certificates record it. */
export function locate(sentence: Sentence): SourceLocation {
  return { text: SAGA_TITLE, chapter: sentence.chapter, sentence: sentence.position };
}
