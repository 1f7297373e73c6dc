/**
 * Asks a panel about the Old Norse pairs, from a shell.
 *
 *     deno task evaluate [--panel groq|local|FILE] [--orders both|counterbalanced]
 *                        [--models ID,…] [--limit PAIRS] [--estimate]
 *
 * Says first what it will take; then asks what has no answer yet, each answer on disk as it comes.
 * Ctrl-C stops it at once with everything kept. Exit code 0: complete; 3: incomplete, run it again;
 * 1: nothing could be done, and why.
 */
import { readNorseDataset } from "../lib/norse/dataset.ts";
import { readPanel } from "../lib/norse/panel.ts";
import { NORSE_PATHS } from "../lib/norse/paths.ts";
import { parseOptions } from "./evaluate/options.ts";
import { EXIT, runEvaluation } from "./evaluate/run.ts";

async function main(args: readonly string[]): Promise<number> {
  try {
    const options = parseOptions(args);
    const { env, usage } = NORSE_PATHS;
    return await runEvaluation(options, {
      pairs: readNorseDataset().map(({ pair }) => pair),
      panel: readPanel(options.panel),
      files: NORSE_PATHS,
      connection: { env, usage },
      lock: NORSE_PATHS.answersLock,
      signal: stopSignal(),
      print: (text) => console.log(text),
    });
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    console.error(error.message);
    return EXIT.error;
  }
}

/** Aborted by the first Ctrl-C; a second one ends the process as it always does. */
function stopSignal(): AbortSignal {
  const stop = new AbortController();
  const onInterrupt = () => {
    Deno.removeSignalListener("SIGINT", onInterrupt);
    console.error("\nStopping; what is answered is kept");
    stop.abort();
  };
  Deno.addSignalListener("SIGINT", onInterrupt);
  return stop.signal;
}

if (import.meta.main) Deno.exit(await main(Deno.args));
