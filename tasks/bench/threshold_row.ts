import { RETRIEVER_DEFAULTS } from "../../lib/factuality/retrieval/retriever.ts";

/** What a pair of thresholds does to claims whose passage is in the base, or cannot be. */
export interface ThresholdRow {
  readonly minimumShare: number;
  readonly minimumCosine: number;
  /** Share of true claims about countries in the base that are given a passage. */
  readonly present: number;
  /** Share of them that are given the passage of the fact itself: its country and field. */
  readonly presentOwn: number;
  /** Share of claims about countries in the base with another country's value that are given one. */
  readonly wrong: number;
  /** Share of them that are given the passage of the fact itself, which refutes them. */
  readonly wrongOwn: number;
  /** Share of claims about countries taken out of the base that are given one all the same. */
  readonly absent: number;
}

/** A passage that was found. */
export interface FoundPassage {
  readonly share: number;
  /** Higher by the retriever's allowance where the claim names its title. */
  readonly cosine: number | undefined;
  /** Whether it is of the country and the field that the claim was made from. */
  readonly own: boolean;
}

/** What was found for one claim, the best first. */
export type Found = readonly FoundPassage[];

/** What was found for claims of each kind, without thresholds. */
export type FoundByKind = Readonly<Record<"present" | "wrong" | "absent", readonly Found[]>>;

/** What a pair of thresholds leaves of it. */
export function thresholdRow(
  { present, wrong, absent }: FoundByKind,
  minimumShare: number,
  minimumCosine: number,
): ThresholdRow {
  const given = (found: Found) =>
    found.filter(({ share, cosine }) => share >= minimumShare && (cosine ?? 1) >= minimumCosine)
      .slice(0, RETRIEVER_DEFAULTS.limit);
  const share = (some: readonly Found[], counts: (given: Found) => boolean) =>
    some.filter((found) => counts(given(found))).length / some.length;
  const any = (found: Found) => found.length > 0;
  const own = (found: Found) => found.some((passage) => passage.own);
  return {
    minimumShare,
    minimumCosine,
    present: share(present, any),
    presentOwn: share(present, own),
    wrong: share(wrong, any),
    wrongOwn: share(wrong, own),
    absent: share(absent, any),
  };
}
