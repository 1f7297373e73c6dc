/**
 * The pairs of a study. Old Norse: by rules, by a model's proposals that the rules confirm, or by both.
 * Sanskrit: by rules alone, in seconds. Answers to pairs that stay are kept, whatever number they get.
 */
import { SOURCES } from "../lib/studies/norse/dataset.ts";
import { readPromptTemplates } from "../lib/studies/norse/proposals.ts";
import { runGeneration } from "../lib/studies/norse/propose.ts";
import { NORSE_PATHS } from "../lib/studies/norse/study.ts";
import { SENTENCES } from "../lib/studies/norse/tables.ts";
import { readPanel } from "../lib/pairs/panels.ts";
import type { SelectionReport } from "../lib/pairs/select.ts";
import { lockAnswers } from "../lib/pairs/study.ts";
import {
  contrastSets,
  generateContrasts,
  type GenerationSettings,
  readSources,
  TARGET_PAIRS,
  writeGenerated,
} from "../lib/studies/sanskrit/generate.ts";
import { MAX_STEMS, PAIR_SEED, SANSKRIT_STUDY } from "../lib/studies/sanskrit/study.ts";
import { command, EXIT, int, oneOf, run } from "./command.ts";
import { STUDY_NAMES } from "./studies/open.ts";

/** Options by the study that they are of. */
const OWN = {
  norse: ["source", "limit", "estimate"],
  sanskrit: ["targetSize", "maxStems", "seed"],
} as const;

/** Ids of the Sanskrit pairs have four digits. */
const FOUR_DIGITS = int({ min: 1, max: 9999 });
const SEED = int({ min: 0, max: 9999 });

export const TASK = command(
  "generate",
  "The pairs of a study, by rules or a model's proposals; every answer is on disk as it comes",
  (c) =>
    c
      .option("--study <name>", "whose pairs", oneOf(...STUDY_NAMES), "norse" as const)
      .option(
        "--source <name>",
        "norse: the rules (unless told), or a model is asked: its confirmed proposals (llm), these first (both)",
        oneOf(...SOURCES),
      )
      .option("--limit <calls>", "norse: at most so many calls, 0 asks nothing", int({ min: 0 }))
      .option("--estimate", "norse: only say what asking would take")
      .option("--target-size <n>", `sanskrit: pairs (${TARGET_PAIRS} unless told)`, FOUR_DIGITS)
      .option("--max-stems <n>", `sanskrit: frequent stems (${MAX_STEMS} unless told)`, FOUR_DIGITS)
      .option("--seed <n>", `sanskrit: breaks ties (${PAIR_SEED} unless told)`, SEED),
  async (options, { signal }) => {
    const print = (line: string) => console.log(line);
    const other = options.study === "norse" ? "sanskrit" : "norse";
    const foreign = OWN[other].find((name) => options[name] !== undefined);
    if (foreign !== undefined) {
      const name = foreign.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`);
      throw new SyntaxError(
        `Cannot use --${name} for ${options.study}: it is an option of --study ${other}.`,
      );
    }
    if (options.study === "sanskrit") {
      const { targetSize = TARGET_PAIRS, maxStems = MAX_STEMS, seed = PAIR_SEED } = options;
      generateSanskrit({ targetSize, maxStems, seed }, print);
      return EXIT.done;
    }
    const { source, limit, estimate: estimateOnly } = options;
    const outcome = await runGeneration({ source, limit, estimateOnly, signal }, {
      sentences: SENTENCES.read(),
      templates: readPromptTemplates(),
      panel: readPanel(NORSE_PATHS.hostedPanel, NORSE_PATHS.project),
      connection: { env: NORSE_PATHS.env, usage: NORSE_PATHS.usage },
      paths: NORSE_PATHS,
      print,
    });
    return outcome === "complete" ? EXIT.done : EXIT.incomplete;
  },
);

/** Makes the Sanskrit contrast sets and writes them. @throws {Error} while somebody adds answers. */
function generateSanskrit(settings: GenerationSettings, print: (line: string) => void): void {
  // Who is adding answers now would go on with pairs that are no longer there.
  using _held = lockAnswers(SANSKRIT_STUDY.lock);
  const generated = generateContrasts(readSources(), settings);
  writeGenerated(generated);
  print(describeSet("the set", generated.aStems.set.report));
  print(describeSet("i-stems", generated.iStems.set.report));
  print(`${contrastSets(generated).controls.length} control sentences`);
}

function describeSet(name: string, report: Readonly<Record<string, SelectionReport>>): string {
  const parts = Object.entries(report).map(([phenomenon, { chosen, wanted, candidates }]) =>
    `${chosen} of ${wanted} ${phenomenon} contrasts (${candidates} candidates)`
  );
  return `${name}: ${parts.join(", ")}`;
}

if (import.meta.main) await run(TASK);
