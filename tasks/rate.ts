/** People rate translations: `deno task rate prepare | page | build | analyse`. */
import { group, run } from "./command.ts";

const page = () => import("./rate/page.ts");
const workbook = () => import("./rate/workbook.ts");

export const RATE = group("rate", "People rate translations without knowing whose they are", {
  prepare: ["a blind workbook and its sealed key", async () => (await workbook()).PREPARE],
  page: ["serves the rating page to this machine and opens it", async () => (await page()).PAGE],
  build: ["the rating page as one HTML file, for any host", async () => (await page()).BUILD],
  analyse: [
    "rated workbooks to tables of systems",
    async () => (await import("./rate/analyse.ts")).ANALYSE,
  ],
});

if (import.meta.main) await run(RATE);
