import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { DEFAULT_RUN_CONFIG } from "../../lib/translation/configuration.ts";
import type { RatingWorkbook } from "../../lib/translation/types.ts";
import { readWorkbook } from "../../lib/translation/workbook/read_workbook.ts";
import { newWorkbook, writeWorkbook } from "../../lib/translation/workbook/write_workbook.ts";
import { pythonWith } from "../python/environment.ts";
import { CACHE_DIRECTORY, measurement, report } from "./inputs.ts";
import { compareAlternating, type Comparison, formatComparison, openLineProcess } from "./speed.ts";

const ROUNDS = 10;

export const TASK = measurement(
  "workbook",
  "A rater's workbook of 300 × 12 read and written, against openpyxl",
  async () => {
    const found = await workbookAgainstOpenpyxl(CACHE_DIRECTORY, ROUNDS);
    return report("workbook read and written / openpyxl", found.ratio, 1, formatComparison(found));
  },
);

const REQUIREMENTS = new URL("../python/workbook.txt", import.meta.url);
const SCRIPT = fileURLToPath(new URL("../python/workbook.py", import.meta.url));
const SENTENCES = 300;
const RUN_ID = "6a1f3c52-7e1b-4c7e-9f59-0d6a2f1f4b11";

/** A rated workbook of 300 sentences with twelve translations of some 150 characters each. */
function ratedWorkbook(): RatingWorkbook {
  const config = DEFAULT_RUN_CONFIG;
  const texts = Array.from({ length: SENTENCES }, (_, index) => ({
    itemId: index + 1,
    source: `Sentence ${index + 1}: ${"the cat sat on the mat, ".repeat(6)}`,
    translations: Array.from(
      { length: config.numTranslations },
      (_, t) => `Satz ${index + 1}, ${t + 1}: ${"die Katze saß auf der Matte, ".repeat(5)}`,
    ),
  }));
  const fresh = newWorkbook(texts, { runId: RUN_ID, config, keySha256: "" });
  const ratings = Array.from(
    { length: config.numTranslations },
    (_, t) => ({ bucket: config.buckets[t % 4]!.key, da: 95 - 25 * (t % 4) - Math.floor(t / 4) }),
  );
  const items = fresh.items.map(({ input, evaluation }) => ({
    input,
    evaluation: { ...evaluation, ratings },
  }));
  return { ...fresh, items };
}

/**
 * Loading and writing a workbook of 300 × 12 here, every check and hash included, against openpyxl,
 * which only loads and writes; taking turns in one run.
 *
 * @throws {Error} where Python is missing, pip fails or a workbook cannot be read.
 */
async function workbookAgainstOpenpyxl(
  cacheDirectory: string,
  rounds: number,
): Promise<Comparison> {
  const requirements = await Deno.readTextFile(REQUIREMENTS);
  const python = await pythonWith({
    folder: join(cacheDirectory, "python-workbook"),
    requirements,
    what: "openpyxl",
    installs: [[requirements.trim()]],
  });
  const path = await Deno.makeTempFile({ dir: cacheDirectory, suffix: ".xlsx" });
  const config = DEFAULT_RUN_CONFIG;
  await Deno.writeFile(path, await writeWorkbook(ratedWorkbook(), config));
  const openpyxl = openLineProcess(python, [SCRIPT], { what: "openpyxl" });
  try {
    return await compareAlternating(Array.from({ length: rounds }, () => path), async (path) => {
      const result = await readWorkbook(await Deno.readFile(path), { config, runId: RUN_ID });
      if (result.kind === "refused") throw new Error(`Cannot read ${path} back`);
      await writeWorkbook(result.workbook, config);
    }, async (path) => Number(await openpyxl.ask(path)));
  } finally {
    await openpyxl[Symbol.asyncDispose]();
    await Deno.remove(path);
  }
}
