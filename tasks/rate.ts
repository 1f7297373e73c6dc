/**
 * Serves the page on which a rater judges translations, to this machine only.
 *
 *     deno task rate [--config FILE] [--workbook FILE] [--port NUMBER] [--no-open]
 *
 * Keeps nothing: the rater's workbook is the source of truth.
 */
import { runCommand } from "./command.ts";
import { buildPage } from "./rate/build_page.ts";
import { openBrowser } from "./rate/open_browser.ts";
import { RATE_USAGE, readRateOptions } from "./rate/options.ts";
import { pageWords } from "./rate/page_words.ts";
import { servePage } from "./rate/serve_page.ts";
import { stopSignal } from "./stop_signal.ts";

async function rate(args: readonly string[]): Promise<number> {
  const { sources, port, open } = readRateOptions(args);
  const page = await buildPage(sources);
  const stop = stopSignal("what is not yet saved stays in the browser, under the same port");
  const { address, finished } = servePage(page, port, stop);
  console.log(`Built: ${pageWords(page.config, page.configPath)}.`);
  console.log(`The rating page is at ${address}. Ctrl-C stops it.`);
  if (open && !await openBrowser(address)) console.log("Open this address in a browser.");
  await finished;
  return 0;
}

if (import.meta.main) {
  Deno.exit(await runCommand(Deno.args, RATE_USAGE, () => rate(Deno.args)));
}
