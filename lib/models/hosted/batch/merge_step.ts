import { type BatchJob, type JobAt, jobBase } from "./job.ts";
import type { JobStore } from "./job_store.ts";
import { type BatchOutcome, type BatchProblem, readOutcome } from "./outcome.ts";
import { askedIds } from "./request_lines.ts";

/** What merging a batch's answers into the tables did. */
export interface MergeReport {
  /** Rows written, invalid answers among them. */
  readonly merged: number;
  /** Answers to questions that the study does not ask as it is now: none of them was written. */
  readonly foreign: number;
}

/** What merging needs. */
export interface MergeDesk {
  readonly store: JobStore;
  /** Writes the answers into the tables. It may be called again with the same ones. */
  readonly merge: (outcome: BatchOutcome) => MergeReport;
  /** What the user should know. */
  readonly onNote: (note: string) => void;
}

/**
 * Merges a fetched batch's answers, then closes the job; a run killed in between merges them again,
 * which writes nothing twice. It stays `fetched` where it holds answers that the study has no
 * question for: they were paid for, and a later run may have their questions back.
 */
export function mergeJob(job: JobAt<"fetched">, desk: MergeDesk): BatchJob {
  const { store, onNote } = desk;
  const outcome = outcomeOf(job, desk);
  for (const error of job.errors) onNote(`${job.name} (${job.status}): ${error}`);
  for (const note of problemNotes(outcome.problems)) onNote(`${job.name} (${job.status}): ${note}`);
  const { merged, foreign } = desk.merge(outcome);
  if (foreign > 0) {
    onNote(
      `${job.name} answered ${foreign} questions that are not asked now: pairs, question or ` +
        "settings have changed since. Its answers stay in " +
        `${
          store.folderOf(job.name)
        }; bring the former ones back to use them; or, to be rid of it, write "closed" for ` +
        '"fetched" in its job.json',
    );
    return job;
  }
  const closed: JobAt<"closed"> = {
    ...jobBase(job),
    step: "closed",
    batchId: job.batchId,
    outcome: job.status,
    merged,
    remaining: Math.max(0, job.requests - outcome.replies.size),
  };
  store.save(closed);
  return closed;
}

function outcomeOf({ name }: JobAt<"fetched">, { store }: MergeDesk): BatchOutcome {
  const requests = store.readFile(name, "requests.jsonl");
  const asked = askedIds(requests, `${store.folderOf(name)}/requests.jsonl`);
  const output = store.readFile(name, "output.jsonl");
  const errors = store.readFile(name, "errors.jsonl");
  return readOutcome({ output, errors, asked });
}

/** One note a kind of problem, with the first place where it stands. */
function problemNotes(problems: readonly BatchProblem[]): readonly string[] {
  return [...Map.groupBy(problems, ({ message }) => message)].map(([message, all]) => {
    const more = all.length > 1 ? ` and ${all.length - 1} more` : "";
    return `${message} (${all[0]?.where}${more})`;
  });
}
