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
import { outputFolder } from "./factcheck/input_file.ts";
import { checkBatch, checkOne, requestOf, requestsOf } from "./factcheck/run.ts";
import { stopSignal } from "./stop_signal.ts";

const CACHE_DIRECTORY = ".cache";

async function factcheck(args: readonly string[]): Promise<number> {
  const options = parseOptions(args);
  const print = (text: string) => console.log(text);
  // Before models load: a wrong file is told at once.
  outputFolder(options.out);
  const work = options.kind === "batch"
    ? { kind: "batch", options, requests: requestsOf(options.batch, print) } as const
    : { kind: "one", options, request: requestOf(options) } as const;
  await using components = await opened(options.config);
  for (const problem of components.problems) print(problem);
  const kept = work.kind === "batch" ? "what is evaluated is kept" : "no report is written";
  const world = { components, print, signal: stopSignal(kept) };
  return work.kind === "batch"
    ? await checkBatch(work.options, work.requests, world)
    : await checkOne(work.options, work.request, world);
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
