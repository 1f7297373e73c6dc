/**
 * The questions of deno task evaluate through Groq's Batch API: half the price, limits of its own,
 * answers within a day or up to a week. Needs keys of an account that may use it, in .env.
 *
 *     deno task batch                         submit what has no answer, follow it, merge the answers
 *     deno task batch --submit-only           submit and leave
 *     deno task batch --fetch-only            merge what has ended by now; submit nothing
 *     deno task batch --status                where every batch stands; asks nobody
 *     deno task batch --estimate              what it would cost; asks nobody
 *
 * Options: --panel groq|FILE, --models ID,…, --orders both|counterbalanced, --limit PAIRS,
 * --window 24h…7d, --poll SECONDS.
 *
 * Ctrl-C, or a kill at whatever moment, loses and doubles nothing: the next run goes on. deno task
 * evaluate leaves the models of a batch alone meanwhile. Exit code: 0 every question has an
 * answer, 3 some have none yet, 1 error.
 */
import { batchFolder } from "../lib/norse/batches/under_way.ts";
import { readNorseDataset } from "../lib/norse/dataset.ts";
import { readPanel } from "../lib/norse/panel.ts";
import { NORSE_PATHS } from "../lib/norse/paths.ts";
import { readBatchOptions } from "./batch/options.ts";
import { runBatchTask } from "./batch/run.ts";

const EXIT_CODES = { complete: 0, incomplete: 3 } as const;

async function main(args: readonly string[]): Promise<number> {
  try {
    const options = readBatchOptions(args);
    const panel = readPanel(options.panel);
    const outcome = await runBatchTask(options, {
      pairs: readNorseDataset().map(({ pair }) => pair),
      panel,
      files: NORSE_PATHS,
      env: NORSE_PATHS.env,
      usage: NORSE_PATHS.usage,
      folder: batchFolder(panel),
      lock: NORSE_PATHS.answersLock,
      print: (line) => console.log(line),
      signal: stopSignal(),
    });
    return EXIT_CODES[outcome];
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    console.error(error.message);
    return 1;
  }
}

/** Aborted by the first Ctrl-C; a second one ends the process as it always does. */
function stopSignal(): AbortSignal {
  const stop = new AbortController();
  const onInterrupt = () => {
    Deno.removeSignalListener("SIGINT", onInterrupt);
    console.error("\nStopping; batches that were submitted go on at Groq");
    stop.abort();
  };
  Deno.addSignalListener("SIGINT", onInterrupt);
  return stop.signal;
}

if (import.meta.main) Deno.exit(await main(Deno.args));
