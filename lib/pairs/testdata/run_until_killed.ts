// Started by kill_test.ts: a run whose disk is full after a number of bytes. The write that
// reaches the limit is cut in the middle; the process then waits, without a chance to clean up,
// until its parent kills it.
import { wholeRun } from "./whole_run.ts";

const [folder = "", pairs = "0", limit = "Infinity"] = Deno.args;
let left = Number(limit);
const write = Deno.FsFile.prototype.writeSync;
Deno.FsFile.prototype.writeSync = function (bytes: Uint8Array): number {
  const part = bytes.subarray(0, Math.min(left, bytes.length));
  for (let done = 0; done < part.length;) done += write.call(this, part.subarray(done));
  left -= part.length;
  if (left > 0) return part.length;
  Deno.stdout.writeSync(new TextEncoder().encode("k"));
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  throw new Error("The wait for the kill was ended by something else.");
};
await wholeRun(folder, Number(pairs));
