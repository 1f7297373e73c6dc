/** People rate translations: `deno task rate prepare | page | build | analyse`. */
import { group, run } from "./command.ts";

export const RATE = group("rate", "People rate translations without knowing whose they are", {
  prepare: [
    "a blind workbook and its sealed key from systems' outputs",
    async () => (await import("./rate/workbook.ts")).PREPARE,
  ],
  page: [
    "serves the rating page to this machine and opens it",
    async () => (await import("./rate/page.ts")).PAGE,
  ],
  build: [
    "writes the rating page as one HTML file, for a disk or any static host",
    async () => (await import("./rate/page.ts")).BUILD,
  ],
  analyse: [
    "rated workbooks and their keys to tables of systems and raters",
    async () => (await import("./rate/workbook.ts")).ANALYSE,
  ],
});

if (import.meta.main) await run(RATE);
