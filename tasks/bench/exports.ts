/** The exported sets in other people's hands: do they load, and does lm-eval find what we published? */
import { basename, join, resolve } from "node:path";
import { sum } from "simple-statistics";
import { z } from "zod";
import { markdownTable } from "../../lib/figures/table.ts";
import { openEngine } from "../../lib/models/llama/open_engine.ts";
import { DATA as NORSE } from "../../lib/norse/dataset.ts";
import { type ExportedSet, exportFiles, taskGroup, writeExport } from "../../lib/pairs/export.ts";
import { SANSKRIT_PATHS } from "../../lib/sanskrit/study.ts";
import { command, EXIT, int, oneOf } from "../command.ts";
import { EXPORTED } from "../study/export.ts";
import {
  CACHE_DIRECTORY,
  panelWeights,
  pythonWithHarnesses,
  report,
  rows,
  THREADS,
} from "./harness.ts";
import { CONTEXT_TOKENS, openScorer, scoreGroups, textsOf } from "./scores.ts";

/** Nats a sentence, as against PyTorch. */
const LIMIT = 0.1;

/** Where our figures of a set stand, and what its phenomena are called in the statistics. */
const PUBLISHED = {
  forward: {
    likelihoods: join(NORSE, "likelihoods.csv"),
    statistics: join(NORSE, "statistics.csv"),
    group: (phenomenon: string) => phenomenon,
  },
  reverse: {
    likelihoods: join(NORSE, "reverse_likelihoods.csv"),
    statistics: join(NORSE, "statistics.csv"),
    group: (phenomenon: string) => `${phenomenon}.reverse`,
  },
  main: { ...SANSKRIT_PATHS, group: (phenomenon: string) => phenomenon },
  i_stems: {
    likelihoods: SANSKRIT_PATHS.probeLikelihoods,
    statistics: SANSKRIT_PATHS.probeStatistics,
    group: (phenomenon: string) => `istem.${phenomenon}`,
  },
};
const SETS = Object.keys(PUBLISHED) as (keyof typeof PUBLISHED)[];

const NUMBERS = z.record(z.string(), z.number());
const DATASETS = z.record(z.string(), NUMBERS);
const CROISSANT = z.object({ warnings: z.array(z.string()), records: NUMBERS });
const PAIRS = z.array(z.tuple([z.string(), z.number(), z.number()]));
const TASKS = z.record(
  z.string(),
  z.object({ acc: z.number(), acc_bytes: z.number(), pairs: PAIRS }),
);
const LIKELIHOOD = z.object({
  model: z.string(),
  pair_id: z.string(),
  grammatical_logprob: z.coerce.number(),
  ungrammatical_logprob: z.coerce.number(),
});
const STATISTIC = z.object({
  model: z.string(),
  phenomenon: z.string(),
  measure: z.string(),
  estimate: z.string(),
});

export const TASK = command(
  "exports",
  "Exports every set, loads it with datasets and mlcroissant, and runs its lm-eval task on the panel's " +
    "first model: accuracies beside the published ones, and pair by pair (half an hour). Prints a table",
  (c) =>
    c.option("--threads <number>", "threads of each", ...THREADS)
      .option("--set <name>", `${SETS.join(", ")}; all unless told`, oneOf(...SETS))
      .option("--items <number>", "pairs of each phenomenon; all unless told", int({ min: 1 })),
  async ({ threads, set: only, items }) => {
    const [first] = await panelWeights(threads);
    if (!first) throw new RangeError("Cannot compare: the panel has no local model.");
    const { entry: { id: model }, shipped: { path } } = first;
    const python = await pythonWithHarnesses();
    await using engine = await openEngine(path, { threads, contextTokens: CONTEXT_TOKENS });
    await using harness = await openScorer(python, path, threads, engine);
    const folder = Deno.makeTempDirSync({ dir: CACHE_DIRECTORY, prefix: "exports-" });
    let kept = true;
    const table = [];
    try {
      for (const open of Object.values(EXPORTED)) {
        const study = open();
        const at = resolve(folder, study.name);
        writeExport(at, exportFiles(study));
        kept = await loads(harness, at, study.sets) && kept;
        for (const set of study.sets.filter(({ name }) => only === undefined || name === only)) {
          const task = taskGroup(study, set);
          const limit = items ?? null;
          const tasks = await harness.ask({ kind: "task", folder: at, task, limit }, TASKS);
          const scored = Object.values(tasks).flatMap(({ pairs }) => pairs);
          const published = await publishedScores(model, set.name);
          const byLmEval = compareScores(published, scored);
          const wanted = new Set(scored.map(([id]) => id));
          const pairs = set.items.map(({ pair }) => pair).filter(({ id }) => wanted.has(id));
          const scores = await scoreGroups(engine, pairs.map(textsOf));
          const rough = compareScores(
            published,
            pairs.map(({ id }, i) => [id, scores[i]![0]!, scores[i]![1]!]),
          );
          const figures = items ? "–" : await sameFigures(model, set, tasks, task);
          table.push([set.name, figures, ...byLmEval.cells, ...rough.cells.slice(2)]);
          const text = `${byLmEval.same} of ${pairs.length} choices the same`;
          const what = `${set.name}: lm-eval against the published log-probabilities, nats`;
          kept = report(what, byLmEval.largest, LIMIT, text) && kept;
        }
      }
    } finally {
      Deno.removeSync(folder, { recursive: true });
    }
    const columns = ["set", "figures the same", "published", "lm-eval", "choices the same"];
    const more = ["largest difference, nats", "quantised: choices the same", "largest difference"];
    console.log(`\n${model}\n\n${markdownTable([...columns, ...more], table)}`);
    return kept ? EXIT.done : EXIT.failed;
  },
);

