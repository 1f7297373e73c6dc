import { type BatchJob, isUnderWay } from "../../models/hosted/batch/job.ts";
import type { Stepped } from "../../models/hosted/batch/run_step.ts";

/** One line of the batches under way, for a status line: `gpt-oss-20b in_progress 340/1000`. */
export function formatLook(steps: readonly Stepped[], pollSeconds: number): string {
  const parts = steps.filter(({ job }) => isUnderWay(job)).map(({ job, running }) => {
    const model = job.hostModel.split("/").at(-1);
    if (running === undefined) return `${model} ${WORDS[job.step]}`;
    const { completed, failed } = running.counts;
    const problem = failed > 0 ? `, ${failed} failed` : "";
    return `${model} ${running.status} ${completed}/${job.requests}${problem}`;
  });
  return `${parts.join(" · ")}; looks again in ${pollSeconds} s`;
}

const WORDS: Readonly<Record<BatchJob["step"], string>> = {
  written: "to be uploaded",
  uploaded: "uploaded, to be submitted",
  creating: "submitted, not yet confirmed",
  submitted: "submitted",
  fetched: "fetched, has answers that no question is asked for now",
  closed: "done",
};

/** One line a batch: name, model, questions, where it stands. */
export function formatJob(job: BatchJob): string {
  const where = job.step === "closed"
    ? `${job.outcome}: ${job.merged} answers written, ${job.remaining} questions without one`
    : WORDS[job.step];
  const key = job.step === "closed" ? "" : ` with ${job.keyLabel}`;
  return `${job.name}: ${job.requests} questions to ${
    job.hostModel || "a model unknown"
  }${key}, ${where}`;
}
