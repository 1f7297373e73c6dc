import { join } from "node:path";
import { writeTextAtomic } from "../../../files/atomic.ts";
import { damageReason } from "../../../files/damage_reason.ts";
import { writeJsonAtomic } from "../../../files/json_file.ts";
import { readTextIfThere } from "../../../files/read_text.ts";
import { BATCH_JOB, type BatchJob } from "./job.ts";

/** The files of a job beside its state. */
export type JobFile = "requests.jsonl" | "output.jsonl" | "errors.jsonl";

/** Jobs on disk, one folder each: what a resumed run goes by. */
export interface JobStore {
  /** Every job, by name. */
  jobs(): readonly BatchJob[];
  save(job: BatchJob): void;
  writeFile(job: string, file: JobFile, text: string): void;
  /** The text of a job's file; empty where there is none. */
  readFile(job: string, file: JobFile): string;
  /** The folder of a job, for messages. */
  folderOf(job: string): string;
}

/**
 * Jobs under a folder, which is created when the first is saved. Losing it costs no second
 * submission: batches are found again at Groq by their names.
 */
export function openJobStore(folder: string): JobStore {
  const folderOf = (job: string) => join(folder, job);
  return {
    jobs: () =>
      folderNames(folder).sort().flatMap((name) => readJob(join(folderOf(name), "job.json"))),
    save: (job) => writeJsonAtomic(join(folderOf(job.name), "job.json"), job),
    writeFile: (job, file, text) => writeTextAtomic(join(folderOf(job), file), text),
    readFile: (job, file) => readTextIfThere(join(folderOf(job), file)) ?? "",
    folderOf,
  };
}

/**
 * Holds the folder for this process: two at a time could submit the same questions. The system lets
 * go of it however the process ends.
 * @throws {Error} where another process holds it.
 */
export async function lockJobs(folder: string): Promise<Disposable> {
  Deno.mkdirSync(folder, { recursive: true });
  const file = Deno.openSync(join(folder, "lock"), { write: true, create: true });
  if (await file.tryLock(true)) return file;
  file.close();
  throw new Error(`Cannot run batches: another process is at work in ${folder}. Let it end first.`);
}

function folderNames(folder: string): string[] {
  try {
    return [...Deno.readDirSync(folder)].filter((entry) => entry.isDirectory).map((entry) =>
      entry.name
    );
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

/** One job, or none: requests without a state were written by a run that was killed just then. */
function readJob(path: string): readonly BatchJob[] {
  const text = readTextIfThere(path);
  if (text === undefined) return [];
  try {
    return [BATCH_JOB.parse(JSON.parse(text))];
  } catch (error) {
    throw new SyntaxError(
      `Cannot read ${path}: ${damageReason(error)}. Move its folder away: where Groq has the ` +
        "batch, it is found there again.",
    );
  }
}
