import { ModelUnavailable } from "../../model.ts";
import { type BatchService, type RemoteBatch, ServiceFailure } from "./groq_service.ts";
import { type BatchJob, END_STATUSES, type JobAt, type JobStore } from "./jobs.ts";
import { type BatchOutcome, readOutcome } from "./outcome.ts";
import { readRequestFile } from "./requests.ts";

/** What merging a batch's answers into the tables did. */
export interface MergeReport {
  readonly merged: number;
  readonly foreign: number;
}

/** What every step of a run needs. */
export interface BatchDesk {
  readonly store: JobStore;
  readonly services: readonly BatchService[];
  readonly merge: (outcome: BatchOutcome) => MergeReport;
  readonly onNote: (note: string) => void;
  readonly now: () => number;
  /** How long after a request without an answer its batch may still turn up in the host's list. */
  readonly settleSeconds: number;
}

export interface Stepped {
  readonly job: BatchJob;
  readonly running?: RemoteBatch;
}

/** What a job asks, by ids: none where its input file was gone when it was found again. */
export function askedIds(store: JobStore, job: string): readonly string[] {
  const text = store.readFile(job, "requests.jsonl");
  const source = `${store.folderOf(job)}/requests.jsonl`;
  return text === "" ? [] : readRequestFile(text, source).customIds;
}

/** Takes a job as far as it goes now. @throws {ServiceFailure | ModelUnavailable} */
export async function stepJob(job: BatchJob, desk: BatchDesk): Promise<Stepped> {
  switch (job.step) {
    case "written":
    case "uploaded":
      return { job: await placeJob(job, desk) };
    case "creating":
      return { job: await resolve(job, desk) };
    case "submitted":
      return await collect(job, desk);
    case "fetched":
      return { job: merge(job, desk) };
    case "closed":
      return { job };
  }
}

function save<Job extends BatchJob>(job: Job, { store }: BatchDesk): Job {
  store.save(job);
  return job;
}

/** All keys, the job's own first: another one helps only where the keys were renumbered. */
function ownFirst({ keyLabel }: BatchJob, { services }: BatchDesk): readonly BatchService[] {
  const isOther = (service: BatchService) => Number(service.keyLabel !== keyLabel);
  return services.toSorted((a, b) => isOther(a) - isOther(b));
}

const askAnew = (job: BatchJob, { store }: BatchDesk, shown: string) =>
  `or, where Groq's console shows ${shown}, move ${store.folderOf(job.name)} away, and its ` +
  "questions are asked anew";

/**
 * Submits with the job's key or, while nothing was asked yet, the first key that is of use. The
 * request for a batch is announced on disk first; it is only repeated when the host's whole list,
 * read `settleSeconds` after it, shows no batch of this input file and this name (`resolve`).
 */
async function placeJob(job: JobAt<"written" | "uploaded">, desk: BatchDesk): Promise<BatchJob> {
  let unavailable = new ModelUnavailable("Cannot submit: there is no key", job.hostModel);
  for (const service of ownFirst(job, desk)) {
    try {
      return await submit({ ...job, keyLabel: service.keyLabel }, desk, service);
    } catch (error) {
      if (!(error instanceof ModelUnavailable)) throw error;
      const now = desk.store.jobs().find(({ name }) => name === job.name);
      if (now?.step === "creating") throw error;
      unavailable = error;
    }
  }
  throw unavailable;
}

async function submit(job: BatchJob, desk: BatchDesk, service: BatchService): Promise<BatchJob> {
  const file = `${job.name}.jsonl`;
  const there = (await service.files()).find(({ name }) => name === file);
  const fileId = there?.id ??
    await service.upload(file, desk.store.readFile(job.name, "requests.jsonl"));
  const announce = () => void save({ ...job, step: "creating", fileId, since: desk.now() }, desk);
  const creation = await service.create(fileId, job.name, announce);
  if (creation.kind === "created") {
    return save({ ...job, step: "submitted", fileId, batchId: creation.batch.id }, desk);
  }
  if (creation.kind === "refused") {
    const outcome = `Groq refused the batch: ${creation.message}`;
    return save({ ...job, step: "closed", outcome, merged: 0, remaining: job.requests }, desk);
  }
  if (creation.kind === "unasked") {
    save({ ...job, step: "written" }, desk);
    throw creation.error;
  }
  throw new ServiceFailure(
    `Groq's answer to the request for batch ${job.name} was lost (${creation.message}). ` +
      "Whether it has the batch will show in its list: nothing is submitted again before that",
  );
}

