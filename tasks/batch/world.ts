import type { StatusOptions } from "../../lib/files/status_line.ts";
import type { BatchServicesOptions } from "../../lib/models/hosted/batch/open_services.ts";
import type { Panel } from "../../lib/models/panel.ts";
import type { PairStudy } from "../../lib/pairs/study.ts";
import type { MinimalPair } from "../../lib/pairs/pair.ts";

/** The study and the place in which the task works. */
export interface BatchTaskWorld {
  readonly study: PairStudy;
  readonly pairs: readonly MinimalPair[];
  readonly panel: Panel;
  readonly print: (line: string) => void;
  readonly signal?: AbortSignal;
  /** Where the status is shown; the error output unless told. */
  readonly status?: StatusOptions;
  /** In tests only. */
  readonly standIn?: BatchServicesOptions["standIn"] & { readonly settleSeconds: number };
}
