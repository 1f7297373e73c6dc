/** People rate translations: `deno task rate prepare | seal | page | build | status | analyse`. */
import { group, run } from "./command.ts";

const page = () => import("./rate/page.ts");
const workbook = () => import("./rate/workbook.ts");

const RATE = group("rate", "People rate translations without knowing whose they are", {
  prepare: ["blind workbooks and their sealed keys", async () => (await workbook()).PREPARE],
  seal: ["a workbook of your own, made fit for the page", async () => (await workbook()).SEAL],
  page: ["serves the rating page to this machine and opens it", async () => (await page()).PAGE],
  build: ["the rating page as one HTML file, for any host", async () => (await page()).BUILD],
  status: [
    "how far raters are: done, seconds, checks, rows that break a rule",
    async () => (await import("./rate/status.ts")).STATUS,
  ],
  analyse: [
    "rated workbooks to tables of systems",
    async () => (await import("./rate/analyse.ts")).ANALYSE,
  ],
});

if (import.meta.main) await run(RATE);
