import assert from "node:assert/strict";
import type { JobAt } from "./jobs.ts";
import { type BatchService, type RemoteBatch, ServiceFailure } from "./service.ts";
import { collectJob } from "./steps.ts";
import { memoryStore } from "./testdata/memory_store.ts";

const JOB: JobAt<"submitted"> = {
  name: "a",
  hostModel: "m",
  keyLabel: "GROQ_API_KEY_1",
  requests: 2,
  step: "submitted",
  fileId: "in",
  batchId: "batch_1",
};

const ENDED: RemoteBatch = {
  id: "batch_1",
  inputFileId: "in",
  status: "completed",
  counts: { total: 2, completed: 2, failed: 0 },
  errors: [],
  outputFileId: "out",
};

/** A key that sees one batch, and files whose text differs from download to download. */
function service(batch: RemoteBatch, texts: readonly (string | undefined)[]) {
  const downloads: string[] = [];
  const never = () => Promise.reject(new Error("the test does not expect it"));
  const own: BatchService = {
    keyLabel: "GROQ_API_KEY_1",
    retrieve: () => Promise.resolve(batch),
    content: (id) => Promise.resolve(texts[downloads.push(id) - 1]),
    files: never,
    batches: never,
    upload: never,
    create: never,
  };
  return { own, downloads };
}

Deno.test("collectJob() downloads again what breaks off, and takes it as it is in the end", async () => {
  const whole = '{"custom_id":"a"}\n{"custom_id":"b"}\n';
  const cut = whole.slice(0, -5);
  for (
    const [texts, kept, count] of [[[cut, whole], whole, 2], [[cut, cut, cut], cut, 3]] as const
  ) {
    const store = memoryStore();
    const { own, downloads } = service(ENDED, texts);
    const collected = await collectJob(JOB, store, [own]);
    assert.equal(collected.kind, "fetched");
    assert.equal(store.readFile("a", "output.jsonl"), kept);
    assert.deepEqual(downloads, Array(count).fill("out"));
  }
});

Deno.test("collectJob() leaves a batch whose answers have no file yet", async () => {
  const store = memoryStore();
  const { outputFileId: _, ...unnamed } = ENDED;
  await assert.rejects(
    collectJob(JOB, store, [service(unnamed, []).own]),
    (error) =>
      error instanceof ServiceFailure &&
      /ended with 2 answers, and names no file/.test(error.message),
  );
  assert.deepEqual(store.jobs(), []);
});

Deno.test("collectJob() tells of a file that is gone, and of what Groq says", async () => {
  const store = memoryStore();
  const errors = ["line 3 of the input: no model"];
  await collectJob(JOB, store, [service({ ...ENDED, errors, errorFileId: "err" }, ["{}\n"]).own]);
  assert.deepEqual(store.jobs().flatMap((job) => job.step === "fetched" ? job.errors : []), [
    ...errors,
    "its file errors.jsonl is gone: Groq keeps it for 30 days",
  ]);
});
