import { z } from "zod";
import type { RatingWorkbook } from "../../lib/translation/types.ts";
import { readWorkbook } from "../../lib/translation/workbook/read_workbook.ts";
import { writeWorkbook } from "../../lib/translation/workbook/write_workbook.ts";
import { CONFIG, freshWorkbook } from "../page/hands.ts";
import { CACHE_DIRECTORY, openPython, pythonWith } from "../python_environment.ts";
import { compareAlternating, formatComparison, measurement, report } from "./harness.ts";

const ROUNDS = 10;
const SENTENCES = 300;

/**
 * Loading and writing a workbook of 300 × 12 here, every check and hash included, against openpyxl,
 * which only loads and writes; taking turns in one run.
 */
export const TASK = measurement(
  "A rater's workbook of 300 × 12 read and written, against openpyxl",
  async () => {
    const python = await pythonWith("openpyxl", "python-workbook", "../python/workbook.txt");
    const path = await Deno.makeTempFile({ dir: CACHE_DIRECTORY, suffix: ".xlsx" });
    await Deno.writeFile(path, await writeWorkbook(ratedWorkbook(), CONFIG));
    await using openpyxl = await openPython("openpyxl", python, "../python/workbook.py");
    try {
      const found = await compareAlternating(new Array<string>(ROUNDS).fill(path), async (path) => {
        const bytes = await Deno.readFile(path);
        const result = await readWorkbook(bytes, { config: CONFIG, runId: crypto.randomUUID() });
        if (result.kind === "refused") throw new Error(`Cannot read ${path} back`);
        await writeWorkbook(result.workbook, CONFIG);
      }, (path) => openpyxl.ask(path, z.number()));
      const what = "workbook read and written / openpyxl";
      return report(what, found.ratio, 1, formatComparison(found));
    } finally {
      await Deno.remove(path);
    }
  },
);

/** A rated workbook of 300 sentences with twelve translations of some 150 characters each. */
function ratedWorkbook(): RatingWorkbook {
  const fresh = freshWorkbook(SENTENCES, "die Katze saß auf der Matte, ".repeat(5));
  const ratings = Array.from({ length: CONFIG.numTranslations }, (_, t) => (
    { bucket: CONFIG.buckets[t % 4]!.key, da: 95 - 25 * (t % 4) - Math.floor(t / 4) }
  ));
  const items = fresh.items.map(({ input, evaluation }) => (
    { input, evaluation: { ...evaluation, ratings } }
  ));
  return { ...fresh, items };
}
