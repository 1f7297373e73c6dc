/** A stretch of running text that a claim is checked against, and where it is from. */
export interface Passage {
  /** Unique within its collection; `source` for the source text of an evaluation. */
  readonly id: string;
  readonly text: string;
  /** `source text`, or the knowledge base's name. */
  readonly collection: string;
  /** What it is about (a country, an article, a file); the empty string where nobody says. */
  readonly title: string;
  /** The part of it: a field, a heading; the empty string where there is none. */
  readonly section: string;
}

/** The collection of the text that a candidate output was written from. */
export const SOURCE_TEXT = "source text";

/** The source text of an evaluation as a passage. */
export function sourcePassage(text: string): Passage {
  return { id: "source", text, collection: SOURCE_TEXT, title: "", section: "" };
}

/** A passage that was found for a claim. */
export interface RetrievedPassage {
  readonly passage: Passage;
  /** BM25 of the first stage, ≥ 0; not comparable between knowledge bases. */
  readonly bm25: number;
  /** Cosine of the sentence embeddings of claim and best sentence, −1 to 1; absent without re-ranking. */
  readonly cosine: number | undefined;
  /** From 1. */
  readonly rank: number;
}

/** What looks passages up for a claim. Named in every report. */
export interface Retriever {
  readonly name: string;
  /** Content hash of the index, threshold, how many: whatever could change what is found. */
  readonly settings: Readonly<Record<string, string | number | boolean>>;
  /** The best first; none where no passage is over the threshold. */
  retrieve(
    claim: string,
    options?: { readonly signal?: AbortSignal },
  ): Promise<readonly RetrievedPassage[]>;
}
