import { join } from "node:path";
import { z } from "zod";
import { holdFile, readTextIfThere, writeTextAtomic } from "../../../files/atomic.ts";
import { parseJson, writeJsonAtomic } from "../../../files/json.ts";

/** The ends of a batch, in Groq's words. `failed` means that its input file was refused. */
export const END_STATUSES = ["completed", "failed", "expired", "cancelled"] as const;

const JOB = {
  /** Names the job's folder and its input file at Groq. */
  name: z.string().min(1),
  hostModel: z.string(),
  /** Which key it was submitted with; another organisation's key does not see it. */
  keyLabel: z.string(),
  requests: z.int().min(0),
};
const SENT = { ...JOB, fileId: z.string(), batchId: z.string() };

/** How far a batch has come; each step is on disk before the next begins. */
export const BATCH_JOB = z.discriminatedUnion("step", [
  z.object({ ...JOB, step: z.literal("written") }),
  // Written before the request goes out, in milliseconds since 1970: from here on, Groq may have a batch.
  z.object({ ...JOB, fileId: z.string(), step: z.literal("creating"), since: z.number() }),
  z.object({ ...SENT, step: z.literal("submitted") }),
  // Output and errors are in the job's folder; `errors` is what Groq says of the batch as a whole.
  z.object({
    ...SENT,
    step: z.literal("fetched"),
    status: z.enum(END_STATUSES),
    errors: z.array(z.string()),
  }),
  // Its answers are in the tables; `remaining` questions got none and may be asked by another.
  // A user may close a job by this one word: what else there is, or is missing, does not matter.
  z.object({
    ...JOB,
    step: z.literal("closed"),
    batchId: z.string().optional(),
    outcome: z.string().default("closed by hand"),
    merged: z.int().min(0).default(0),
    remaining: z.int().min(0).default(0),
  }),
]);

export type BatchJob = Readonly<z.infer<typeof BATCH_JOB>>;
export type JobAt<Step extends BatchJob["step"]> = Extract<BatchJob, { readonly step: Step }>;

/** Whether the host may still answer the job's questions: nobody else should ask them. */
export function isUnderWay({ step }: BatchJob): boolean {
  return step !== "fetched" && step !== "closed";
}

type JobFile = "requests.jsonl" | "output.jsonl" | "errors.jsonl";

export interface JobStore {
  jobs(): readonly BatchJob[];
  save(job: BatchJob): void;
  writeFile(job: string, file: JobFile, text: string): void;
  readFile(job: string, file: JobFile): string;
  folderOf(job: string): string;
}

/** Jobs under a folder, each in one of its own. What is asked twice where it is lost is paid twice. */
export function openJobStore(folder: string): JobStore {
  const folderOf = (job: string) => join(folder, job);
  return {
    jobs: () =>
      folderNames(folder).sort().flatMap((name) => readJob(join(folderOf(name), "job.json"))),
    save: (job) => writeJsonAtomic(join(folderOf(job.name), "job.json"), BATCH_JOB.parse(job)),
    writeFile: (job, file, text) => writeTextAtomic(join(folderOf(job), file), text),
    readFile: (job, file) => readTextIfThere(join(folderOf(job), file)) ?? "",
    folderOf,
  };
}

function folderNames(folder: string): string[] {
  try {
    return [...Deno.readDirSync(folder)].flatMap((it) => it.isDirectory ? [it.name] : []);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

/** One job, or none: requests without a state were written by a run that was killed just then. */
function readJob(path: string): readonly BatchJob[] {
  const text = readTextIfThere(path);
  if (text === undefined) return [];
  const remedy = "Move its folder away; its questions are asked anew.";
  return [parseJson(text, BATCH_JOB, (why) => `Cannot read ${path}: ${why}. ${remedy}`)];
}

/** Holds the folder, lest two processes submit the same. @throws {Error} where one has it. */
export function lockJobs(folder: string): Disposable {
  const why = `another process is at work in ${folder}. Let it end first`;
  return holdFile(join(folder, "lock"), `Cannot run batches: ${why}.`);
}
