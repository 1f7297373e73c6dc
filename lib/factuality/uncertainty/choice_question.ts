/** A question with options, one of which is right. */
export interface ChoiceQuestion {
  /** `ao/capital`. */
  readonly id: string;
  /** The country's code: what the bootstrap resamples. */
  readonly cluster: string;
  readonly kind: string;
  readonly question: string;
  /** The right one first; models are not shown the options, so their order gives nothing away. */
  readonly options: readonly string[];
}

/** Options of a question, with the right one. */
export const OPTIONS = 4;
