/**
 * The pairs of a study. Old Norse: asks a model for proposals where there is a key, then chooses and
 * writes. Sanskrit: rules alone.
 *
 *     deno task generate                      proposals first and rules filling up, where there is a key
 *     deno task generate --source rules       the rules alone (llm: confirmed proposals alone)
 *     deno task generate --limit 50           at most 50 calls, then choose; 0 asks nothing
 *     deno task generate --estimate           what asking would take; changes nothing
 *     deno task generate --study sanskrit [--target-size 500] [--max-stems 200] [--seed 42] [--replace]
 */
import { readSentences } from "../lib/norse/acquisition.ts";
import { readPanel } from "../lib/pairs/panels/read_panel.ts";
import { NORSE_PATHS } from "../lib/norse/paths.ts";
import { PROPOSAL_PATHS } from "../lib/norse/proposals/paths.ts";
import { readPromptTemplates } from "../lib/norse/proposals/prompts.ts";
import { runGeneration, type RunOptions } from "../lib/norse/proposals/run.ts";
import { readSources, writeGenerated } from "../lib/sanskrit/contrasts/write_generated.ts";
import { readContrastSets } from "../lib/sanskrit/probes/probe_pairs.ts";
import { PROBE_STUDY, SANSKRIT_STUDY } from "../lib/sanskrit/study.ts";
import { runCommand } from "./command.ts";
import { GENERATE_USAGE, readGenerateOptions } from "./generate/options.ts";
import { generateSanskrit } from "./generate/sanskrit.ts";
import { stopSignal } from "./stop_signal.ts";

const EXIT_CODES = { complete: 0, incomplete: 3 } as const;

const print = (line: string) => console.log(line);

async function generatePairs(args: readonly string[]): Promise<number> {
  const options = readGenerateOptions(args);
  if (options.study === "norse") return await generateNorse(options.run);
  const studies = { pairs: SANSKRIT_STUDY, probes: PROBE_STUDY };
  generateSanskrit(options, {
    ...{ sources: readSources(), studies, print },
    readPresent: readContrastSets,
    write: writeGenerated,
  });
  return EXIT_CODES.complete;
}

async function generateNorse(run: RunOptions): Promise<number> {
  const options = { ...run, signal: stopSignal("what is answered is kept") };
  const outcome = await runGeneration(options, {
    sentences: readSentences(NORSE_PATHS.sentences),
    templates: readPromptTemplates(),
    panel: readPanel(NORSE_PATHS.hostedPanel, NORSE_PATHS.project),
    connection: { env: NORSE_PATHS.env, usage: NORSE_PATHS.usage },
    paths: { ...NORSE_PATHS, ...PROPOSAL_PATHS },
    print,
  });
  return EXIT_CODES[outcome];
}

if (import.meta.main) {
  Deno.exit(await runCommand(Deno.args, GENERATE_USAGE, () => generatePairs(Deno.args)));
}
