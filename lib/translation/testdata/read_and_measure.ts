/** Reads workbooks, the first as warm-up. Prints each result and the growth of memory in MB. */
import { readWorkbook } from "../workbook/read_workbook.ts";
import { SMALL_OPTIONS } from "./workbooks.ts";

const [warmUp, ...paths] = Deno.args;
await readWorkbook(Deno.readFileSync(warmUp!), SMALL_OPTIONS);
const before = highWater();
for (const path of paths) {
  const { kind } = await readWorkbook(Deno.readFileSync(path), SMALL_OPTIONS);
  console.log(JSON.stringify({ path, kind, grownMb: highWater() - before }));
}

/** Returns the process's peak memory in MB (Linux). */
function highWater(): number {
  return Number(/VmHWM:\s+(\d+)/.exec(Deno.readTextFileSync("/proc/self/status"))![1]) / 1024;
}
