import type { Passage } from "../retrieval/passage.ts";
import type { VerdictLabel } from "../verdicts/verdict.ts";

/** What people said of a claim; sets with two labels do not tell refuted from not enough info. */
export type CaseLabel = VerdictLabel | "not supported";

/** One claim whose truth against its passages is known. */
export interface LabelledCase {
  /** Unique in its set. */
  readonly id: string;
  readonly claim: string;
  /** What it is checked against; empty where the set gives no evidence. */
  readonly passages: readonly Passage[];
  readonly label: CaseLabel;
  /** The response, question or entity it came from: the unit of the bootstrap. */
  readonly cluster: string;
  /** Name of the data set. */
  readonly set: string;
  /** What it is for, where the set says so. */
  readonly split?: CaseSplit;
}

/** What a labelled case is for: to learn from, to choose by, or to measure on. */
export type CaseSplit = "train" | "development" | "test";