/** Whether both loaders find every pair of every set. */
async function loads(
  harness: Awaited<ReturnType<typeof openScorer>>,
  folder: string,
  sets: readonly ExportedSet[],
): Promise<boolean> {
  const datasets = await harness.ask({ kind: "datasets", folder }, DATASETS);
  const { warnings, records } = await harness.ask({ kind: "croissant", folder }, CROISSANT);
  const n = sum(sets.map(({ items }) => items.length));
  const loaded = sum(Object.values(datasets).flatMap((splits) => Object.values(splits)));
  const read = sum(Object.values(records));
  console.log(`${basename(folder)}: ${n} pairs; datasets loads ${loaded}, mlcroissant ${read}`);
  for (const warning of warnings) console.log(`  mlcroissant warns: ${warning}`);
  return loaded === n && read === n;
}

/** Log-probabilities of both members in nats, by pair. */
type Scores = ReadonlyMap<string, readonly [good: number, bad: number]>;

async function publishedScores(model: string, set: string): Promise<Scores> {
  const own = await rows(PUBLISHED[set as keyof typeof PUBLISHED].likelihoods, LIKELIHOOD);
  return new Map(
    own.filter((one) => one.model === model).map((one) => [
      one.pair_id,
      [one.grammatical_logprob, one.ungrammatical_logprob],
    ]),
  );
}

/** Others' scores of pairs beside the published ones, with the cells of the table. */
export function compareScores(
  published: Scores,
  others: readonly (readonly [id: string, good: number, bad: number])[],
) {
  const pairs = others.map(([id, good, bad]) => {
    const own = published.get(id);
    if (!own) throw new RangeError(`Cannot compare ${id}: it is not scored yet.`);
    const largest = Math.max(Math.abs(own[0] - good), Math.abs(own[1] - bad));
    return { own: own[0] - own[1], other: good - bad, largest };
  });
  const n = pairs.length;
  const same = pairs.filter(({ own, other }) => Math.sign(own) === Math.sign(other)).length;
  const largest = pairs.reduce((most, pair) => Math.max(most, pair.largest), 0);
  const share = (of: "own" | "other") => {
    const right = pairs.filter((pair) => pair[of] > 0).length;
    return `${right} of ${n} (${(100 * right / n).toFixed(1)} %)`;
  };
  return {
    same,
    largest,
    cells: [share("own"), share("other"), `${same} of ${n}`, largest.toFixed(4)],
  };
}

/** In how many tasks `acc` and `acc_bytes` are the estimates of our statistics, to their six decimals. */
async function sameFigures(
  model: string,
  { name, items }: ExportedSet,
  tasks: z.infer<typeof TASKS>,
  task: string,
): Promise<string> {
  const { statistics, group } = PUBLISHED[name as keyof typeof PUBLISHED];
  const estimates = new Map(
    (await rows(statistics, STATISTIC)).map((row) => [
      [row.model, row.phenomenon, row.measure].join(" "),
      row.estimate,
    ]),
  );
  const phenomena = [...new Set(items.map(({ pair }) => pair.phenomenon))];
  const found = phenomena.flatMap((phenomenon) => {
    const { acc, acc_bytes } = tasks[`${task}_${phenomenon.toLowerCase()}`]!;
    return Object.entries({ total: acc, per_byte: acc_bytes }).map(([by, figure]) => {
      const own = estimates.get(`${model} ${group(phenomenon)} likelihood_accuracy_${by}`);
      if (Number(own).toFixed(6) === figure.toFixed(6)) return true;
      console.log(`${phenomenon} ${by}: published ${own}, lm-eval ${figure.toFixed(6)}`);
      return false;
    });
  });
  return `${found.filter((same) => same).length} of ${found.length}`;
}
