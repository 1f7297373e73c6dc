import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { z } from "zod";
import { modelFile } from "../../lib/models/llama/local_models.ts";
import { expandedWeights, type Weights } from "../../lib/models/llama/weights.ts";
import { ggufEntries, type GgufEntry, parsePanel } from "../../lib/models/panel.ts";
import { randomSource } from "../../lib/stats/random.ts";
import { command, EXIT, int, type Runnable } from "../command.ts";

export const CACHE_DIRECTORY = ".cache";
export const PANEL = "data/panels/local.yaml";
export const SENTENCES = "data/norse/sentences.csv";
export const PAIRS = "data/norse/minimal_pairs.csv";

/** The parser and the default of `--threads`. */
export const THREADS = [int({ min: 1 }), Math.min(2, navigator.hardwareConcurrency)] as const;

/** A measurement as a command: it fails where a limit was missed. */
export function measurement(
  name: string,
  about: string,
  measure: (threads: number) => Promise<boolean>,
): Runnable {
  return command(
    name,
    about,
    (c) => c.option("--threads <number>", "threads of each model", ...THREADS),
    async ({ threads }) => await measure(threads) ? EXIT.done : EXIT.failed,
  );
}

const SEED = 20251121;

/** Two sentences that are scored as one pair. */
export interface BenchPair {
  readonly id: string;
  readonly phenomenon: string;
  readonly grammatical: string;
  readonly ungrammatical: string;
}

export interface BenchSentence {
  readonly id: string;
  readonly text: string;
}

/** Rows of a CSV file, or of JSON lines where the name ends in `.jsonl`. */
async function rows<T>(path: string, shape: z.ZodType<T>): Promise<readonly T[]> {
  const text = await Deno.readTextFile(path).catch((cause) => {
    throw new Deno.errors.NotFound(
      `Cannot measure: ${path} cannot be read; make it with: deno task reproduce`,
      { cause },
    );
  });
  const values: unknown = path.endsWith(".jsonl")
    ? text.trimEnd().split("\n").map((line): unknown => JSON.parse(line))
    : parse(text, { columns: true });
  return z.array(shape).parse(values);
}

/** All minimal pairs of a data set, of either study. */
export function readPairs(path: string): Promise<readonly BenchPair[]> {
  const member = z.string().min(1);
  return rows(
    path,
    z.object({ id: member, phenomenon: member, grammatical: member, ungrammatical: member }),
  );
}

/** The saga's sentences in normalised spelling. */
export async function readSentences(path: string): Promise<readonly BenchSentence[]> {
  const shape = z.object({ id: z.string(), normalised: z.string().min(1) });
  return (await rows(path, shape)).map(({ id, normalised }) => ({ id, text: normalised }));
}

/** The same `count` items in every run, or all where there are fewer. */
export function seededSample<T>(items: readonly T[], count: number): readonly T[] {
  return randomSource(SEED).sample(items, Math.min(count, items.length));
}

/** A model's weights as published, and expanded to float32. */
export interface BenchWeights {
  readonly entry: GgufEntry;
  readonly shipped: Weights;
  readonly expanded: Weights;
}

export async function panelWeights(panelPath: string, threads: number): Promise<BenchWeights[]> {
  const panel = parsePanel(await Deno.readTextFile(panelPath), panelPath);
  const weights: BenchWeights[] = [];
  for (const entry of ggufEntries(panel)) {
    const shipped = await modelFile(entry, CACHE_DIRECTORY);
    const expanded = await expandedWeights(shipped, {
      directory: join(CACHE_DIRECTORY, "models"),
      precision: "F32",
      threads,
    });
    weights.push({ entry, shipped, expanded });
  }
  return weights;
}

/** Cuts a stream of text into its lines; what follows the last line end is dropped. */
export class TextLineStream extends TransformStream<string, string> {
  constructor() {
    let rest = "";
    super({
      transform(chunk, controller) {
        const lines = (rest + chunk).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) controller.enqueue(line);
      },
    });
  }
}

/** Prints one line, and whether it keeps within its limit. */
export function report(what: string, value: number, limit: number, text: string): boolean {
  const kept = value <= limit;
  console.log(`${kept ? "kept  " : "MISSED"} ${what}: ${text}; at most ${limit}`);
  return kept;
}
