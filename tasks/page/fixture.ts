import { join } from "node:path";
import type { RatingWorkbook } from "../../lib/translation/item.ts";
import { parseRunConfig } from "../../lib/translation/run_config.ts";
import { newWorkbook } from "../../lib/translation/workbook/new_workbook.ts";
import { writeWorkbook } from "../../lib/translation/workbook/write_workbook.ts";
import type { Page } from "../rate/assemble_page.ts";
import { buildPage } from "../rate/build_page.ts";

const CONFIG_TEXT = "source_language: en\ntarget_language: de\n";

/** The specification's configuration, with languages. */
export const CONFIG = parseRunConfig(CONFIG_TEXT, "the fixture");

/** A run that nobody has begun; `word` stands in all its translations. */
export function freshWorkbook(
  items: number,
  runId: string,
  word = "Wort",
  config = CONFIG,
): RatingWorkbook {
  const versions = Array.from({ length: config.numTranslations }, (_, index) => index + 1);
  const inputs = Array.from({ length: items }, (_, index) => ({
    itemId: index + 1,
    source: `This is sentence ${index + 1}, to be translated.`,
    translations: versions.map((version) => `${word} ${version} in Satz ${index + 1}.`),
  }));
  return newWorkbook(inputs, { runId, config, keySha256: "" });
}

/** The rater's file of a run of its own that nobody has begun. */
export async function freshFile(items: number): Promise<Uint8Array> {
  return await writeWorkbook(freshWorkbook(items, crypto.randomUUID()), CONFIG);
}

/** The page as `deno task rate` builds it, with a demo of two sentences. */
export async function builtPage(configText = CONFIG_TEXT): Promise<Page> {
  const folder = await Deno.makeTempDir({ prefix: "rating page " });
  try {
    const [configPath, workbook] = [join(folder, "run.yaml"), join(folder, "demo.xlsx")];
    const config = parseRunConfig(configText, configPath);
    const demo = freshWorkbook(2, crypto.randomUUID(), "Probe", config);
    await Deno.writeTextFile(configPath, configText);
    await Deno.writeFile(workbook, await writeWorkbook(demo, config));
    return await buildPage({ config: configPath, workbook });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
