/** Reads workbooks, the first to warm up; what came of each, and by how many MB memory had grown. */
import { readWorkbook } from "../workbook/read_workbook.ts";
import { SMALL_OPTIONS } from "./workbooks.ts";

const [warmUp, ...paths] = Deno.args;
await readWorkbook(Deno.readFileSync(warmUp!), SMALL_OPTIONS);
const before = highWater();
for (const path of paths) {
  const { kind } = await readWorkbook(Deno.readFileSync(path), SMALL_OPTIONS);
  console.log(JSON.stringify({ path, kind, grownMb: highWater() - before }));
}

/** The most memory that the process has had so far, in MB (Linux). */
function highWater(): number {
  return Number(/VmHWM:\s+(\d+)/.exec(Deno.readTextFileSync("/proc/self/status"))![1]) / 1024;
}
