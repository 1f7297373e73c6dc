/**
 * The Old Norse pairs: asks a model for proposals where there is a key, then chooses and writes.
 *
 *     deno task generate                      proposals first and rules filling up, where there is a key
 *     deno task generate --source rules       the rules alone (llm: confirmed proposals alone)
 *     deno task generate --limit 50           at most 50 calls, then choose; 0 asks nothing
 *     deno task generate --estimate           what asking would take; changes nothing
 */
import { readSentences } from "../lib/norse/acquisition.ts";
import { readPanel } from "../lib/pairs/panels/read_panel.ts";
import { NORSE_PATHS } from "../lib/norse/paths.ts";
import { PROPOSAL_PATHS } from "../lib/norse/proposals/paths.ts";
import { readPromptTemplates } from "../lib/norse/proposals/prompts.ts";
import { runGeneration } from "../lib/norse/proposals/run.ts";
import { runCommand } from "./command.ts";
import { GENERATE_USAGE, readGenerateOptions } from "./generate/options.ts";
import { stopSignal } from "./stop_signal.ts";

const EXIT_CODES = { complete: 0, incomplete: 3 } as const;

async function generatePairs(args: readonly string[]): Promise<number> {
  const options = { ...readGenerateOptions(args), signal: stopSignal("what is answered is kept") };
  const outcome = await runGeneration(options, {
    sentences: readSentences(NORSE_PATHS.sentences),
    templates: readPromptTemplates(),
    panel: readPanel(NORSE_PATHS.hostedPanel, NORSE_PATHS.project),
    connection: { env: NORSE_PATHS.env, usage: NORSE_PATHS.usage },
    paths: { ...NORSE_PATHS, ...PROPOSAL_PATHS },
    print: (line) => console.log(line),
  });
  return EXIT_CODES[outcome];
}

if (import.meta.main) {
  Deno.exit(await runCommand(Deno.args, GENERATE_USAGE, () => generatePairs(Deno.args)));
}
