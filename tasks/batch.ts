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
 * Ctrl-C, or a kill at whatever moment, loses and doubles nothing: the next run goes on. deno task
 * evaluate leaves the models of a batch alone meanwhile.
 */
import { batchFolder } from "../lib/norse/batches/under_way.ts";
import { readNorseDataset } from "../lib/norse/dataset.ts";
import { readPanel } from "../lib/norse/panel.ts";
import { NORSE_PATHS } from "../lib/norse/paths.ts";
import { BATCH_USAGE, readBatchOptions } from "./batch/options.ts";
import { runBatchTask } from "./batch/run.ts";
import { runCommand } from "./command.ts";
import { stopSignal } from "./stop_signal.ts";

const EXIT_CODES = { complete: 0, incomplete: 3 } as const;

async function askInBatches(args: readonly string[]): Promise<number> {
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
    signal: stopSignal("what was submitted, if anything, goes on at Groq"),
  });
  return EXIT_CODES[outcome];
}

if (import.meta.main) {
  Deno.exit(await runCommand(Deno.args, BATCH_USAGE, () => askInBatches(Deno.args)));
}
