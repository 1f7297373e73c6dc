import { ModelUnavailable } from "../../model.ts";
import { END_STATUSES, type JobAt, jobBase } from "./job.ts";
import type { JobStore } from "./job_store.ts";
import { type BatchService, type RemoteBatch, ServiceFailure } from "./service.ts";

/** What asking after a submitted batch brought. */
export type Collected =
  | { readonly kind: "running"; readonly batch: RemoteBatch }
  | { readonly kind: "fetched"; readonly job: JobAt<"fetched"> };

/** Downloads of a file whose last line breaks off, before what there is must do. */
const DOWNLOADS = 3;

/**
 * Asks after a batch and, where it has ended, brings its output and errors into the job's folder.
 * @param services The job's own key first: another one helps only where the keys were renumbered.
 * @throws {ServiceFailure} where the host cannot be asked, or no key sees such a batch.
 * @throws {ModelUnavailable} where the keys are of no use.
 */
export async function collectJob(
  job: JobAt<"submitted">,
  store: JobStore,
  services: readonly BatchService[],
): Promise<Collected> {
  const { service, batch } = await find(job, store, services);
  const status = END_STATUSES.find((end) => end === batch.status);
  if (status === undefined) return { kind: "running", batch };
  if (batch.counts.completed > 0 && batch.outputFileId === undefined) {
    throw new ServiceFailure(
      `Groq says that batch ${job.batchId} has ended with ${batch.counts.completed} answers, and ` +
        "names no file of them yet: they are looked for again",
    );
  }
  const errors = [...batch.errors];
  for (const [file, id] of filesOf(batch)) {
    const text = await download(service, id);
    if (text === undefined) errors.push(`its file ${file} is gone: Groq keeps it for 30 days`);
    else store.writeFile(job.name, file, text);
  }
  const { fileId, batchId } = job;
  const fetched = { ...jobBase(job), step: "fetched", fileId, batchId, status, errors } as const;
  store.save(fetched);
  return { kind: "fetched", job: fetched };
}

interface Found {
  readonly service: BatchService;
  readonly batch: RemoteBatch;
}

async function find(
  job: JobAt<"submitted">,
  store: JobStore,
  services: readonly BatchService[],
): Promise<Found> {
  let unavailable: ModelUnavailable | undefined;
  for (const service of services) {
    try {
      const batch = await service.retrieve(job.batchId);
      if (batch !== undefined) return { service, batch };
    } catch (error) {
      if (!(error instanceof ModelUnavailable)) throw error;
      unavailable ??= error;
    }
  }
  if (unavailable !== undefined) throw unavailable;
  throw new ServiceFailure(
    `No key sees batch ${job.batchId}: it belongs to the organisation of the key that submitted ` +
      `it, ${job.keyLabel}. Put that key back; or, where Groq's console shows that the batch is ` +
      `gone, move ${store.folderOf(job.name)} away, and its questions are asked anew`,
  );
}

function filesOf({ outputFileId, errorFileId }: RemoteBatch) {
  const files: (readonly ["output.jsonl" | "errors.jsonl", string])[] = [];
  if (outputFileId !== undefined) files.push(["output.jsonl", outputFileId]);
  if (errorFileId !== undefined) files.push(["errors.jsonl", errorFileId]);
  return files;
}

/** The text of a file; again where its last line breaks off, for that may be the connection's fault. */
async function download(service: BatchService, fileId: string): Promise<string | undefined> {
  let text: string | undefined;
  for (let count = 0; count < DOWNLOADS; count++) {
    text = await service.content(fileId);
    if (text === undefined || endsWhole(text)) return text;
  }
  return text;
}

function endsWhole(text: string): boolean {
  const last = text.trimEnd().split("\n").at(-1) ?? "";
  if (last === "") return true;
  try {
    JSON.parse(last);
    return true;
  } catch {
    return false;
  }
}
