import type { StandInCall } from "./behaviour.ts";
import { type BatchFiles, type BatchLine, type LineFate, runBatch } from "./batch_output.ts";

/** How one batch goes. */
export interface BatchPlan {
  /** Retrievals that find it unfinished; 0 where left out. */
  readonly unfinishedPolls?: number;
  /** Default completed. What a failed one never began leaves no files. */
  readonly end?: "completed" | "failed" | "expired" | "cancelled";
  readonly fate?: (line: BatchLine) => LineFate;
}

export interface StoredFile {
  readonly id: string;
  readonly filename: string;
  readonly purpose: string;
  readonly text: string;
  /** The key it came with: only keys of its organisation see it. */
  readonly key: string;
}

export interface StoredBatch {
  readonly id: string;
  readonly inputFileId: string;
  readonly endpoint: string;
  readonly window: string;
  readonly metadata: unknown;
  readonly key: string;
  readonly plan: BatchPlan;
  polls: number;
  cancelled: boolean;
  outputFileId?: string;
  errorFileId?: string;
  counts: { total: number; completed: number; failed: number };
}

/** The files and batches of a stand-in server, in memory; tests may look at all of them. */
export class BatchStore {
  readonly files: StoredFile[] = [];
  readonly batches: StoredBatch[] = [];

  constructor(
    private readonly plan: (number: number) => BatchPlan,
    private readonly answer: (call: StandInCall) => string,
  ) {}

  addFile(file: Omit<StoredFile, "id">): StoredFile {
    const stored = { ...file, id: `file_${this.files.length + 1}` };
    this.files.push(stored);
    return stored;
  }

  addBatch(
    batch: Pick<StoredBatch, "inputFileId" | "endpoint" | "window" | "metadata" | "key">,
  ): StoredBatch {
    const number = this.batches.length + 1;
    const counts = { total: 0, completed: 0, failed: 0 };
    const progress = { polls: 0, cancelled: false, counts };
    const stored = { ...batch, id: `batch_${number}`, plan: this.plan(number), ...progress };
    this.batches.push(stored);
    return stored;
  }

  /** Looks at a batch once more; it ends after as many looks as its plan says. */
  poll(batch: StoredBatch): void {
    batch.polls += 1;
    if (isFinished(batch) && batch.counts.total === 0 && batch.plan.end !== "failed") {
      this.finish(batch);
    }
  }

  private finish(batch: StoredBatch): void {
    const input = this.files.find(({ id }) => id === batch.inputFileId);
    const fate = batch.plan.fate ?? (() => "answered" as const);
    const done = runBatch(input?.text ?? "", batch.key, this.answer, fate);
    const failed = done.total - done.completed;
    batch.counts = { total: done.total, completed: done.completed, failed };
    this.keepFiles(batch, done);
  }

  private keepFiles(batch: StoredBatch, { output, errors }: BatchFiles): void {
    const keep = (filename: string, text: string) =>
      this.addFile({ filename, text, purpose: "batch_output", key: batch.key }).id;
    if (output !== "") batch.outputFileId = keep(`${batch.id}_output.jsonl`, output);
    if (errors !== "") batch.errorFileId = keep(`${batch.id}_errors.jsonl`, errors);
  }
}

export function isFinished({ cancelled, polls, plan }: StoredBatch): boolean {
  return cancelled || polls > (plan.unfinishedPolls ?? 0);
}
