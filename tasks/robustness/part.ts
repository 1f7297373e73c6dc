export const PART_NAMES = ["perturbations", "orders", "repetitions", "swaps"] as const;

export type PartName = (typeof PART_NAMES)[number];

/** What every part of `deno task robustness` is run with. */
export interface PartRun {
  /** Path of the configuration that names verifier and judges. */
  readonly configuration: string;
  /**
   * Where this run keeps what belongs to a file of the study (`FACTUALITY_PATHS.repeatedScores`): that
   * file itself, or with a configuration of somebody's own one of the same name in the cache.
   */
  readonly place: (path: string) => string;
  readonly threads: number;
  readonly signal: AbortSignal;
  /** One line on how it goes. */
  readonly tell: (words: string) => void;
}

/** One part of the task: asks, and keeps rows as they come. */
export interface RobustnessPart {
  readonly name: Exclude<PartName, "perturbations">;
  /** Asks what is not answered yet. @returns whether all is answered by now. */
  run(run: PartRun): Promise<boolean>;
}
