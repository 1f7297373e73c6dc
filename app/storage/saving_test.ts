import assert from "node:assert/strict";
import { test } from "node:test";
import { checkpointName, oneAtATime, pickFiles, saveCheckpoint } from "./saving.ts";

/** Simulates a browser with these pickers; returns the names of its downloads. */
function browserWith(pickers: Readonly<Record<string, unknown>> = {}): readonly string[] {
  const downloaded: string[] = [];
  const createElement = () => ({
    set download(name: string) {
      downloaded.push(name);
    },
    click() {},
  });
  const none = { showSaveFilePicker: undefined, showOpenFilePicker: undefined };
  const setTimeout = () => 0;
  Object.assign(globalThis, { document: { createElement }, ...none, ...pickers, setTimeout });
  return downloaded;
}

/** Simulates a file on disk. `fault` is thrown when it is opened for writing. */
function fileHandle(fault?: Error, permission: PermissionState = "granted") {
  const written: number[] = [];
  const stream = {
    write: (blob: Blob) => Promise.resolve(written.push(blob.size)),
    close: () => Promise.resolve(),
    abort: () => Promise.resolve(),
  };
  const handle = {
    kind: "file",
    requestPermission: () => Promise.resolve(permission),
    createWritable: () => fault ? Promise.reject(fault) : Promise.resolve(stream),
    getFile: () => Promise.resolve(new File([], "a.xlsx")),
  } as unknown as FileSystemFileHandle;
  return { handle, written };
}

const abortError = () => Promise.reject(new DOMException("closed", "AbortError"));
const save = (handle?: FileSystemFileHandle) =>
  saveCheckpoint(new Uint8Array([80, 75, 3, 4]), "a.xlsx", handle);

test("saveCheckpoint: writes in place by handle or picker, else comes as a download", async () => {
  const { handle, written } = fileHandle();
  const downloaded = browserWith({ showSaveFilePicker: () => Promise.resolve(handle) });
  assert.deepEqual(await save(handle), { saved: "in-place", handle });
  assert.deepEqual(await save(), { saved: "in-place", handle });
  assert.deepEqual([written, downloaded], [[4, 4], []]);
  const plain = browserWith();
  assert.deepEqual(await save(), { saved: "download", handle: undefined });
  for (const file of [fileHandle(new Error("open in Excel")), fileHandle(undefined, "denied")]) {
    assert.equal((await save(file.handle)).saved, "download");
  }
  assert.deepEqual(plain, Array(3).fill("a.xlsx"));
  const closed = browserWith({ showSaveFilePicker: abortError });
  assert.equal((await save()).saved, "cancelled");
  assert.deepEqual(closed, []);
});

test("pickFiles: gives the handles of all that were chosen, nothing after a closed dialogue", async () => {
  const { handle } = fileHandle();
  browserWith({ showOpenFilePicker: () => Promise.resolve([handle]) });
  const picked = await pickFiles();
  assert.deepEqual(picked.map(({ handle, file }) => [handle, file.name]), [[handle, "a.xlsx"]]);
  browserWith({ showOpenFilePicker: abortError });
  assert.deepEqual(await pickFiles(), []);
});

test("checkpointName() replaces an earlier time, and tells the file to hand in", () => {
  const first = checkpointName("run_de.xlsx", "checkpoint", "2026-11-22T08:05:09.123Z");
  assert.equal(first, "run_de-checkpoint-20261122-080509.xlsx");
  const last = checkpointName(first, "final", "2026-11-22T10:00:00Z");
  assert.equal(last, "run_de-final-20261122-100000.xlsx");
  const again = checkpointName(last, "checkpoint", "2026-11-22T11:00:00Z");
  assert.equal(again, "run_de-checkpoint-20261122-110000.xlsx");
});

test("oneAtATime: a double click works once, a click after that again, also after a failure", async () => {
  let times = 0;
  const save = oneAtATime(async () => {
    await Promise.resolve();
    if (++times === 2) throw new Error("full");
  });
  await Promise.all([save(), save()]);
  assert.equal(times, 1);
  await assert.rejects(save(), { message: "full" });
  await save();
});
