import type { RunConfig } from "../run_config.ts";
import type { SealedKey } from "./key.ts";
import type { SampleOptions } from "./sample_segments.ts";

/** How a run is prepared. The same options and outputs give the same workbook and key. */
export interface PreparationOptions extends SampleOptions {
  /** UUID; stands in the workbook and fixes the display order. */
  readonly runId: string;
  /** From `newSecret()`, and kept; only a demonstration's may be known. */
  readonly secret: string;
  readonly config: RunConfig;
  /** `per_item` unless told: then t1 is another system in every item. */
  readonly assignment?: SealedKey["assignment"];
  /**
   * Items shown twice: a number of items, or a share of those sampled (rounded, and refused where
   * it rounds to none). None unless told.
   */
  readonly repeats?: number | { readonly share: number };
  /** Items shown again with one translation spoiled. None unless told. */
  readonly attentionChecks?: number;
  /** Items from an original to its repeat or check, at least; 10 unless told. */
  readonly minDistance?: number;
}
