import type { AggregationStrategy } from "../../lib/factuality/judges/ensemble_score.ts";
import type { ComparedComponent } from "../../lib/factuality/study/evaluation/compared_component.ts";

/** Components that are in memory together. */
export interface OpenGroup extends AsyncDisposable {
  readonly components: readonly ComparedComponent[];
  /** There for the group whose judges make the ensemble. */
  readonly ensemble?: {
    readonly members: readonly { readonly component: ComparedComponent; readonly weight: number }[];
    readonly strategy: AggregationStrategy;
    readonly lowConfidenceVariance: number;
  };
}

/** What groups are opened with. */
export interface GroupOptions {
  readonly threads: number;
  readonly tell: (words: string) => void;
}

/** A group of components by name. */
export interface ComponentGroup {
  readonly names: readonly string[];
  open(options: GroupOptions): Promise<OpenGroup>;
}
