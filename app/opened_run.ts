import type { RatingWorkbook } from "../lib/translation/item.ts";
import type { RunConfig } from "../lib/translation/run_config.ts";

/** A run as it goes to the rating screen. */
export interface OpenedRun {
  readonly workbook: RatingWorkbook;
  readonly config: RunConfig;
  readonly fileName: string;
  /** To save in place; undefined where the browser or the way of opening gives none. */
  readonly handle: FileSystemFileHandle | undefined;
  /** Whether it comes from the browser's own copy, so that no file has it yet. */
  readonly recovered: boolean;
  /** Another tab has the run: this one may only look. */
  readonly readOnly: boolean;
}
