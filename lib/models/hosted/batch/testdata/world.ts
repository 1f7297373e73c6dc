import { BATCH_JOB, type BatchJob, type JobStore } from "../jobs.ts";
import { type BatchRunOptions, runBatches } from "../run.ts";
import { FakeHost, type FakeHostOptions } from "./fake_host.ts";

class Killed extends Error {}

/** Milliseconds after which a request that was under way has arrived. */
export const SETTLE = 120_000;

/** A store without a disk: thousands of runs in a second. Jobs pass through JSON, as on disk. */
export function memoryStore(): JobStore {
  const jobs = new Map<string, string>();
  const files = new Map<string, string>();
  return {
    jobs: () => [...jobs.keys()].sort().map((name) => BATCH_JOB.parse(JSON.parse(jobs.get(name)!))),
    save: (job) => void jobs.set(job.name, JSON.stringify(job)),
    writeFile: (job, file, text) => void files.set(`${job}/${file}`, text),
    readFile: (job, file) => files.get(`${job}/${file}`) ?? "",
    folderOf: (job) => `batches/${job}`,
  };
}

export function openTables(models: Readonly<Record<string, readonly string[]>>) {
  const rows = new Map<string, string>();
  const tables: Pick<BatchRunOptions, "wanted" | "merge"> = {
    wanted: () =>
      Object.entries(models).map(([hostModel, ids]) => ({
        hostModel,
        requests: ids.filter((id) => !rows.has(id))
          .map((customId) => ({ customId, body: { model: hostModel } })),
      })),
    merge: ({ replies }) => {
      for (const [id, { text }] of replies) rows.set(id, text);
      return { merged: replies.size, foreign: 0 };
    },
  };
  return { ...tables, rows };
}

/** A host, a clock, and a process that can be killed at any moment and started again. */
export class World {
  clock = 0;
  left = Infinity;
  /** Every moment so far: the beginning and the end of each request and of each write. */
  readonly moments: string[] = [];
  readonly notes: string[] = [];
  readonly host: FakeHost;

  constructor(options: Pick<FakeHostOptions, "fate"> & Partial<FakeHostOptions>) {
    this.host = new FakeHost({ now: () => this.clock, moment: this.moment, ...options });
  }

  moment = (what: string): void => {
    this.moments.push(what);
    this.left -= 1;
    if (this.left < 0) throw new Killed(what);
  };

  /** One process: runs until it ends or is killed. */
  async live(
    store: JobStore,
    { wanted, merge }: Pick<BatchRunOptions, "wanted" | "merge">,
    change: Partial<BatchRunOptions> = {},
  ): Promise<readonly BatchJob[] | "killed"> {
    const during = <Input extends readonly unknown[], T>(
      what: string,
      work: (...input: Input) => T,
    ) =>
    (...input: Input) => {
      this.moment(`before ${what}`);
      const value = work(...input);
      this.moment(`after ${what}`);
      return value;
    };
    try {
      return await runBatches({
        series: { study: "norse", panel: "fake" },
        store: {
          ...store,
          save: during("write", store.save),
          writeFile: during("write", store.writeFile),
        },
        services: [this.host.service("GROQ_API_KEY_1")],
        wanted,
        // Some answers first, so that a kill may come in between.
        merge: during("merge", (outcome) => {
          merge({ ...outcome, replies: new Map([...outcome.replies].slice(0, 2)) });
          this.moment("within merge");
          return merge(outcome);
        }),
        mode: "all",
        limits: { lines: 3, bytes: 1e6 },
        pollSeconds: 60,
        settleSeconds: SETTLE / 1000,
        now: () => this.clock,
        sleep: (milliseconds) => Promise.resolve(void (this.clock += milliseconds)),
        onNote: (note) => void this.notes.push(note),
        onLook: () => {},
        ...change,
      });
    } catch (error) {
      if (error instanceof Killed) return "killed";
      throw error;
    }
  }
}
