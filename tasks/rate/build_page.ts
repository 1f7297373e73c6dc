import { join } from "node:path";
import { parse as parseYaml } from "yaml";
import { shownPath } from "../../lib/files/shown_path.ts";
import { parseRunConfig, type RunConfig } from "../../lib/translation/run_config.ts";
import { assemblePage, type Page } from "./assemble_page.ts";
import { bundleScript } from "./bundle_script.ts";

const PROJECT = join(import.meta.dirname!, "..", "..");
const DEMO = {
  config: join(PROJECT, "data", "translation", "demo_run.yaml"),
  workbook: join(PROJECT, "data", "translation", "demo_workbook.xlsx"),
};

/** What a page is built from. */
export interface PageSources {
  /** Path of the run configuration; the demonstration's unless told. */
  readonly config: string | undefined;
  /**
   * Path of the XLSX behind the demo button. Unless told the demonstration's, which belongs to the
   * demonstration's configuration: with another one there is no button.
   */
  readonly workbook: string | undefined;
}

/** A page with what it was built for. */
export interface BuiltPage extends Page {
  readonly config: RunConfig;
  readonly configPath: string;
}

/**
 * Builds the page for one run configuration. The workbook is not looked into: the page refuses one
 * that is not sound, as it would a rater's.
 *
 * Throws Error or SyntaxError that names the file that cannot be used, and why.
 */
export async function buildPage(sources: PageSources): Promise<BuiltPage> {
  const workbook = sources.workbook ?? (sources.config === undefined ? DEMO.workbook : undefined);
  const configPath = sources.config ?? DEMO.config;
  const configText = await readFile(configPath, Deno.readTextFile);
  const config = parseRunConfig(configText, shownPath(configPath));
  const [template, style, script, demo] = await Promise.all([
    Deno.readTextFile(join(PROJECT, "app", "page.html")),
    Deno.readTextFile(join(PROJECT, "app", "style.css")),
    bundleScript(),
    workbook === undefined ? undefined : readFile(workbook, Deno.readFile),
  ]);
  const inlined = JSON.stringify(parseYaml(configText));
  const page = await assemblePage({ template, style, script, demo, config: inlined });
  return { ...page, config, configPath };
}

async function readFile<Content>(
  path: string,
  read: (path: string) => Promise<Content>,
): Promise<Content> {
  try {
    return await read(path);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const reason = error instanceof Deno.errors.NotFound ? "it is not there" : error.message;
    throw new Error(`Cannot read ${shownPath(path)}: ${reason}.`, { cause: error });
  }
}
