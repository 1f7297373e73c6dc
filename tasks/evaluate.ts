/**
 * Asks a panel about the pairs of a study, from a shell.
 *
 *     deno task evaluate [--study norse|sanskrit] [--panel groq|local|FILE] [--orders both|counterbalanced]
 *                        [--models ID,…] [--limit PAIRS] [--estimate]
 *
 * Says first what it will take; then asks what has no answer yet, each answer on disk as it comes.
 */
import { readPanel } from "../lib/pairs/panels/read_panel.ts";
import { runCommand } from "./command.ts";
import { EVALUATE_USAGE, parseOptions } from "./evaluate/options.ts";
import { runEvaluation } from "./evaluate/run.ts";
import { stopSignal } from "./stop_signal.ts";
import { openStudy } from "./studies.ts";

async function evaluatePairs(args: readonly string[]): Promise<number> {
  const options = parseOptions(args);
  const { study, readPairs } = openStudy(options.study);
  return await runEvaluation(options, {
    study,
    pairs: readPairs(),
    panel: readPanel(options.panel, study.project),
    signal: stopSignal("what is answered is kept"),
    print: (text) => console.log(text),
  });
}

if (import.meta.main) {
  Deno.exit(await runCommand(Deno.args, EVALUATE_USAGE, () => evaluatePairs(Deno.args)));
}