async function resolve(job: JobAt<"creating">, desk: BatchDesk): Promise<BatchJob> {
  const { fileId, keyLabel } = job;
  const service = desk.services.find((service) => service.keyLabel === keyLabel);
  if (service === undefined) {
    throw new ModelUnavailable(
      `Whether Groq has batch ${job.name} only ${keyLabel} can tell, which submitted it. Put it ` +
        `back into .env; ${askAnew(job, desk, "no such batch")}`,
      job.hostModel,
    );
  }
  // First the clock, then the list: a batch must have had its time before the list is read.
  const settled = desk.now() - job.since >= desk.settleSeconds * 1000;
  const batch = (await service.batches()).find(({ inputFileId, name }) =>
    inputFileId === fileId || name === job.name
  );
  if (batch !== undefined) return save({ ...job, step: "submitted", batchId: batch.id }, desk);
  if (!settled) return job;
  if ((await service.files()).some(({ id }) => id === fileId)) {
    return await submit(job, desk, service);
  }
  // A list without the batch proves nothing where it is another organisation's.
  throw new ServiceFailure(
    `Whether Groq has batch ${job.name} cannot be known: ${keyLabel} does not see its ` +
      `input file ${fileId}, so it may be another organisation's key than the one that ` +
      `submitted. Put that key back under its number; ${askAnew(job, desk, "no such batch")}`,
  );
}

/** Asks after a batch and, where it has ended, brings output and errors into its folder and merges them. */
async function collect(job: JobAt<"submitted">, desk: BatchDesk): Promise<Stepped> {
  const { service, batch } = await find(job, desk);
  const status = END_STATUSES.find((end) => end === batch.status);
  if (status === undefined) return { job, running: batch };
  if (batch.counts.completed > 0 && batch.outputFileId === undefined) {
    throw new ServiceFailure(
      `Groq says that batch ${job.batchId} has ended with ${batch.counts.completed} answers, and ` +
        "names no file of them yet: they are looked for again",
    );
  }
  const errors = [...batch.errors];
  const ids = { "output.jsonl": batch.outputFileId, "errors.jsonl": batch.errorFileId } as const;
  for (const file of ["output.jsonl", "errors.jsonl"] as const) {
    const id = ids[file];
    if (id === undefined) continue;
    const text = await download(service, id);
    if (text === undefined) errors.push(`its file ${file} is gone: Groq keeps it for 30 days`);
    else desk.store.writeFile(job.name, file, text);
  }
  return { job: merge(save({ ...job, step: "fetched", status, errors }, desk), desk) };
}

async function find(job: JobAt<"submitted">, desk: BatchDesk) {
  let unavailable: ModelUnavailable | undefined;
  for (const service of ownFirst(job, desk)) {
    try {
      const batch = await service.retrieve(job.batchId);
      if (batch !== undefined) return { service, batch };
    } catch (error) {
      if (!(error instanceof ModelUnavailable)) throw error;
      unavailable ??= error;
    }
  }
  throw unavailable ?? new ServiceFailure(
    `No key sees batch ${job.batchId}: it belongs to the organisation of the key that submitted ` +
      `it, ${job.keyLabel}. Put that key back; ${askAnew(job, desk, "that the batch is gone")}`,
  );
}

/** The text of a file; up to three times where its last line breaks off: the connection's fault? */
async function download(service: BatchService, fileId: string): Promise<string | undefined> {
  let text: string | undefined;
  for (let count = 0; count < 3; count++) {
    text = await service.content(fileId);
    try {
      JSON.parse(text?.trimEnd().split("\n").at(-1) || "null");
      break;
    } catch {
      // Asked for again, and taken as it is in the end.
    }
  }
  return text;
}

/** Merges answers, twice if killed in between; stays `fetched` while some belong to no question. */
function merge(job: JobAt<"fetched">, desk: BatchDesk): BatchJob {
  const { store, onNote } = desk;
  const { name, status } = job;
  const outcome = readOutcome({
    output: store.readFile(name, "output.jsonl"),
    errors: store.readFile(name, "errors.jsonl"),
    asked: askedIds(store, name),
  });
  for (const error of job.errors) onNote(`${name} (${status}): ${error}`);
  for (const [message, all] of Map.groupBy(outcome.problems, ({ message }) => message)) {
    const more = all.length > 1 ? ` and ${all.length - 1} more` : "";
    onNote(`${name} (${status}): ${message} (${all[0]?.where}${more})`);
  }
  const { merged, foreign } = desk.merge(outcome);
  if (foreign > 0) {
    onNote(
      `${name} answered ${foreign} questions that are not asked now: pairs, question or settings ` +
        `have changed since. Its answers stay in ${store.folderOf(name)}; bring the former ones ` +
        'back to use them; or, to be rid of it, write "closed" for "fetched" in its job.json',
    );
    return job;
  }
  const remaining = Math.max(0, job.requests - outcome.replies.size);
  return save({ ...job, step: "closed", outcome: status, merged, remaining }, desk);
}
