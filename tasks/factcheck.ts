/**
 * Which claims of a text do its source and a knowledge base bear out? From a shell.
 *
 *     deno task factcheck --candidate FILE [--source FILE] [--question TEXT] [--config FILE] [--out FOLDER]
 *     deno task factcheck --batch FILE [--concurrency N] [--config FILE] [--out FOLDER]
 */
import { openStatusLine } from "../lib/files/status_line.ts";
import { openComponents } from "../lib/factuality/configuration/open_components.ts";
import { runCommand } from "./command.ts";
import { FACTCHECK_USAGE, parseOptions } from "./factcheck/options.ts";
import { checkBatch, checkOne, requestsOf } from "./factcheck/run.ts";
import { stopSignal } from "./stop_signal.ts";

const CACHE_DIRECTORY = ".cache";

async function factcheck(args: readonly string[]): Promise<number> {
  const options = parseOptions(args);
  const print = (text: string) => console.log(text);
  // Before models load: a wrong file is told at once.
  const requests = options.kind === "batch" ? requestsOf(options.batch, print) : undefined;
  await using components = await opened(options.config);
  for (const problem of components.problems) print(problem);
  const world = { components, print, signal: stopSignal("what is evaluated is kept") };
  return options.kind === "batch"
    ? await checkBatch(options, requests!, world)
    : await checkOne(options, world);
}

async function opened(config: string) {
  using status = openStatusLine();
  return await openComponents(config, {
    cacheDirectory: CACHE_DIRECTORY,
    onProgress: ({ component, words }) => status.show(`${component}: ${words}`),
  });
}

if (import.meta.main) {
  Deno.exit(await runCommand(Deno.args, FACTCHECK_USAGE, () => factcheck(Deno.args)));
}
