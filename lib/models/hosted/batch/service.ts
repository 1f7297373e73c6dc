import type { ModelUnavailable } from "../../model.ts";
import type { END_STATUSES } from "./jobs.ts";

/** A file at the host. */
export interface RemoteFile {
  readonly id: string;
  readonly name: string;
}

/** A batch at the host. */
export interface RemoteBatch {
  readonly id: string;
  readonly inputFileId: string;
  /** The name it was submitted under; nothing where the host lost it. */
  readonly name?: string;
  readonly status:
    | (typeof END_STATUSES)[number]
    | "validating"
    | "in_progress"
    | "finalizing"
    | "cancelling";
  readonly outputFileId?: string;
  readonly errorFileId?: string;
  readonly counts: {
    readonly total: number;
    readonly completed: number;
    readonly failed: number;
  };
  readonly errors: readonly string[];
}

/**
 * What came of asking for a batch. `refused`: the host declined it. `unasked`: there is none for
 * certain, and asking again may help. `unsure`: the answer was lost, the host may have made it.
 */
export type Creation =
  | { readonly kind: "created"; readonly batch: RemoteBatch }
  | { readonly kind: "refused"; readonly message: string }
  | { readonly kind: "unasked"; readonly error: ModelUnavailable | ServiceFailure }
  | { readonly kind: "unsure"; readonly message: string };

/**
 * The Batch API as one key sees it. Every method throws `ServiceFailure` where the host cannot be
 * reached or answers nonsense, and `ModelUnavailable` where the key is of no use.
 */
export interface BatchService {
  readonly keyLabel: string;
  /** All files, every page of the list. */
  files(): Promise<readonly RemoteFile[]>;
  /** Uploads an input file; its id. Doing so twice costs nothing but room. */
  upload(name: string, text: string): Promise<string>;
  /** All batches of the organisation, every page of the list. */
  batches(): Promise<readonly RemoteBatch[]>;
  /**
   * Asks for a batch, and never again by itself once the request may have arrived.
   * @param announce Called right before each request goes out: a limit may make it wait, or be
   * repeated after a refusal.
   */
  create(fileId: string, name: string, announce: () => void): Promise<Creation>;
  /** A batch, or nothing where this key sees none of that id. */
  retrieve(batchId: string): Promise<RemoteBatch | undefined>;
  /** A file's text, or nothing where it is gone. */
  content(fileId: string): Promise<string | undefined>;
}

/** A step that could not be taken now; nothing is lost, the next run takes it. */
export class ServiceFailure extends Error {
  override readonly name = "ServiceFailure";
}
