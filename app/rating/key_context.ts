import type { Session } from "../../lib/translation/session/session.ts";
import type { RowView } from "./rows.ts";
import type { Dispatch } from "./use_session.ts";
import type { Say } from "./use_status.ts";

/** What keys work on. */
export interface KeyContext {
  readonly session: Session;
  readonly rows: readonly RowView[];
  /** Position of the row in hand. */
  readonly active: number;
  /** Another tab has the run: nothing may change here. */
  readonly readOnly: boolean;
  readonly dispatch: Dispatch;
  /** Like dispatch, and the focus goes along. */
  readonly go: Dispatch;
  readonly say: Say;
  readonly save: () => void;
  readonly showKeys: () => void;
}
