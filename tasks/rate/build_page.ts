import { join } from "node:path";
import { parse as parseYaml } from "yaml";
import { shownPath } from "../../lib/files/shown_path.ts";
import { parseRunConfig, type RunConfig } from "../../lib/translation/run_config.ts";
import type { Problem } from "../../lib/translation/workbook/read_result.ts";
import { readWorkbook } from "../../lib/translation/workbook/read_workbook.ts";
import { assemblePage, type Page } from "./assemble_page.ts";
import { bundleScript } from "./bundle_script.ts";

const PROJECT = join(import.meta.dirname!, "..", "..");
const DEMO_WORKBOOK = join(PROJECT, "data", "translation", "demo_workbook.xlsx");
const DEMO_CONFIG = join(PROJECT, "data", "translation", "demo_run.yaml");

/** What a page is built from. */
export interface PageSources {
  /** Path of the run configuration; the demo's unless told. */
  readonly config: string | undefined;
  /** Path of the XLSX behind the demo button; the demo's, if the configuration fits, unless told. */
  readonly workbook: string | undefined;
}

/**
 * Builds the page for one run configuration.
 *
 * Throws Error, SyntaxError or Deno's errors that name the file that cannot be used, and why.
 */
export async function buildPage(sources: PageSources): Promise<Page> {
  const configPath = sources.config ?? DEMO_CONFIG;
  const text = await readText(configPath);
  const config = parseRunConfig(text, shownPath(configPath));
  const [template, style, script, demo] = await Promise.all([
    readText(join(PROJECT, "app", "page.html")),
    readText(join(PROJECT, "app", "style.css")),
    bundleScript(),
    demoWorkbook(sources.workbook, config),
  ]);
  return assemblePage({ template, style, script, demo, config: JSON.stringify(parseYaml(text)) });
}

/** A workbook that was asked for must be sound; the demo's is left out where it does not fit. */
async function demoWorkbook(
  path: string | undefined,
  config: RunConfig,
): Promise<Uint8Array | undefined> {
  const bytes = await Deno.readFile(path ?? DEMO_WORKBOOK);
  const result = await readWorkbook(bytes, { config, runId: crypto.randomUUID() });
  if (result.kind === "workbook") return bytes;
  if (path === undefined) return undefined;
  throw new Error(
    `Cannot use ${shownPath(path)} for the demo button:\n${result.problems.map(line).join("\n")}`,
  );
}

function line({ sheet, row, column, message }: Problem): string {
  const place = [sheet, row && `row ${row}`, column].filter(Boolean).join(", ");
  return `  ${place ? `${place}: ` : ""}${message}`;
}

async function readText(path: string): Promise<string> {
  try {
    return await Deno.readTextFile(path);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new Error(`Cannot read ${shownPath(path)}: ${error.message}`, { cause: error });
  }
}
