import { z } from "zod";
import { DEFAULT_RUN_CONFIG as CONFIG } from "../../lib/translation/configuration.ts";
import type { RatingWorkbook } from "../../lib/translation/types.ts";
import { readWorkbook } from "../../lib/translation/workbook/read_workbook.ts";
import { newWorkbook, writeWorkbook } from "../../lib/translation/workbook/write_workbook.ts";
import {
  CACHE_DIRECTORY,
  compareAlternating,
  formatComparison,
  measurement,
  openPython,
  pythonWith,
  report,
} from "./harness.ts";

const ROUNDS = 10;
const SENTENCES = 300;
const RUN_ID = "6a1f3c52-7e1b-4c7e-9f59-0d6a2f1f4b11";

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
        const result = await readWorkbook(bytes, { config: CONFIG, runId: RUN_ID });
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
  const places = Array.from({ length: CONFIG.numTranslations }, (_, t) => t);
  const texts = Array.from({ length: SENTENCES }, (_, index) => ({
    itemId: index + 1,
    source: `Sentence ${index + 1}: ${"the cat sat on the mat, ".repeat(6)}`,
    translations: places.map((t) =>
      `Satz ${index + 1}, ${t + 1}: ${"die Katze saß auf der Matte, ".repeat(5)}`
    ),
  }));
  const fresh = newWorkbook(texts, { runId: RUN_ID, config: CONFIG, keySha256: "" });
  const ratings = places.map((t) => (
    { bucket: CONFIG.buckets[t % 4]!.key, da: 95 - 25 * (t % 4) - Math.floor(t / 4) }
  ));
  const items = fresh.items.map(({ input, evaluation }) => (
    { input, evaluation: { ...evaluation, ratings } }
  ));
  return { ...fresh, items };
}
