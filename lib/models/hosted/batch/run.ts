import { ModelUnavailable } from "../../model.ts";
import { type BatchService, type RemoteBatch, ServiceFailure } from "./groq_service.ts";
import { type BatchJob, END_STATUSES, isUnderWay } from "./jobs.ts";
import {
  type BatchLimits,
  type BatchRequest,
  type BatchSeries,
  isInSeries,
  nextName,
  readRequestFile,
  requestFiles,
} from "./requests.ts";
import { askedIds, type BatchDesk, stepJob, type Stepped } from "./steps.ts";

/** What one model still has to be asked. */
export interface WantedBatch {
  readonly hostModel: string;
  readonly requests: readonly BatchRequest[];
}

export interface BatchRunOptions extends BatchDesk {
  readonly series: BatchSeries;
  /** `fetch` takes what has ended by now and submits nothing, `submit` does not wait for an end. */
  readonly mode: "all" | "submit" | "fetch";
  readonly wanted: () => readonly WantedBatch[];
  readonly limits?: BatchLimits;
  readonly pollSeconds: number;
  readonly sleep: (milliseconds: number) => Promise<void>;
  readonly signal?: AbortSignal | undefined;
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
        options.onNote(hindrance(error));
        failures.set(job.name, 1 + (failures.get(job.name) ?? 0));
      }
    }
    options.onLook(steps);
  };
  await look(({ step }) => step === "fetched");
  const isSure = await showsAll(options);
  await look(({ step }) => step === "submitted");
  const maySubmit = mode !== "fetch" && isSure && knowsQuestions(options);
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

function hindrance(error: unknown): string {
  if (error instanceof ServiceFailure || error instanceof ModelUnavailable) return error.message;
  throw error;
}

async function showsAll(options: BatchRunOptions): Promise<boolean> {
  let shown = 0;
  for (const service of options.services) {
    try {
      await adopt(service, options);
      shown += 1;
    } catch (error) {
      // A key that is refused for good shows nothing to any run, and must not hold up the others.
      const isRefused = error instanceof ModelUnavailable && error.returns === undefined;
      const result = isRefused ? "the key is passed over" : "nothing new is submitted";
      options.onNote(
        `The batches of ${service.keyLabel} cannot be seen, ${result}: ${hindrance(error)}`,
      );
      if (!isRefused) return false;
    }
  }
  return shown > 0;
}

/**
 * Finds those batches of the series of which the store does not know that they were made: lost
 * notes, another machine. Else their questions would be asked and paid for a second time.
 * @throws {ServiceFailure} where nothing may be submitted, for not all is known.
 */
async function adopt(
  service: BatchService,
  { series, store, onNote }: BatchRunOptions,
): Promise<void> {
  const batches = await service.batches();
  const files = batches.length > 0 ? await service.files() : [];
  const jobs = new Map(store.jobs().map((job) => [job.name, job]));
  const found = new Set<string>();
  for (const batch of batches) {
    const file = files.find(({ id }) => id === batch.inputFileId)?.name ?? "";
    const name = [batch.name, /^(.*)\.jsonl$/.exec(file)?.[1]]
      .find((name) => name !== undefined && isInSeries(series, name));
    if (name === undefined || found.has(name)) continue;
    const known = jobs.get(name);
    if (known && (!isUnderWay(known) || known.step === "submitted")) continue;
    const base = known ?? await adopted(name, batch, service, store);
    const { keyLabel } = service;
    const { id: batchId, inputFileId: fileId } = batch;
    store.save({ ...base, keyLabel, step: "submitted", fileId, batchId });
    found.add(name);
    onNote(`${name} was found at Groq and is followed from here on`);
  }
}

async function adopted(
  name: string,
  { id, inputFileId, status, counts }: RemoteBatch,
  service: BatchService,
  store: BatchDesk["store"],
) {
  const text = await service.content(inputFileId);
  if (text === undefined && !END_STATUSES.some((end) => end === status)) {
    throw new ServiceFailure(
      `Groq runs batch ${id} (${name}), and its input file is gone: what it asks cannot be ` +
        "known. Wait until it has ended, or cancel it in Groq's console",
    );
  }
  try {
    const asked = text === undefined ? undefined : readRequestFile(text, `the input of ${name}`);
    // The requests first: a job without them would be one that asked nothing.
    store.writeFile(name, "requests.jsonl", text ?? "");
    const requests = asked?.customIds.length ?? counts.total;
    return { name, hostModel: asked?.hostModel ?? "", requests };
  } catch (error) {
    // A download that broke off, or the file of somebody else's batch under our name.
    if (!(error instanceof SyntaxError)) throw error;
    throw new ServiceFailure(
      `What batch ${id} asks cannot be known: ${error.message} Run the same command again; should ` +
        `it stay so, delete its input file ${inputFileId} in Groq's console`,
    );
  }
}

function knowsQuestions({ store, onNote }: BatchRunOptions): boolean {
  const unknown = store.jobs()
    .filter((job) => isUnderWay(job) && store.readFile(job.name, "requests.jsonl") === "");
  for (const { name, step } of unknown) {
    onNote(
      `What ${name} asks is not known, for its input file is gone, and its answers are not here: ` +
        "nothing new is submitted. Run the same command again later; or, where they are lost for " +
        `good, write "closed" for "${step}" in ${store.folderOf(name)}/job.json`,
    );
  }
  return unknown.length === 0;
}

function writeWanted({ series, store, services, wanted, limits }: BatchRunOptions): void {
  const jobs = store.jobs();
  const asked = new Set(jobs.filter(isUnderWay).flatMap(({ name }) => askedIds(store, name)));
  const keyLabel = services[0]?.keyLabel ?? "";
  for (const { hostModel, requests } of wanted()) {
    const open = requests.filter(({ customId }) => !asked.has(customId));
    for (const text of requestFiles(open, limits)) {
      const name = nextName(series, text, jobs.map((job) => job.name));
      store.writeFile(name, "requests.jsonl", text);
      const count = text.split("\n").length - 1;
      store.save({ name, hostModel, keyLabel, requests: count, step: "written" });
    }
  }
}
