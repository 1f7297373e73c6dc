/**
 * Asks a panel about the Old Norse pairs, from a shell.
 *
 *     deno task evaluate [--panel groq|local|FILE] [--orders both|counterbalanced]
 *                        [--models ID,…] [--limit PAIRS] [--estimate]
 *
 * Says first what it will take; then asks what has no answer yet, each answer on disk as it comes.
 */
import { readNorseDataset } from "../lib/norse/dataset.ts";
import { readPanel } from "../lib/norse/panel.ts";
import { NORSE_PATHS } from "../lib/norse/paths.ts";
import { runCommand } from "./command.ts";
import { EVALUATE_USAGE, parseOptions } from "./evaluate/options.ts";
import { runEvaluation } from "./evaluate/run.ts";
import { stopSignal } from "./stop_signal.ts";

async function evaluatePairs(args: readonly string[]): Promise<number> {
  const options = parseOptions(args);
  const { env, usage } = NORSE_PATHS;
  return await runEvaluation(options, {
    pairs: readNorseDataset().map(({ pair }) => pair),
    panel: readPanel(options.panel),
    files: NORSE_PATHS,
    connection: { env, usage },
    lock: NORSE_PATHS.answersLock,
    signal: stopSignal("what is answered is kept"),
    print: (text) => console.log(text),
  });
}

if (import.meta.main) {
  Deno.exit(await runCommand(Deno.args, EVALUATE_USAGE, () => evaluatePairs(Deno.args)));
}
