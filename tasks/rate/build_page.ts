import { join } from "node:path";
import { parse as parseYaml } from "yaml";
import { hashOf } from "../../lib/factuality/report/html.ts";
import type { RunConfig } from "../../lib/translation/configuration.ts";
import { readBytes } from "../../lib/translation/preparation/read_table.ts";
import { readRunConfig } from "../../lib/translation/preparation/run_files.ts";
import { TRANSLATION_PATHS } from "../../lib/translation/tables.ts";

const APP = join(import.meta.dirname!, "..", "..", "app");

/** A page in one file, and the policy that it declares. */
export interface Page {
  readonly html: string;
  readonly policy: string;
}

/**
 * Builds the page for a run configuration and the XLSX behind its demo button, the demonstration's
 * unless told: with another configuration there is no button. Throws Error or SyntaxError that names
 * the file that cannot be used, and why.
 */
export async function buildPage(
  sources: { readonly config: string | undefined; readonly workbook: string | undefined },
): Promise<Page & { readonly config: RunConfig; readonly configPath: string }> {
  const { demoRun, demoWorkbook } = TRANSLATION_PATHS;
  const workbook = sources.workbook ?? (sources.config === undefined ? demoWorkbook : undefined);
  const configPath = sources.config ?? demoRun;
  const config = readRunConfig(configPath);
  const page = assemblePage({
    style: await Deno.readTextFile(join(APP, "style.css")),
    script: await (script ??= bundleScript()),
    config: JSON.stringify(parseYaml(await Deno.readTextFile(configPath))),
    demo: workbook === undefined ? undefined : await readBytes(workbook),
  });
  return { ...page, config, configPath };
}

/** The page's script, made once for all pages of a process. */
let script: Promise<string> | undefined;

/** The script of a page of app/, minified by esbuild, which Deno fetches at its first use. Throws Error. */
export async function bundleScript(entry = "main.tsx"): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["bundle", "--quiet", "--platform", "browser", "--minify", join(APP, entry)],
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

/** What is inlined: a module without imports, the configuration as JSON, the demo's XLSX if any. */
export interface PageParts {
  readonly style: string;
  readonly script: string;
  readonly config: string;
  readonly demo: Uint8Array | undefined;
}

/**
 * One self-contained HTML file, the same bytes for the same parts, whose policy lets run the inlined
 * script and style and nothing be fetched or sent. Throws Error if the style would end early.
 */
export function assemblePage({ style, demo, ...parts }: PageParts): Page {
  if (/<\/style/i.test(style)) throw new Error("Cannot inline the style: it contains </style.");
  const script = inlineScript(parts.script);
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    // Only the empty icon, without which browsers ask for /favicon.ico.
    "img-src data:",
    "connect-src 'none'",
    "form-action 'none'",
    "base-uri 'none'",
  ].join("; ");
  // Script elements of another type are data: they never run, whatever the policy says.
  const html = `<!doctype html>
<html lang="en">
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
    <script type="text/plain" id="demo-workbook">${demo?.toBase64() ?? ""}</script>
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
