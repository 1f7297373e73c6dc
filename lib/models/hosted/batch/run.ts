import { ModelUnavailable } from "../../model.ts";
import { type BatchService, type RemoteBatch, ServiceFailure } from "./groq_service.ts";
import { type BatchJob, END_STATUSES, isUnderWay, type JobAt, type JobStore } from "./jobs.ts";
import {
  askedIds,
  type BatchLimits,
  type BatchOutcome,
  type BatchRequest,
  type BatchSeries,
  nextName,
  readOutcome,
  requestFiles,
} from "./files.ts";

/** What one model still has to be asked. */
export interface WantedBatch {
  readonly hostModel: string;
  readonly requests: readonly BatchRequest[];
}

/** What merging a batch's answers into the tables did. */
export interface MergeReport {
  readonly merged: number;
  readonly foreign: number;
}

/** A job as a look at it left it, and its batch where that is at work. */
export interface Stepped {
  readonly job: BatchJob;
  readonly running?: RemoteBatch;
}

export interface BatchRunOptions {
  readonly series: BatchSeries;
  readonly store: JobStore;
  /** One a key. */
  readonly services: readonly BatchService[];
  /** `fetch` takes what has ended by now and submits nothing, `submit` does not wait for an end. */
  readonly mode: "all" | "submit" | "fetch";
  readonly wanted: () => readonly WantedBatch[];
  readonly merge: (outcome: BatchOutcome) => MergeReport;
  readonly limits?: BatchLimits;
  readonly pollSeconds: number;
  /** How long after a request without an answer its batch may still turn up in the host's list. */
  readonly settleSeconds: number;
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
  readonly signal?: AbortSignal | undefined;
  readonly onNote: (note: string) => void;
  readonly onLook: (steps: readonly Stepped[]) => void;
}

/** Looks in a row at which a batch may fail to be seen before this run waits for it no longer. */
const FAILED_LOOKS = 5;

/** Submits what is wanted, brings in what has ended; goes on from the last step that was saved. */
export async function runBatches(options: BatchRunOptions): Promise<readonly BatchJob[]> {
  const { store, mode, signal } = options;
  const failures = new Map<string, number>();
  const look = async (isMeant: (job: BatchJob) => boolean) => {
    const steps: Stepped[] = [];
    for (const job of store.jobs().filter(isMeant)) {
      if (signal?.aborted) return;
      try {
        steps.push(await stepJob(job, options));
        failures.delete(job.name);
      } catch (error) {
        if (signal?.aborted) return;
        if (!(error instanceof ServiceFailure || error instanceof ModelUnavailable)) throw error;
        options.onNote(error.message);
        failures.set(job.name, 1 + (failures.get(job.name) ?? 0));
      }
    }
    options.onLook(steps);
  };
  await look(({ step }) => step === "fetched" || step === "submitted");
  const maySubmit = mode !== "fetch";
  if (maySubmit && !signal?.aborted) {
    writeWanted(options);
    await look((job) => isUnderWay(job) && job.step !== "submitted");
  }
  const isAwaited = (job: BatchJob) =>
    isUnderWay(job) && (failures.get(job.name) ?? 0) < FAILED_LOOKS &&
    (maySubmit || job.step === "submitted");
  while (mode === "all" && !signal?.aborted && store.jobs().some(isAwaited)) {
    await options.sleep(options.pollSeconds * 1000).catch(() => {}); // An abort; seen at once.
    await look(isAwaited);
  }
  return store.jobs();
}

/** Writes a job for each input file of questions that no job under way asks. */
function writeWanted({ series, store, services, wanted, limits }: BatchRunOptions): void {
  const jobs = store.jobs();
  const asked = new Set(jobs.filter(isUnderWay).flatMap((job) => idsOf(job, store)));
  const keyLabel = services[0]?.keyLabel ?? "";
  for (const { hostModel, requests } of wanted()) {
    const open = requests.filter(({ customId }) => !asked.has(customId));
    for (const text of requestFiles(open, limits)) {
      const name = nextName(series, text, jobs.map((job) => job.name));
      // The requests first: a job without them would be one that asked nothing.
      store.writeFile(name, "requests.jsonl", text);
      store.save({ name, hostModel, keyLabel, requests: askedIds(text).length, step: "written" });
    }
  }
}

const idsOf = ({ name }: BatchJob, store: JobStore) =>
  askedIds(store.readFile(name, "requests.jsonl"));

/** Takes a job as far as it goes now. @throws {ServiceFailure | ModelUnavailable} */
async function stepJob(job: BatchJob, options: BatchRunOptions): Promise<Stepped> {
  switch (job.step) {
    case "written":
      return { job: await place(job, options) };
    case "creating":
      return { job: await resolve(job, options) };
    case "submitted":
      return await collect(job, options);
    case "fetched":
      return { job: merge(job, options) };
    case "closed":
      return { job };
  }
}

function save<Job extends BatchJob>(job: Job, { store }: BatchRunOptions): Job {
  store.save(job);
  return job;
}

