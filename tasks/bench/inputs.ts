import { parse } from "csv-parse/sync";
import { join } from "node:path";
import { z } from "zod";
import { randomSource } from "../../lib/stats/random.ts";
import { expandedWeights, type Weights } from "../../lib/models/llama/weights.ts";
import { modelFile } from "../../lib/models/model_files.ts";
import { ggufEntries, type GgufEntry, parsePanel } from "../../lib/models/panel.ts";

export const CACHE_DIRECTORY = ".cache";
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
