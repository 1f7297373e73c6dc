import { join } from "node:path";

const PROJECT = join(import.meta.dirname!, "..", "..");

/**
 * The page's script in one module, minified. The bundler (esbuild) is fetched by Deno at its first
 * use, with npm's client.
 *
 * Throws Error with the bundler's message if there is no bundle, or if the bundle would need Deno.
 */
export async function bundleScript(entry = join(PROJECT, "app", "main.tsx")): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["bundle", "--quiet", "--platform", "browser", "--minify", entry],
    cwd: PROJECT,
    env: { NO_COLOR: "1" },
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  if (!success) throw new Error(`Cannot bundle ${entry}: ${decoder.decode(stderr).trim()}`);
  return forBrowsers(decoder.decode(stdout));
}

/**
 * Throws Error for a bundle that holds what no browser has. `Deno.version` may be there: exceljs
 * brings core-js, which looks for it to learn where it runs.
 */
export function forBrowsers(script: string): string {
  const foreign = /\bDeno\.(?!version\b)\w+|["']node:\w+["']/.exec(script)?.[0];
  if (foreign === undefined) return script;
  throw new Error(`Cannot use the bundle: it contains ${foreign}, which no browser has.`);
}
