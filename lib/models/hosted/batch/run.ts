import { ModelUnavailable } from "../../model.ts";
import { adoptBatches } from "./adopt.ts";
import { type BatchJob, isUnderWay } from "./job.ts";
import { type BatchSeries, nextName } from "./names.ts";
import { askedIds, type BatchLimits, type BatchRequest, requestFiles } from "./request_lines.ts";
import { type BatchDesk, stepJob, type Stepped } from "./run_step.ts";
import { ServiceFailure } from "./service.ts";

/** What one model still has to be asked. */
export interface WantedBatch {
  readonly hostModel: string;
  readonly requests: readonly BatchRequest[];
}

export interface BatchRunOptions extends BatchDesk {
  readonly series: BatchSeries;
  /**
   * `submit` ends when everything is submitted, `fetch` takes what has ended by now and submits
   * nothing, `all` submits and waits for the end.
   */
  readonly mode: "all" | "submit" | "fetch";
  /** The questions without an answer, asked for when all batches that have ended are merged. */
  readonly wanted: () => readonly WantedBatch[];
  readonly limits?: BatchLimits;
  readonly pollSeconds: number;
  /** Resolves after so long; rejects when the signal aborts. */
  readonly sleep: (milliseconds: number) => Promise<void>;
  readonly signal?: AbortSignal;
  /** Called after each look at the batches under way. */
  readonly onLook: (steps: readonly Stepped[]) => void;
}

/** Looks in a row at which a batch may fail to be seen before this run waits for it no longer. */
const FAILED_LOOKS = 5;

/**
 * Submits what is wanted and brings in what has ended. Whatever ends it, a later run goes on from
 * the last step that was saved; no question is submitted while a batch that asks it may be under way.
 *
 * @returns All jobs, as they are at the end.
 */
export async function runBatches(options: BatchRunOptions): Promise<readonly BatchJob[]> {
  const { store, mode, signal } = options;
  const watch = new Watch(options);
  await watch.look(store.jobs().filter(({ step }) => step === "fetched"));
  const isSure = await showsAll(options);
  await watch.look(store.jobs().filter(({ step }) => step === "submitted"));
  const maySubmit = mode !== "fetch" && isSure && knowsQuestions(options);
  if (maySubmit && !signal?.aborted) {
    writeWanted(options);
    await watch.look(store.jobs().filter((job) => isUnderWay(job) && job.step !== "submitted"));
  }
  while (mode === "all" && !signal?.aborted) {
    const left = store.jobs().filter((job) => isUnderWay(job) && watch.isWorthwhile(job))
      .filter(({ step }) => maySubmit || step === "submitted");
    if (left.length === 0) break;
    await options.sleep(options.pollSeconds * 1000).catch(() => {}); // An abort; seen at once.
    await watch.look(left);
  }
  return store.jobs();
}

/** Looks after jobs, and counts how often one could not be seen. */
class Watch {
  readonly #failures = new Map<string, number>();

  constructor(private readonly options: BatchRunOptions) {}

  /** Takes each job as far as it goes now; what hinders one is told, and hinders no other. */
  async look(jobs: readonly BatchJob[]): Promise<void> {
    const steps: Stepped[] = [];
    for (const job of jobs) {
      if (this.options.signal?.aborted) return;
      try {
        steps.push(await stepJob(job, this.options));
        this.#failures.delete(job.name);
      } catch (error) {
        if (this.options.signal?.aborted) return;
        this.options.onNote(hindrance(error));
        this.#failures.set(job.name, 1 + (this.#failures.get(job.name) ?? 0));
      }
    }
    this.options.onLook(steps);
  }

  isWorthwhile({ name }: BatchJob): boolean {
    return (this.#failures.get(name) ?? 0) < FAILED_LOOKS;
  }
}

/** Whether every key of use has shown all its batches, so that nothing is submitted twice. */
async function showsAll({ series, store, services, onNote }: BatchRunOptions): Promise<boolean> {
  let shown = 0;
  for (const service of services) {
    try {
      for (const name of await adoptBatches(series, store, service)) {
        onNote(`${name} was found at Groq and is followed from here on`);
      }
      shown += 1;
    } catch (error) {
      // A key that is refused for good shows nothing to any run, and must not hold up the others.
      const isRefused = error instanceof ModelUnavailable && error.returns === undefined;
      const result = isRefused ? "the key is passed over" : "nothing new is submitted";
      onNote(`The batches of ${service.keyLabel} cannot be seen, ${result}: ${hindrance(error)}`);
      if (!isRefused) return false;
    }
  }
  return shown > 0;
}

/** The message of what hinders a step; anything else is a mistake of ours. */
function hindrance(error: unknown): string {
  if (error instanceof ServiceFailure || error instanceof ModelUnavailable) return error.message;
  throw error;
}

/** Whether all is known that is asked already; a note says what is not. */
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

/** Writes jobs for the questions that no batch under way asks. */
function writeWanted({ series, store, services, wanted, limits }: BatchRunOptions): void {
  const jobs = store.jobs();
  const asked = new Set(
    jobs.filter(isUnderWay).flatMap(({ name }) =>
      askedIds(store.readFile(name, "requests.jsonl"), `${store.folderOf(name)}/requests.jsonl`)
    ),
  );
  for (const { hostModel, requests } of wanted()) {
    const open = requests.filter(({ customId }) => !asked.has(customId));
    for (const text of requestFiles(open, limits)) {
      const name = nextName(series, text, jobs.map((job) => job.name));
      store.writeFile(name, "requests.jsonl", text);
      const count = text.split("\n").length - 1;
      const keyLabel = services[0]?.keyLabel ?? "";
      store.save({ name, hostModel, keyLabel, requests: count, step: "written" });
    }
  }
}
