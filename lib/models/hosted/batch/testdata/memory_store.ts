import { BATCH_JOB, type JobStore } from "../jobs.ts";

/** A store without a disk: thousands of runs in a second. Jobs pass through JSON, as on disk. */
export function memoryStore(): JobStore & { clear(): void } {
  const jobs = new Map<string, string>();
  const files = new Map<string, string>();
  return {
    jobs: () =>
      [...jobs].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) =>
        BATCH_JOB.parse(JSON.parse(text))
      ),
    save: (job) => void jobs.set(job.name, JSON.stringify(job)),
    writeFile: (job, file, text) => void files.set(`${job}/${file}`, text),
    readFile: (job, file) => files.get(`${job}/${file}`) ?? "",
    folderOf: (job) => `batches/${job}`,
    clear() {
      jobs.clear();
      files.clear();
    },
  };
}
