/** One statement of the knowledge base that claims are made of. */
export interface Statement {
  readonly country: string;
  readonly field: string;
  /** `fact` from a structured field by a template, `prose` from running text. */
  readonly kind: "fact" | "prose";
  /** As the source says it. */
  readonly source: string;
  /** The same as a sentence that stands alone. */
  readonly claim: string;
  /** The question that a short answer belongs to; undefined for prose. */
  readonly question: { readonly question: string; readonly answer: string } | undefined;
  /** The words of the value, in `source` and `claim` alike; the empty string for prose. */
  readonly value: string;
}

/** A statement and what contradicts it, both as a source might say them. */
export interface Contrast {
  /** How the second was made of the first: `number`, `negation`, `name`, … */
  readonly edit: string;
  readonly versions: readonly [Statement, Statement];
}
