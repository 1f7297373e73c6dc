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
import { readPanel } from "../lib/pairs/panels/read_panel.ts";
import { BATCH_USAGE, readBatchOptions } from "./batch/options.ts";
import { runBatchTask } from "./batch/run.ts";
import { runCommand } from "./command.ts";
import { stopSignal } from "./stop_signal.ts";
import { openStudy } from "./studies.ts";

const EXIT_CODES = { complete: 0, incomplete: 3 } as const;

async function askInBatches(args: readonly string[]): Promise<number> {
  const options = readBatchOptions(args);
  const { study, pairs } = openStudy(options.study);
  const outcome = await runBatchTask(options, {
    study,
    pairs,
    panel: readPanel(options.panel, study.project),
    print: (line) => console.log(line),
    signal: stopSignal("what was submitted, if anything, goes on at Groq"),
  });
  return EXIT_CODES[outcome];
}

if (import.meta.main) {
  Deno.exit(await runCommand(Deno.args, BATCH_USAGE, () => askInBatches(Deno.args)));
}