/** Submits with the first key that is of use. */
async function place(job: JobAt<"written">, options: BatchRunOptions): Promise<BatchJob> {
  let unavailable = new ModelUnavailable("Cannot submit: there is no key", job.hostModel);
  for (const service of options.services) {
    try {
      const requests = options.store.readFile(job.name, "requests.jsonl");
      const fileId = await service.upload(`${job.name}.jsonl`, requests);
      return await submit({ ...job, keyLabel: service.keyLabel }, fileId, options, service);
    } catch (error) {
      if (!(error instanceof ModelUnavailable)) throw error;
      unavailable = error;
    }
  }
  throw unavailable;
}

/**
 * Asks for a batch. The request is announced on disk first; it is only repeated when the host's whole
 * list, read `settleSeconds` after it, shows no batch of this input file (`resolve`).
 */
async function submit(
  job: BatchJob,
  fileId: string,
  options: BatchRunOptions,
  service: BatchService,
): Promise<BatchJob> {
  const announce = () =>
    void save({ ...job, step: "creating", fileId, since: options.now() }, options);
  const creation = await service.create(fileId, announce);
  if (creation.kind === "created") {
    return save({ ...job, step: "submitted", fileId, batchId: creation.batch.id }, options);
  }
  if (creation.kind === "refused") {
    const outcome = `Groq refused the batch: ${creation.message}`;
    return save({ ...job, step: "closed", outcome, merged: 0, remaining: job.requests }, options);
  }
  if (creation.kind === "unasked") {
    save({ ...job, step: "written" }, options);
    throw creation.error;
  }
  throw new ServiceFailure(
    `Groq's answer to the request for batch ${job.name} was lost (${creation.message}). ` +
      "Whether it has the batch will show in its list: nothing is submitted again before that",
  );
}

/** Finds out whether the request of which no answer came has led to a batch. */
async function resolve(job: JobAt<"creating">, options: BatchRunOptions): Promise<BatchJob> {
  const { fileId, keyLabel } = job;
  const service = ownService(job, options);
  // First the clock, then the list: a batch must have had its time before the list is read.
  const settled = options.now() - job.since >= options.settleSeconds * 1000;
  const batch = (await service.batches()).find(({ inputFileId }) => inputFileId === fileId);
  if (batch !== undefined) return save({ ...job, step: "submitted", batchId: batch.id }, options);
  if (!settled) return job;
  // A list without the batch proves nothing where it is another organisation's.
  if (await service.content(fileId) === undefined) {
    throw new ServiceFailure(
      `Whether Groq has batch ${job.name} cannot be known: ${keyLabel} does not see its input ` +
        `file ${fileId}. ${putBack(job, options)}`,
    );
  }
  return await submit(job, fileId, options, service);
}

/** The key that a job was submitted with: another organisation's does not see it. */
function ownService(job: BatchJob, options: BatchRunOptions): BatchService {
  const service = options.services.find(({ keyLabel }) => keyLabel === job.keyLabel);
  if (service !== undefined) return service;
  throw new ServiceFailure(
    `What became of batch ${job.name} only ${job.keyLabel} can tell. ${putBack(job, options)}`,
  );
}

const putBack = ({ name, keyLabel }: BatchJob, { store }: BatchRunOptions) =>
  `Put the key that submitted it back into .env as ${keyLabel}; or, where Groq's console shows no ` +
  `such batch, move ${store.folderOf(name)} away, and its questions are asked anew`;

/** Asks after a batch and, where it has ended, brings output and errors into its folder and merges them. */
async function collect(job: JobAt<"submitted">, options: BatchRunOptions): Promise<Stepped> {
  const service = ownService(job, options);
  const batch = await service.retrieve(job.batchId);
  if (batch === undefined) {
    throw new ServiceFailure(
      `${job.keyLabel} does not see batch ${job.batchId} of ${job.name}. ${putBack(job, options)}`,
    );
  }
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
    const text = await service.content(id);
    if (text === undefined) errors.push(`its file ${file} is gone: Groq keeps it for 30 days`);
    else options.store.writeFile(job.name, file, text);
  }
  return { job: merge(save({ ...job, step: "fetched", status, errors }, options), options) };
}

/** Merges answers, twice if killed in between; stays `fetched` while some belong to no question. */
function merge(job: JobAt<"fetched">, options: BatchRunOptions): BatchJob {
  const { store, onNote } = options;
  const { name, status } = job;
  const outcome = readOutcome({
    output: store.readFile(name, "output.jsonl"),
    errors: store.readFile(name, "errors.jsonl"),
    asked: idsOf(job, store),
  });
  for (const error of job.errors) onNote(`${name} (${status}): ${error}`);
  for (const [message, all] of Map.groupBy(outcome.problems, ({ message }) => message)) {
    const more = all.length > 1 ? ` and ${all.length - 1} more` : "";
    onNote(`${name} (${status}): ${message} (${all[0]?.where}${more})`);
  }
  const { merged, foreign } = options.merge(outcome);
  if (foreign > 0) {
    onNote(
      `${name} answered ${foreign} questions that are not asked now: pairs, question or settings ` +
        `have changed since. Its answers stay in ${store.folderOf(name)}; bring the former ones ` +
        'back to use them; or, to be rid of it, write "closed" for "fetched" in its job.json',
    );
    return job;
  }
  const remaining = Math.max(0, job.requests - outcome.replies.size);
  return save({ ...job, step: "closed", outcome: status, merged, remaining }, options);
}
