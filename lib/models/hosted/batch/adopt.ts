import { type BatchJob, END_STATUSES, type JobBase, jobBase } from "./job.ts";
import type { JobStore } from "./job_store.ts";
import { type BatchSeries, nameInSeries } from "./names.ts";
import { readRequestFile, type RequestFile } from "./request_lines.ts";
import { type BatchService, type RemoteBatch, ServiceFailure } from "./service.ts";

/**
 * Finds those batches of the series at the host of which the store knows nothing, or not that they
 * were made: a killed run, lost notes, another machine. Without this, their questions would be
 * asked and paid for a second time.
 *
 * @returns The names of the jobs found again.
 * @throws {ServiceFailure} where the list cannot be read to its end, or a running batch's
 * questions cannot be known: nothing may be submitted then.
 */
export async function adoptBatches(
  series: BatchSeries,
  store: JobStore,
  service: BatchService,
): Promise<readonly string[]> {
  const batches = await service.batches();
  const files = batches.length > 0 ? await service.files() : [];
  const jobs = new Map(store.jobs().map((job) => [job.name, job]));
  const found: string[] = [];
  for (const batch of batches) {
    const name = nameInSeries(series, batch, files);
    if (name === undefined || found.includes(name)) continue;
    const known = jobs.get(name);
    if (known === undefined) await adopt(name, batch, store, service);
    else if (isUnsubmitted(known)) saveSubmitted(jobBase(known), batch, store, service);
    else continue;
    found.push(name);
  }
  return found;
}

function isUnsubmitted({ step }: BatchJob): boolean {
  return step === "written" || step === "uploaded" || step === "creating";
}

function saveSubmitted(
  job: Omit<JobBase, "keyLabel">,
  { id: batchId, inputFileId: fileId }: RemoteBatch,
  store: JobStore,
  { keyLabel }: BatchService,
): void {
  store.save({ ...job, keyLabel, step: "submitted", fileId, batchId });
}

async function adopt(
  name: string,
  batch: RemoteBatch,
  store: JobStore,
  service: BatchService,
): Promise<void> {
  const text = await service.content(batch.inputFileId);
  const ended = END_STATUSES.some((status) => status === batch.status);
  if (text === undefined && !ended) {
    throw new ServiceFailure(
      `Groq runs batch ${batch.id} (${name}), and its input file is gone: what it asks cannot be ` +
        "known. Wait until it has ended, or cancel it in Groq's console",
    );
  }
  const asked = text === undefined ? undefined : readInput(text, batch, name);
  // The requests first: a job without them would be one that asked nothing.
  store.writeFile(name, "requests.jsonl", text ?? "");
  const hostModel = asked?.hostModel ?? "";
  const requests = asked?.customIds.length ?? batch.counts.total;
  saveSubmitted({ name, hostModel, requests }, batch, store, service);
}

/** A download that broke off, or the file of somebody else's batch under our name. */
function readInput(text: string, { id, inputFileId }: RemoteBatch, name: string): RequestFile {
  try {
    return readRequestFile(text, `the input of ${name}`);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new ServiceFailure(
      `What batch ${id} asks cannot be known: ${error.message} Run the same command again; should ` +
        `it stay so, delete its input file ${inputFileId} in Groq's console`,
    );
  }
}
