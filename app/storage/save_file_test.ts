import assert from "node:assert/strict";
import { test } from "node:test";
import { type FileAccess, pickWorkbook, saveCheckpoint } from "./save_file.ts";

const BYTES = new Uint8Array([80, 75, 3, 4]);

interface Desk extends FileAccess {
  readonly downloaded: string[];
}

function desk(access: Partial<FileAccess> = {}): Desk {
  const downloaded: string[] = [];
  return {
    downloaded,
    choose: () => Promise.resolve(undefined),
    download: (bytes, name) => downloaded.push(`${name}: ${bytes.length} bytes`),
    ...access,
  };
}

/** A file on the rater's disk; `fault` comes when it is opened for writing. */
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

test("saveCheckpoint: a file that was opened with a handle is written in place", async () => {
  const [{ handle, written }, access] = [fileHandle(), desk()];
  const saved = await saveCheckpoint(BYTES, "a.xlsx", handle, access);
  assert.deepEqual(saved, { saved: "in-place", handle });
  assert.deepEqual(written, [4]);
  assert.deepEqual(access.downloaded, []);
});

test("saveCheckpoint: without a handle the rater says where, and it is written there", async () => {
  const { handle, written } = fileHandle();
  const access = desk({ showSaveFilePicker: () => Promise.resolve(handle) });
  const saved = await saveCheckpoint(BYTES, "a.xlsx", undefined, access);
  assert.deepEqual(saved, { saved: "in-place", handle });
  assert.deepEqual(written, [4]);
});

test("saveCheckpoint: without pickers it is a download", async () => {
  const access = desk();
  const saved = await saveCheckpoint(BYTES, "a.xlsx", undefined, access);
  assert.deepEqual(saved, { saved: "download", handle: undefined });
  assert.deepEqual(access.downloaded, ["a.xlsx: 4 bytes"]);
});

test("saveCheckpoint: a file that cannot be written comes as a download", async () => {
  for (
    const { handle } of [fileHandle(new Error("open in Excel")), fileHandle(undefined, "denied")]
  ) {
    const access = desk();
    assert.equal((await saveCheckpoint(BYTES, "a.xlsx", handle, access)).saved, "download");
    assert.equal(access.downloaded.length, 1);
  }
});

test("saveCheckpoint: a closed dialogue saves nothing and says so", async () => {
  const access = desk({ showSaveFilePicker: abortError });
  const saved = await saveCheckpoint(BYTES, "a.xlsx", undefined, access);
  assert.equal(saved.saved, "cancelled");
  assert.deepEqual(access.downloaded, []);
});

test("pickWorkbook: gives the handle where there is one, nothing after a closed dialogue", async () => {
  const { handle } = fileHandle();
  const picked = await pickWorkbook(desk({ showOpenFilePicker: () => Promise.resolve([handle]) }));
  assert.equal(picked?.handle, handle);
  assert.equal(picked?.file.name, "a.xlsx");
  assert.equal(await pickWorkbook(desk({ showOpenFilePicker: abortError })), undefined);
  const file = new File([], "b.xlsx");
  const plain = await pickWorkbook(desk({ choose: () => Promise.resolve(file) }));
  assert.deepEqual(plain, { file, handle: undefined });
});
