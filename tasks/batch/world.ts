import type { StatusOptions } from "../../lib/files/status_line.ts";
import type { BatchServicesOptions } from "../../lib/models/hosted/batch/open_services.ts";
import type { Panel } from "../../lib/models/panel.ts";
import type { AnswerFiles } from "../../lib/norse/evaluation/answers.ts";
import type { MinimalPair } from "../../lib/pairs/pair.ts";

/** The study and the place in which the task works. */
export interface BatchTaskWorld {
  readonly pairs: readonly MinimalPair[];
  readonly panel: Panel;
  readonly files: AnswerFiles;
  /** Path of the `.env` file. */
  readonly env: string;
  /** Tokens of earlier answers. */
  readonly usage: string;
  /** Where batches are followed. */
  readonly folder: string;
  /** Held while it is decided what to ask, and while answers are written. */
  readonly lock: string;
  readonly print: (line: string) => void;
  readonly signal?: AbortSignal;
  /** Where the status is shown; the error output unless told. */
  readonly status?: StatusOptions;
  /** In tests only. */
  readonly standIn?: BatchServicesOptions["standIn"] & { readonly settleSeconds: number };
}
