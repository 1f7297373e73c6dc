import assert from "node:assert/strict";
import { adoptBatches } from "./adopt.ts";
import { batchName, inputFileName } from "./names.ts";
import { requestLine } from "./request_lines.ts";
import { type BatchService, type RemoteBatch, type RemoteFile, ServiceFailure } from "./service.ts";
import { memoryStore } from "./testdata/memory_store.ts";

const SERIES = { study: "norse", panel: "groq" };
const INPUT = requestLine({ customId: "q1", body: { model: "m" } });
const NAME = batchName(SERIES, INPUT, 1);
const COUNTS = { total: 5, completed: 0, failed: 0 };
const RUNNING: RemoteBatch = {
  id: "batch_1",
  inputFileId: "file_1",
  status: "in_progress",
  counts: COUNTS,
  errors: [],
};

/** A host that shows these batches and files, and has this text in every file. */
function host(
  batches: readonly RemoteBatch[],
  files: readonly RemoteFile[],
  text?: string,
): BatchService {
  const never = () => Promise.reject(new Error("the test does not expect it"));
  return {
    keyLabel: "GROQ_API_KEY_2",
    batches: () => Promise.resolve(batches),
    files: () => Promise.resolve(files),
    content: () => Promise.resolve(text),
    upload: never,
    create: never,
    retrieve: never,
  };
}

const JOB = {
  hostModel: "m",
  keyLabel: "GROQ_API_KEY_2",
  requests: 1,
  fileId: "file_1",
  batchId: "batch_1",
};

Deno.test("adoptBatches() knows its batches by their own name or by their input file's", async () => {
  const files = [{ id: "file_1", name: inputFileName(NAME) }];
  for (
    const seen of [host([{ ...RUNNING, name: NAME }], [], INPUT), host([RUNNING], files, INPUT)]
  ) {
    const store = memoryStore();
    assert.deepEqual(await adoptBatches(SERIES, store, seen), [NAME]);
    assert.deepEqual(store.jobs(), [{ ...JOB, name: NAME, step: "submitted" }]);
    assert.equal(store.readFile(NAME, "requests.jsonl"), INPUT);
    assert.deepEqual(await adoptBatches(SERIES, store, seen), []);
  }
});

Deno.test("adoptBatches() leaves the batches of others alone", async () => {
  const others = ["somebody's", batchName({ study: "norse", panel: "groq2" }, INPUT, 1)];
  for (const name of others) {
    const store = memoryStore();
    assert.deepEqual(
      await adoptBatches(SERIES, store, host([{ ...RUNNING, name }], [], INPUT)),
      [],
    );
    assert.deepEqual(store.jobs(), []);
  }
});

Deno.test("adoptBatches() takes no name that is not exactly as ours are made", async () => {
  const half = NAME.slice(0, -1);
  for (const name of [`${half}../../x`, half, `${half}0`, `${NAME}/..`, `${NAME}\n`]) {
    const store = memoryStore();
    assert.deepEqual(
      await adoptBatches(SERIES, store, host([{ ...RUNNING, name }], [], INPUT)),
      [],
    );
  }
});

Deno.test("adoptBatches() names the batch whose input is cut off or somebody else's", async () => {
  for (const text of [INPUT.slice(0, 20), '{"prompt":"x"}', "\n"]) {
    const store = memoryStore();
    const seen = host([{ ...RUNNING, name: NAME }], [], text);
    await assert.rejects(adoptBatches(SERIES, store, seen), (error) => {
      assert.ok(error instanceof ServiceFailure);
      assert.match(error.message, /What batch batch_1 asks cannot be known: .*file_1/);
      return true;
    });
    assert.deepEqual(store.jobs(), []);
  }
});

Deno.test("adoptBatches() takes a job that was announced for the one that was made", async () => {
  const store = memoryStore();
  const { batchId: _, ...rest } = JOB;
  store.save({ ...rest, name: NAME, keyLabel: "GROQ_API_KEY_1", step: "creating", since: 0 });
  await adoptBatches(SERIES, store, host([{ ...RUNNING, name: NAME }], []));
  assert.deepEqual(store.jobs(), [{ ...JOB, name: NAME, step: "submitted" }]);
});

Deno.test("adoptBatches() refuses to go on where a running batch's questions cannot be known", async () => {
  const gone = host([{ ...RUNNING, name: NAME }], []);
  await assert.rejects(
    adoptBatches(SERIES, memoryStore(), gone),
    /Groq runs batch batch_1 .* input file is gone: .* Wait until it has ended/,
  );
  const store = memoryStore();
  await adoptBatches(SERIES, store, host([{ ...RUNNING, name: NAME, status: "completed" }], []));
  assert.deepEqual(store.jobs(), [{
    ...JOB,
    name: NAME,
    hostModel: "",
    requests: 5,
    step: "submitted",
  }]);
});
