import { type BatchJob, type JobAt, jobBase } from "./job.ts";
import type { JobStore } from "./job_store.ts";
import { inputFileName } from "./names.ts";
import { type BatchService, type RemoteBatch, ServiceFailure } from "./service.ts";

/** Where and when a job is submitted. */
export interface SubmitContext {
  readonly store: JobStore;
  /** Of the key that the job names. */
  readonly service: BatchService;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** How long after a request without an answer its batch may still turn up in the host's list. */
  readonly settleSeconds: number;
}

/**
 * Takes a job to `submitted`, or to `closed` where the host refuses it. Everything before the
 * request for a batch can be repeated at will. That one request is announced on disk first; once
 * announced, it is only repeated when the host's whole list, read `settleSeconds` after it, shows
 * no batch of this input file and this name.
 *
 * @returns The job as saved; `creating` where it is too early to tell.
 * @throws {ServiceFailure} where the host cannot be asked: the job stays as it is.
 * @throws {ModelUnavailable} where the key is of no use.
 */
export async function submitJob(job: BatchJob, context: SubmitContext): Promise<BatchJob> {
  switch (job.step) {
    case "written":
      return await submitJob(await upload(job, context), context);
    case "uploaded":
      return await create(job, context);
    case "creating":
      return await resolve(job, context);
    default:
      return job;
  }
}

function save<Job extends BatchJob>(job: Job, { store }: SubmitContext): Job {
  store.save(job);
  return job;
}

async function upload(
  job: JobAt<"written">,
  context: SubmitContext,
): Promise<JobAt<"uploaded">> {
  const { service, store } = context;
  const name = inputFileName(job.name);
  const there = (await service.files()).find((file) => file.name === name);
  const fileId = there?.id ??
    await service.upload(name, store.readFile(job.name, "requests.jsonl"));
  return save({ ...jobBase(job), step: "uploaded", fileId }, context);
}

async function create(job: JobAt<"uploaded">, context: SubmitContext): Promise<BatchJob> {
  const { service, now } = context;
  const creation = await service.create(
    job.fileId,
    job.name,
    () => void save({ ...job, step: "creating", since: now() }, context),
  );
  switch (creation.kind) {
    case "created":
      return submitted(job, creation.batch, context);
    case "refused":
      return closeUnasked(job, `Groq refused the batch: ${creation.message}`, context);
    case "unasked":
      save(job, context);
      throw creation.error;
    case "unsure":
      throw new ServiceFailure(
        `Groq's answer to the request for batch ${job.name} was lost (${creation.message}). ` +
          "Whether it has the batch will show in its list: nothing is submitted again before that",
      );
  }
}

async function resolve(job: JobAt<"creating">, context: SubmitContext): Promise<BatchJob> {
  const { service, now, settleSeconds } = context;
  // First the clock, then the list: a batch must have had its time before the list is read.
  const settled = now() - job.since >= settleSeconds * 1000;
  const batch = (await service.batches()).find(({ inputFileId, name }) =>
    inputFileId === job.fileId || name === job.name
  );
  if (batch !== undefined) return submitted(job, batch, context);
  if (!settled) return job;
  if (!(await service.files()).some(({ id }) => id === job.fileId)) throw unseen(job, context);
  return await create({ ...jobBase(job), step: "uploaded", fileId: job.fileId }, context);
}

/** A list without the batch proves nothing where it is another organisation's. */
function unseen(job: JobAt<"creating">, { service, store }: SubmitContext): ServiceFailure {
  return new ServiceFailure(
    `Whether Groq has batch ${job.name} cannot be known: ${service.keyLabel} does not see its ` +
      `input file ${job.fileId}, so it may be another organisation's key than the one that ` +
      "submitted. Put that key back under its number; or, where Groq's console shows no such " +
      `batch, move ${store.folderOf(job.name)} away, and its questions are asked anew`,
  );
}

function submitted(
  job: JobAt<"uploaded" | "creating">,
  { id }: RemoteBatch,
  context: SubmitContext,
): BatchJob {
  return save({ ...jobBase(job), step: "submitted", fileId: job.fileId, batchId: id }, context);
}

function closeUnasked(job: BatchJob, outcome: string, context: SubmitContext): BatchJob {
  const nothing = { merged: 0, remaining: job.requests };
  return save({ ...jobBase(job), step: "closed", outcome, ...nothing }, context);
}
