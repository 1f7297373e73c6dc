/** Reads a workbook and prints what it came to and by how many MB the memory grew at its height. */

import { readWorkbook } from "../workbook/read_workbook.ts";
import { SMALL_OPTIONS } from "./workbooks.ts";

const [path = "", warmUp = ""] = Deno.args;

await readWorkbook(Deno.readFileSync(warmUp), SMALL_OPTIONS);

const bytes = Deno.readFileSync(path);
const before = highWater();
const result = await readWorkbook(bytes, SMALL_OPTIONS);

console.log(JSON.stringify({ kind: result.kind, grownMb: highWater() - before }));

/** The most memory that the process has had so far, in MB (Linux). */
function highWater(): number {
  return Number(/VmHWM:\s+(\d+)/.exec(Deno.readTextFileSync("/proc/self/status"))![1]) / 1024;
}
