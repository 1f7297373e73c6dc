import { z } from "zod";

/** The ends of a batch, in Groq's words. `failed` means that its input file was refused. */
export const END_STATUSES = ["completed", "failed", "expired", "cancelled"] as const;

const JOB = {
  /** Names the job's folder, its input file at Groq, and the batch in its metadata. */
  name: z.string().min(1),
  /** The host's name of the one model it asks. */
  hostModel: z.string(),
  /** Which key it was submitted with; another organisation's key does not see it. */
  keyLabel: z.string(),
  /** Questions it asks. */
  requests: z.int().min(0),
};

const SENT = { fileId: z.string(), batchId: z.string() };

const ENDED = {
  ...SENT,
  status: z.enum(END_STATUSES),
  /** What Groq says of the batch as a whole: the lines of an input file that it refused. */
  errors: z.array(z.string()),
};

/**
 * How far a batch has come. Each step is on disk before the next begins, so that a killed process
 * goes on where it was; see `submit.ts` for the one step that cannot simply be repeated.
 */
export const BATCH_JOB = z.discriminatedUnion("step", [
  z.strictObject({ ...JOB, step: z.literal("written") }),
  z.strictObject({ ...JOB, step: z.literal("uploaded"), fileId: z.string() }),
  // Written before the request goes out: from here on, Groq may have a batch.
  z.strictObject({
    ...JOB,
    step: z.literal("creating"),
    fileId: z.string(),
    /** When the request went out, in milliseconds since 1970. */
    since: z.number(),
  }),
  z.strictObject({ ...JOB, step: z.literal("submitted"), ...SENT }),
  // Output and errors are in the job's folder.
  z.strictObject({ ...JOB, step: z.literal("fetched"), ...ENDED }),
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

export type JobBase = Pick<BatchJob, "name" | "hostModel" | "keyLabel" | "requests">;

/** What every step of a job knows. */
export function jobBase({ name, hostModel, keyLabel, requests }: BatchJob): JobBase {
  return { name, hostModel, keyLabel, requests };
}

/** Whether the host may still answer the job's questions: nobody else should ask them. */
export function isUnderWay({ step }: BatchJob): boolean {
  return step !== "fetched" && step !== "closed";
}
