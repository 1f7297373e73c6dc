import type { BatchJob, JobStore } from "../jobs.ts";
import type { BatchOutcome } from "../outcome.ts";
import { type BatchRunOptions, runBatches, type WantedBatch } from "../run.ts";
import type { MergeReport } from "../steps.ts";
import { FakeHost, type FakeHostOptions } from "./fake_host.ts";

/** Stands for a kill: nothing of ours catches it. */
export class Killed extends Error {}

/** Milliseconds after which a request that was under way has arrived. */
export const SETTLE = 120_000;

/** A study's tables, as far as a run of batches knows them. */
export interface Tables {
  readonly wanted: () => readonly WantedBatch[];
  readonly merge: (outcome: BatchOutcome) => MergeReport;
}

/** A host, a clock, and a process that can be killed at any moment and started again. */
export class World {
  /** Milliseconds since 1970. */
  clock = 0;
  /** Moments until the next kill. */
  left = Infinity;
  /** Every moment so far: the beginning and the end of each request and of each write. */
  readonly moments: string[] = [];
  readonly notes: string[] = [];
  readonly host: FakeHost;

  constructor(options: Pick<FakeHostOptions, "fate"> & Partial<FakeHostOptions>) {
    const moment = (what: string) => this.moment(what);
    this.host = new FakeHost({ now: () => this.clock, moment, ...options });
  }

  moment(what: string): void {
    this.moments.push(what);
    this.left -= 1;
    if (this.left < 0) throw new Killed(what);
  }

  /** One process: runs until it ends or is killed. */
  async live(
    store: JobStore,
    tables: Tables,
    change: Partial<BatchRunOptions> = {},
  ): Promise<readonly BatchJob[] | "killed"> {
    try {
      return await runBatches({
        series: { study: "norse", panel: "fake" },
        store: this.#mortal(store),
        services: [this.host.service("GROQ_API_KEY_1")],
        ...this.#merging(tables),
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

  #mortal(store: JobStore): JobStore {
    const during = <Input extends readonly unknown[]>(work: (...input: Input) => void) =>
    (
      ...input: Input
    ) => {
      this.moment("before write");
      work(...input);
      this.moment("after write");
    };
    return { ...store, save: during(store.save), writeFile: during(store.writeFile) };
  }

  /** Merges some answers first, so that a kill may come in between. */
  #merging({ wanted, merge }: Tables): Tables {
    return {
      wanted,
      merge: (outcome) => {
        this.moment("before merge");
        merge({ ...outcome, replies: new Map([...outcome.replies].slice(0, 2)) });
        this.moment("within merge");
        const report = merge(outcome);
        this.moment("after merge");
        return report;
      },
    };
  }
}
