import { ModelUnavailable } from "../../model.ts";
import { collectJob } from "./collect.ts";
import { type BatchJob, type JobAt, jobBase } from "./job.ts";
import { type MergeDesk, mergeJob } from "./merge_step.ts";
import type { BatchService, RemoteBatch } from "./service.ts";
import { submitJob } from "./submit.ts";

/** What every step of a run needs. */
export interface BatchDesk extends MergeDesk {
  /** One a key. */
  readonly services: readonly BatchService[];
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** See `submitJob`. */
  readonly settleSeconds: number;
}

/** A job after a step, with its batch where that is still at work. */
export interface Stepped {
  readonly job: BatchJob;
  readonly running?: RemoteBatch;
}

/**
 * Takes a job as far as it goes now.
 * @throws {ServiceFailure | ModelUnavailable} where it cannot go on now; what is saved stays.
 */
export async function stepJob(job: BatchJob, desk: BatchDesk): Promise<Stepped> {
  switch (job.step) {
    case "written":
    case "uploaded":
      return { job: await placeJob(job, desk) };
    case "creating":
      return { job: await submitJob(job, { ...desk, service: ownService(job, desk) }) };
    case "submitted": {
      const collected = await collectJob(job, desk.store, ownFirst(job, desk));
      if (collected.kind === "running") return { job, running: collected.batch };
      return { job: mergeJob(collected.job, desk) };
    }
    case "fetched":
      return { job: mergeJob(job, desk) };
    case "closed":
      return { job };
  }
}

/** Submits with the job's key or, while nothing was asked yet, with the first key that is of use. */
async function placeJob(job: JobAt<"written" | "uploaded">, desk: BatchDesk): Promise<BatchJob> {
  let unavailable = new ModelUnavailable("Cannot submit: there is no key", job.hostModel);
  for (const service of ownFirst(job, desk)) {
    const own = service.keyLabel === job.keyLabel;
    // An uploaded file is seen by its organisation alone.
    const start = own
      ? job
      : { ...jobBase(job), keyLabel: service.keyLabel, step: "written" } as const;
    try {
      return await submitJob(start, { ...desk, service });
    } catch (error) {
      if (!(error instanceof ModelUnavailable)) throw error;
      const now = desk.store.jobs().find(({ name }) => name === job.name);
      if (now?.step === "creating") throw error;
      unavailable = error;
    }
  }
  throw unavailable;
}

function ownFirst({ keyLabel }: BatchJob, { services }: BatchDesk): readonly BatchService[] {
  const isOwn = (service: BatchService) => service.keyLabel === keyLabel;
  return [...services.filter(isOwn), ...services.filter((service) => !isOwn(service))];
}

function ownService(job: BatchJob, { services, store }: BatchDesk): BatchService {
  const own = services.find(({ keyLabel }) => keyLabel === job.keyLabel);
  if (own !== undefined) return own;
  throw new ModelUnavailable(
    `Whether Groq has batch ${job.name} only ${job.keyLabel} can tell, which submitted it. Put it ` +
      "back into .env; or, where Groq's console shows no such batch, move " +
      `${store.folderOf(job.name)} away, and its questions are asked anew`,
    job.hostModel,
  );
}
