/**
 * Asks a panel about the pairs of a study, from a shell.
 *
 *     deno task evaluate [--study norse|sanskrit] [--panel groq|local|FILE] [--orders both|counterbalanced]
 *                        [--models ID,…] [--limit PAIRS] [--estimate]
 *     deno task evaluate [--study …] --onnx FOLDER --id NAME --licence NAME [--limit PAIRS]
 *
 * Says first what it will take; then asks what has no answer yet, each answer on disk as it comes.
 */
import { readPanel } from "../lib/pairs/panels/read_panel.ts";
import { runCommand } from "./command.ts";
import { EVALUATE_USAGE, parseOptions } from "./evaluate/options.ts";
import { scoreWithOnnx } from "./evaluate/onnx.ts";
import { EXIT, runEvaluation } from "./evaluate/run.ts";
import { stopSignal } from "./stop_signal.ts";
import { openStudy } from "./studies.ts";

async function evaluatePairs(args: readonly string[]): Promise<number> {
  const options = parseOptions(args);
  const { study, pairs, probes, ownModels } = openStudy(options.study);
  const sets = [{ study, pairs }, ...probes];
  const signal = stopSignal("what is answered is kept");
  const print = (text: string) => console.log(text);
  if (options.onnx) {
    const own = { limit: options.limit, signal, print, cacheDirectory: study.cache };
    return await scoreWithOnnx(options.onnx, sets, own) ? EXIT.complete : EXIT.incomplete;
  }
  return await runEvaluation(options, {
    ...{ study, pairs, signal, print },
    panel: readPanel(options.panel, study.project),
    beside: (panel) => [
      ...probes.map((set) => ({ ...set, panel })),
      ...sets.map((set) => ({ ...set, models: ownModels })),
    ],
  });
}

if (import.meta.main) {
  Deno.exit(await runCommand(Deno.args, EVALUATE_USAGE, () => evaluatePairs(Deno.args)));
}
