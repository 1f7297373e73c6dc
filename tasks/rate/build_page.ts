import { basename, join } from "node:path";
import project from "../../deno.json" with { type: "json" };
import { shownPath } from "../../lib/files/atomic.ts";
import { policyHash } from "../../lib/files/page.ts";
import type { RunConfig } from "../../lib/translation/configuration.ts";
import { faultLines, readBytes } from "../../lib/translation/preparation/read_table.ts";
import { readConfiguration } from "../../lib/translation/preparation/run_files.ts";
import { TRANSLATION_PATHS } from "../../lib/translation/tables.ts";
import { readWorkbook } from "../../lib/translation/workbook/read_workbook.ts";
import { problemLine } from "../../lib/translation/workbook/sheets.ts";

const APP = join(import.meta.dirname!, "..", "..", "app");

/** A page in one file, and the policy that it declares. */
export interface Page {
  readonly html: string;
  readonly policy: string;
}

/**
 * Builds the page for a run configuration and the workbook that it brings along, which goes through
 * every check of the page; the demonstration's where neither is told, and with a configuration alone
 * none. Throws Error or SyntaxError that names the file that cannot be used, and why.
 */
export async function buildPage(
  sources: { readonly config: string | undefined; readonly workbook: string | undefined },
): Promise<Page & { readonly configPath: string; own?: OwnWorkbook }> {
  const { demoRun, demoWorkbook } = TRANSLATION_PATHS;
  const workbook = sources.workbook ?? (sources.config === undefined ? demoWorkbook : undefined);
  const configPath = sources.config ?? demoRun;
  const { config, asked } = readConfiguration(configPath);
  const own = workbook === undefined
    ? undefined
    : await checkedWorkbook(workbook, config, configPath);
  const page = assemblePage({
    style: await Deno.readTextFile(join(APP, "style.css")),
    script: await (script ??= bundleScript()),
    config: asked,
    language: config.language,
    own: own && { ...own, isDemo: sources.workbook === undefined },
  });
  return { ...page, configPath: shownPath(configPath), ...own && { own } };
}

/** A workbook that a page brings along. */
interface OwnWorkbook {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Its items, those to practise on included. */
  readonly sentences: number;
}

/** A workbook that opens under the configuration. Throws Error that lists why it does not. */
async function checkedWorkbook(
  path: string,
  config: RunConfig,
  configPath: string,
): Promise<OwnWorkbook> {
  const bytes = readBytes(path);
  const read = await readWorkbook(bytes, { config, runId: crypto.randomUUID() });
  if (read.kind === "workbook") {
    return { name: basename(path), bytes, sentences: read.workbook.items.length };
  }
  throw new Error(
    `Cannot build the page: ${path} does not open under the configuration ${configPath}:` +
      faultLines(read.problems.map(problemLine)),
  );
}

/** The page's script, made once for all pages of a process. */
let script: Promise<string> | undefined;

/** What esbuild's own program, a process of its own, may do: read the sources and start its binary. */
const PERMISSIONS = ["--allow-read", "--allow-env", "--allow-run"];

/**
 * The script of a page of app/, minified by esbuild: the version that deno.lock pins, which set-up has
 * fetched with the other packages, so that no network is asked. Throws Error.
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

/** Throws Error for a bundle that no browser runs; exceljs' core-js looks for `Deno.version`. */
export function forBrowsers(script: string): string {
  const foreign = /\bDeno\.(?!version\b)\w+|["']node:\w+["']/.exec(script)?.[0];
  if (foreign === undefined) return script;
  throw new Error(`Cannot use the bundle: it contains ${foreign}, which no browser has.`);
}

/** What is inlined: a module without imports, the configuration as JSON, a workbook if any. */
export interface PageParts {
  readonly style: string;
  readonly script: string;
  readonly config: string;
  /** Of the page's words, BCP 47. */
  readonly language: string;
  readonly own: OwnWorkbook & { readonly isDemo: boolean } | undefined;
}

/**
 * One self-contained HTML file, the same bytes for the same parts, whose policy lets run the inlined
 * script and style and nothing be fetched or sent. Throws Error if the style would end early.
 */
export function assemblePage({ style, own, ...parts }: PageParts): Page {
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
  const name = own?.name.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  const data = own && !own.isDemo ? ` data-name="${name}" data-sentences="${own.sentences}"` : "";
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
    <script type="text/plain" id="own-workbook"${data}>${own?.bytes.toBase64() ?? ""}</script>
    <script type="module">${script}</script>
  </body>
</html>
`;
  return { html, policy };
}

/**
 * A script that can stand in HTML. The bundler leaves `</script` and `<!--` only inside literals, where an
 * escape means the same; in HTML either would change where the script ends.
 */
export const inlineScript = (script: string) => script.replace(/<(?=\/script|!--)/gi, "\\x3c");
