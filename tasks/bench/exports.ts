/** The exported sets in other people's hands: do they load, and does lm-eval find what we published? */
import { join, resolve } from "node:path";
import { sum } from "simple-statistics";
import { z } from "zod";
import { markdownTable } from "../../lib/figures/table.ts";
import { openEngine } from "../../lib/models/llama/open_engine.ts";
import { DATA as NORSE } from "../../lib/studies/norse/dataset.ts";
import { likelihoodTable } from "../../lib/pairs/answers.ts";
import { lookUp, statisticsTable } from "../../lib/pairs/clustered.ts";
import { type ExportedSet, exportFiles, taskGroup, writeExport } from "../../lib/pairs/export.ts";
import { SANSKRIT_PATHS } from "../../lib/studies/sanskrit/study.ts";
import { command, EXIT, int } from "../command.ts";
import { EXPORTED } from "../studies/export.ts";
import { CACHE_DIRECTORY, pythonWithHarnesses } from "../python_environment.ts";
import { panelWeights, report, seededSample, THREADS } from "./harness.ts";
import { compareScores, CONTEXT_TOKENS, openScorer, scorePairs, type Scores } from "./scores.ts";

/** Nats a sentence, as against PyTorch. */
const LIMIT = 0.1;

/** Pairs of a set, drawn by seed, that quantised kernels score as well. */
const QUANTISED = 100;

/** Where our figures of a set stand, and what its phenomena are called in the statistics. */
const PUBLISHED: Readonly<
  Record<string, readonly [likelihoods: string, statistics: string, group: string]>
> = {
  forward: [join(NORSE, "likelihoods.csv"), join(NORSE, "statistics.csv"), "$&"],
  reverse: [join(NORSE, "reverse_likelihoods.csv"), join(NORSE, "statistics.csv"), "$&.reverse"],
  main: [SANSKRIT_PATHS.likelihoods, SANSKRIT_PATHS.statistics, "$&"],
  i_stems: [SANSKRIT_PATHS.probeLikelihoods, SANSKRIT_PATHS.probeStatistics, "istem.$&"],
};

const ROWS = z.object({ rows: z.number(), warnings: z.array(z.string()).default([]) });
const PAIR = z.tuple([z.string(), z.number(), z.number()]);
const TASKS = z.object({
  tasks: z.record(
    z.string(),
    z.object({ acc: z.number(), acc_bytes: z.number(), pairs: z.array(PAIR) }),
  ),
});

export const TASK = command(
  "exports",
  "Exports every set, loads it with datasets and mlcroissant, and runs its lm-eval tasks on the panel's " +
    "first model: figures beside the published ones, and pair by pair (half an hour). Prints a table",
  (c) =>
    c.option("--threads <number>", "threads of each", ...THREADS)
      .option("--items <number>", "pairs of each phenomenon; all unless told", int({ min: 1 })),
  async ({ threads, items }) => {
    const [first] = await panelWeights(threads);
    if (!first) throw new RangeError("Cannot compare: the panel has no local model.");
    const { entry: { id: model }, shipped: { path } } = first;
    const python = await pythonWithHarnesses();
    // The very file that lm-eval reads: its quantised kernels beside what the others make of it.
    await using engine = await openEngine(path, { threads, contextTokens: CONTEXT_TOKENS });
    await using harness = await openScorer(python, path, threads, engine);
    const folder = Deno.makeTempDirSync({ dir: CACHE_DIRECTORY, prefix: "exports-" });
    let kept = true;
    const table = [];
    try {
      for (const study of Object.values(EXPORTED).map((open) => open())) {
        const at = resolve(folder, study.name);
        writeExport(at, exportFiles(study));
        const pairs = sum(study.sets.map(({ items }) => items.length));
        for (const kind of ["datasets", "croissant"]) {
          const { rows, warnings } = await harness.ask({ kind, folder: at }, ROWS);
          console.log(
            [`${study.name}: ${kind} reads ${rows} of ${pairs}`, ...warnings].join("\n  "),
          );
          kept = rows === pairs && kept;
        }
        for (const set of study.sets) {
          const task = taskGroup(study.name, set.name);
          const request = { kind: "task", folder: at, task, limit: items ?? null };
          const { tasks } = await harness.ask(request, TASKS);
          const lmEval: Scores = new Map(
            Object.values(tasks).flatMap(({ pairs }) => pairs)
              .map(([id, ...scores]) => [id, scores]),
          );
          const scored = set.items.map(({ pair }) => pair).filter(({ id }) => lmEval.has(id));
          const own = seededSample(scored, QUANTISED);
          const scores = await scorePairs(engine, own);
          const quantised = new Map(own.map(({ id }, i) => [id, scores[i]!]));
          const published = publishedScores(model, set.name);
          const found = compareScores(published, lmEval);
          const same = items ? "–" : sameFigures(model, set, task, tasks);
          const cells = cellsOf(found);
          const rough = cellsOf(compareScores(published, quantised)).slice(2);
          table.push([set.name, ...cells, same, ...rough]);
          const what = `${set.name}: lm-eval against the published log-probabilities, nats`;
          kept = report(what, found.largest, LIMIT, cells.join(", ")) && kept;
        }
      }
    } finally {
      Deno.removeSync(folder, { recursive: true });
    }
    const columns = ["set", "published", "lm-eval", "same choices", "largest difference"];
    const more = ["same figures", "quantised kernels: same choices", "largest difference"];
    console.log(`\n${model}\n\n${markdownTable([...columns, ...more], table)}`);
    return kept ? EXIT.done : EXIT.failed;
  },
);

function publishedScores(model: string, set: string): Scores {
  const own = likelihoodTable(PUBLISHED[set]![0]).read();
  return new Map(
    own.filter((one) => one.model === model).map((one) => [
      one.pairId,
      [one.grammatical.logProbability, one.ungrammatical.logProbability],
    ]),
  );
}

/** What is told of a comparison: both accuracies, the same choices, and the largest difference. */
function cellsOf({ n, same, ownRight, otherRight, largest }: ReturnType<typeof compareScores>) {
  const share = (count: number) => `${(100 * count / n).toFixed(1)} % of ${n}`;
  return [share(ownRight), share(otherRight), `${same} of ${n}`, largest.toFixed(4)];
}

/** In how many cases a task's `acc` and `acc_bytes` are the estimates of our statistics, to six decimals. */
function sameFigures(
  model: string,
  { name, items }: ExportedSet,
  task: string,
  tasks: z.infer<typeof TASKS>["tasks"],
): string {
  const [, statistics, group] = PUBLISHED[name]!;
  const { row } = lookUp(statisticsTable({ path: statistics }).read());
  const found = [...new Set(items.map(({ pair }) => pair.phenomenon))].flatMap((phenomenon) => {
    const found = tasks[`${task}_${phenomenon.toLowerCase()}`];
    if (!found) return [];
    const { acc, acc_bytes } = found;
    return Object.entries({ total: acc, per_byte: acc_bytes }).map(([by, figure]) => {
      const measure = `likelihood_accuracy_${by}`;
      const { value } = row(model, measure, phenomenon.replace(/.*/, group));
      const own = value.kind === "unavailable" ? value.kind : value.estimate.toFixed(6);
      if (own === figure.toFixed(6)) return true;
      console.log(`  ${name} ${phenomenon} ${measure}: ${own}, lm-eval ${figure.toFixed(6)}`);
      return false;
    });
  });
  return `${found.filter((same) => same).length} of ${found.length}`;
}
