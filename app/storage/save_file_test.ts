import assert from "node:assert/strict";
import { test } from "node:test";
import { type FileAccess, pickWorkbook, saveCheckpoint } from "./save_file.ts";

function desk(access: Partial<FileAccess> = {}) {
  const downloaded: string[] = [];
  const download = (bytes: Uint8Array, name: string) =>
    void downloaded.push(`${name}: ${bytes.length} bytes`);
  return { downloaded, choose: () => Promise.resolve(undefined), download, ...access };
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
const save = (access: FileAccess, handle?: FileSystemFileHandle) =>
  saveCheckpoint(new Uint8Array([80, 75, 3, 4]), "a.xlsx", handle, access);

test("saveCheckpoint: writes in place by handle or picker, else comes as a download", async () => {
  const { handle, written } = fileHandle();
  const [access, picker] = [desk(), desk({ showSaveFilePicker: () => Promise.resolve(handle) })];
  assert.deepEqual(await save(access, handle), { saved: "in-place", handle });
  assert.deepEqual(await save(picker), { saved: "in-place", handle });
  assert.deepEqual([written, access.downloaded, picker.downloaded], [[4, 4], [], []]);
  assert.deepEqual(await save(access), { saved: "download", handle: undefined });
  for (const file of [fileHandle(new Error("open in Excel")), fileHandle(undefined, "denied")]) {
    assert.equal((await save(access, file.handle)).saved, "download");
  }
  assert.deepEqual(access.downloaded, Array(3).fill("a.xlsx: 4 bytes"));
  const closed = desk({ showSaveFilePicker: abortError });
  assert.equal((await save(closed)).saved, "cancelled");
  assert.deepEqual(closed.downloaded, []);
});

test("pickWorkbook: gives the handle where there is one, nothing after a closed dialogue", async () => {
  const { handle } = fileHandle();
  const picked = await pickWorkbook(desk({ showOpenFilePicker: () => Promise.resolve([handle]) }));
  assert.deepEqual([picked?.handle, picked?.file.name], [handle, "a.xlsx"]);
  assert.equal(await pickWorkbook(desk({ showOpenFilePicker: abortError })), undefined);
  const file = new File([], "b.xlsx");
  const plain = await pickWorkbook(desk({ choose: () => Promise.resolve(file) }));
  assert.deepEqual(plain, { file, handle: undefined });
});
