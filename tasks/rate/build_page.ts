import { basename, join } from "node:path";
import project from "../../deno.json" with { type: "json" };
import { shownPath } from "../../lib/files/atomic.ts";
import { policyHash } from "../../lib/files/page.ts";
import type { RunConfig } from "../../lib/translation/configuration.ts";
import { listFaults, readBytes } from "../../lib/translation/preparation/read_table.ts";
import { readConfiguration } from "../../lib/translation/preparation/run_files.ts";
import { TRANSLATION_PATHS } from "../../lib/translation/tables.ts";
import { readWorkbook } from "../../lib/translation/workbook/read_workbook.ts";
import { problemLine } from "../../lib/translation/workbook/sheets.ts";

const APP = join(import.meta.dirname!, "..", "..", "app");

/** A page in one file, and its content security policy. */
export interface Page {
  readonly html: string;
  readonly policy: string;
}

/**
 * Builds the page for a run configuration and an embedded workbook.
 * The workbook passes all checks of the page. By default both are the demonstration's; with a
 * configuration alone there is no workbook. Throws Error or SyntaxError naming an unusable file and
 * the reason.
 */
export async function buildPage(
  sources: { readonly config: string | undefined; readonly workbook: string | undefined },
): Promise<Page & { readonly configPath: string; embedded?: EmbeddedWorkbook }> {
  const { demoRun, demoWorkbook } = TRANSLATION_PATHS;
  const workbook = sources.workbook ?? (sources.config === undefined ? demoWorkbook : undefined);
  const configPath = sources.config ?? demoRun;
  const { config, asked } = readConfiguration(configPath);
  const embedded = workbook === undefined
    ? undefined
    : await checkedWorkbook(workbook, config, configPath);
  const page = assemblePage({
    style: await Deno.readTextFile(join(APP, "style.css")),
    script: await (script ??= bundleScript()),
    config: asked,
    language: config.language,
    embedded: embedded && { ...embedded, isDemo: sources.workbook === undefined },
  });
  return { ...page, configPath: shownPath(configPath), ...embedded && { embedded } };
}

/** A workbook embedded in a page. */
interface EmbeddedWorkbook {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Number of its items, practice included. */
  readonly sentences: number;
}

/** Reads a workbook that opens under the configuration. Throws Error listing the problems. */
async function checkedWorkbook(
  path: string,
  config: RunConfig,
  configPath: string,
): Promise<EmbeddedWorkbook> {
  const bytes = readBytes(path);
  const read = await readWorkbook(bytes, { config, runId: crypto.randomUUID() });
  if (read.kind === "workbook") {
    return { name: basename(path), bytes, sentences: read.workbook.items.length };
  }
  throw new Error(
    `Cannot build the page: ${path} does not open under the configuration ${configPath}:` +
      listFaults(read.problems.map(problemLine)),
  );
}

/** The page's script, bundled once per process. */
let script: Promise<string> | undefined;

/** Permissions of esbuild's separate process: to read the sources and start its binary. */
const PERMISSIONS = ["--allow-read", "--allow-env", "--allow-run"];

/**
 * Bundles the script of a page of app/, minified by esbuild.
 * The version is pinned by deno.lock and installed with the other packages, so that no network is
 * used. Throws Error.
 */
export async function bundleScript(entry = "main.tsx"): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "--quiet", "--cached-only", ...PERMISSIONS, project.imports.esbuild],
      ...[join(APP, entry), "--bundle", "--minify", "--platform=browser", "--format=esm"],
      ...["--jsx=automatic", "--jsx-import-source=preact", "--log-level=error"],
    ],
    cwd: join(APP, ".."),
    env: { NO_COLOR: "1" },
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  if (!success) throw new Error(`Cannot bundle the page: ${decoder.decode(stderr).trim()}`);
  return forBrowsers(decoder.decode(stdout));
}

/**
 * Returns a bundle that browsers can run, else throws Error.
 * The core-js in exceljs reads `Deno.version`, which is allowed.
 */
export function forBrowsers(script: string): string {
  const foreign = /\bDeno\.(?!version\b)\w+|["']node:\w+["']/.exec(script)?.[0];
  if (foreign === undefined) return script;
  throw new Error(`Cannot use the bundle: it contains ${foreign}, which no browser has.`);
}

/** Inlined parts: a module without imports, the configuration as JSON, an optional workbook. */
export interface PageParts {
  readonly style: string;
  readonly script: string;
  readonly config: string;
  /** BCP 47 tag of the page's messages. */
  readonly language: string;
  readonly embedded: EmbeddedWorkbook & { readonly isDemo: boolean } | undefined;
}

/**
 * Assembles one self-contained HTML file, the same bytes for the same parts.
 * Its policy permits the inlined script and style and no connection. Throws Error if the style
 * contains its end tag.
 */
export function assemblePage({ style, embedded, ...parts }: PageParts): Page {
  if (/<\/style/i.test(style)) throw new Error("Cannot inline the style: it contains </style.");
  const script = inlineScript(parts.script);
  const policy = [
    "default-src 'none'",
    `script-src '${policyHash(script)}'`,
    `style-src '${policyHash(style)}'`,
    // Only the empty icon, without which browsers ask for /favicon.ico.
    "img-src data:",
    "connect-src 'none'",
    "form-action 'none'",
    "base-uri 'none'",
  ].join("; ");
  const name = embedded?.name.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  const data = embedded && !embedded.isDemo
    ? ` data-name="${name}" data-sentences="${embedded.sentences}"`
    : "";
  // Script elements of another type are data: they never run, whatever the policy says.
  const html = `<!doctype html>
<html lang="${parts.language}">
  <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="${policy}">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="referrer" content="no-referrer">
    <title>Rating translations</title>
    <link rel="icon" href="data:,">
    <style>${style}</style>
  </head>
  <body>
    <div id="app"><noscript>This page needs JavaScript. It sends nothing anywhere.</noscript></div>
    <script type="application/json" id="run-config">${
    parts.config.replaceAll("<", "\\u003c")
  }</script>
    <script type="text/plain" id="own-workbook"${data}>${embedded?.bytes.toBase64() ?? ""}</script>
    <script type="module">${script}</script>
  </body>
</html>
`;
  return { html, policy };
}

/**
 * Escapes a script for HTML.
 * The bundler leaves `</script` and `<!--` only inside literals, where an escape is equivalent; in
 * HTML either would change the end of the script.
 */
export const inlineScript = (script: string) => script.replace(/<(?=\/script|!--)/gi, "\\x3c");
