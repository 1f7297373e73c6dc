import type { Passage } from "../retrieval/passage.ts";
import type { Verdict } from "../verdicts/verdict.ts";

/** Checks a statement against passages. The trained verifier, the baselines and any model are one. */
export interface Verifier {
  readonly name: string;
  /** File hashes, thresholds, threads: whatever could change a verdict. Kept beside the results. */
  readonly settings: Readonly<Record<string, string | number | boolean>>;
  /**
   * One verdict a claim, in order; claims of one source are best asked together, so that it is read
   * once. Without a passage a verdict is unscored (`no evidence`). Never throws for what a model
   * answered; throws the signal's reason when it aborts.
   */
  verify(
    claims: readonly string[],
    passages: readonly Passage[],
    options?: { readonly signal?: AbortSignal },
  ): Promise<readonly Verdict[]>;
}
