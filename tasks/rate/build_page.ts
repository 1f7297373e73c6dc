import { join } from "node:path";
import { parse as parseYaml } from "yaml";
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
  const page = await assemblePage({
    style: await Deno.readTextFile(join(APP, "style.css")),
    script: await (script ??= bundleScript()),
    config: JSON.stringify(
      parseYaml(await Deno.readTextFile(configPath)) ?? {},
      // It names systems, which no file of a rater's may.
      (key, value) => key === "preparation" ? undefined : value,
    ),
    demo: workbook === undefined ? undefined : await readBytes(workbook),
  });
  return { ...page, config, configPath };
}

/** The page's script, made once for all pages of a process. */
let script: Promise<string> | undefined;

/** The page's script, minified by esbuild, which Deno fetches at its first use. Throws Error. */
async function bundleScript(): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["bundle", "--quiet", "--platform", "browser", "--minify", join(APP, "main.tsx")],
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
export async function assemblePage({ style, demo, ...parts }: PageParts): Promise<Page> {
  if (/<\/style/i.test(style)) throw new Error("Cannot inline the style: it contains </style.");
  // The bundler leaves `</script` and `<!--` only inside literals, where an escape means the same;
  // in HTML either would change where the script ends.
  const script = parts.script.replace(/<(?=\/script|!--)/gi, "\\x3c");
  const policy = [
    "default-src 'none'",
    `script-src 'sha256-${await sha256(script)}'`,
    `style-src 'sha256-${await sha256(style)}'`,
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

/** In base 64, as a Content-Security-Policy has it. */
async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return new Uint8Array(digest).toBase64();
}
