/**
 * Writes the page on which a rater judges translations as one HTML file that needs no server.
 *
 *     deno task rate:build [--config FILE] [--workbook FILE] [--out FILE]
 *
 * The same input gives the same bytes.
 */
import { writeTextAtomic } from "../lib/files/atomic.ts";
import { runCommand } from "./command.ts";
import { buildPage } from "./rate/build_page.ts";
import { RATE_BUILD_USAGE, readRateBuildOptions } from "./rate/options.ts";
import { pageWords } from "./rate/page_words.ts";

async function build(args: readonly string[]): Promise<number> {
  const { sources, out } = readRateBuildOptions(args);
  const { html, config, configPath } = await buildPage(sources);
  writeTextAtomic(out, html);
  const kilobytes = Math.round(new TextEncoder().encode(html).length / 1000);
  console.log(`${out}: ${pageWords(config, configPath)}.`);
  console.log(`${kilobytes.toLocaleString("en-GB")} kB, in one file.`);
  return 0;
}

if (import.meta.main) {
  Deno.exit(await runCommand(Deno.args, RATE_BUILD_USAGE, () => build(Deno.args)));
}
