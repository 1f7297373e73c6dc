import { dirname, isAbsolute, join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { VARIANCE_THRESHOLD } from "../judges/aggregate.ts";
import { AGGREGATION_STRATEGIES, type AggregationStrategy } from "../judges/ensemble_score.ts";
import {
  JUDGE_ENTRY,
  type JudgeEntry,
  type Quantisation,
  RETRIEVAL,
  type RetrievalEntry,
  SPLITTER,
  type SplitterEntry,
  VERIFIER,
  type VerifierEntry,
} from "./configuration_entries.ts";

const FILE = z.strictObject({
  name: z.string().regex(/\S/, "is blank"),
  /** Of everything that runs in this process; the number of cores, at most 2, where left out. */
  threads: z.int().min(1).max(256).optional(),
  /** Of every model that does not say otherwise. */
  quantisation: z.enum(["none", "8-bit"]).default("none"),
  splitter: SPLITTER.default({ kind: "rules" }),
  retrieval: RETRIEVAL.default({ kind: "none" }),
  verifier: VERIFIER,
  judges: z.array(JUDGE_ENTRY).max(9).default([]),
  /** Whether judges are asked about each claim, beside the whole text. */
  judgeClaims: z.boolean().default(false),
  aggregation: z.strictObject({
    strategy: z.enum(AGGREGATION_STRATEGIES).default("weighted average"),
    /** In points²; over it an ensemble's score is marked as of low confidence. */
    lowConfidenceVariance: z.number().min(0).default(VARIANCE_THRESHOLD),
  }).prefault({}),
  /** Templates in the prompts file, one score each; `factual_accuracy` is always asked, and first. */
  criteria: z.array(z.string().regex(/\S/, "is blank")).default([]),
  prompts: z.string().regex(/\S/, "is blank").default("prompts.yaml"),
  /** What was measured of the judges; without it they are reported as unmeasured. */
  judgeCalibration: z.string().regex(/\S/, "is blank").optional(),
});

/** Everything that an evaluation is made of, as one file says it; paths are from the working folder. */
export interface EvaluationComponentsConfiguration {
  readonly name: string;
  readonly threads: number | undefined;
  readonly quantisation: Quantisation;
  readonly splitter: SplitterEntry;
  readonly retrieval: RetrievalEntry;
  readonly verifier: VerifierEntry;
  readonly judges: readonly JudgeEntry[];
  readonly judgeClaims: boolean;
  readonly aggregation: {
    readonly strategy: AggregationStrategy;
    readonly lowConfidenceVariance: number;
  };
  readonly criteria: readonly string[];
  readonly prompts: string;
  readonly judgeCalibration: string | undefined;
}

/**
 * Reads the configuration of an evaluation in YAML (whose parser needs
 * `--allow-env=LOG_TOKENS,LOG_STREAM`). Relative paths are taken from the folder of the file.
 *
 * @throws {SyntaxError} naming the file and every key that is unknown, missing, of the wrong type or
 * out of range, in one message.
 */
export function parseEvaluationConfiguration(
  text: string,
  file: string,
): EvaluationComponentsConfiguration {
  const value = yamlIn(text, file);
  const parsed = FILE.safeParse(value ?? {});
  const faults = parsed.success
    ? ruleFaults(parsed.data)
    : parsed.error.issues.map((issue) => describe(issue, value));
  if (!parsed.success || faults.length > 0) {
    throw new SyntaxError(`Cannot read ${file}: ${faults.join("; ")}.`);
  }
  return withPaths(parsed.data, dirname(file));
}

function yamlIn(text: string, file: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    throw new SyntaxError(`Cannot read ${file}: it is no YAML. ${(error as Error).message}`);
  }
}

/** `judges.1.weight (my-model): …`: the key, and the entry's id where it has one. */
function describe(issue: z.core.$ZodIssue, value: unknown): string {
  const ids = z.object({ judges: z.array(z.object({ id: z.unknown() })) }).safeParse(value);
  const [list, index] = issue.path;
  const id = list === "judges" && ids.success ? ids.data.judges[Number(index)]?.id : undefined;
  const named = typeof id === "string" ? ` (${id})` : "";
  if (issue.code === "unrecognized_keys") {
    const keys = issue.keys.map((key) => [...issue.path, key].join("."));
    return `unknown key ${keys.join(", ")}${named}`;
  }
  return `${issue.path.join(".") || "the file"}${named}: ${issue.message}`;
}

/** What one key alone does not show. */
function ruleFaults({ judges, splitter }: z.infer<typeof FILE>): readonly string[] {
  const ids = judges.map(({ id }) => id);
  const twice = new Set(ids.filter((id, index) => ids.indexOf(id) !== index));
  const reader = splitter.kind === "language-model" ? splitter.judge : undefined;
  return [
    ...[...twice].map((id) => `judges: the id ${id} stands twice`),
    ...ids.includes("verifier")
      ? ["judges: the id verifier is what reports call the verifier"]
      : [],
    ...reader === undefined || ids.includes(reader)
      ? []
      : [`splitter.judge: ${reader} is none of the judges`],
    ...judges.length > 0 && judges.every(({ weight }) => weight === 0)
      ? ["judges: one of them must weigh more than 0"]
      : [],
  ];
}

function withPaths(
  data: z.infer<typeof FILE>,
  folder: string,
): EvaluationComponentsConfiguration {
  const from = (path: string) => isAbsolute(path) ? path : join(folder, path);
  const located = <T extends { readonly kind: string }>(entry: T): T =>
    "path" in entry && typeof entry.path === "string"
      ? { ...entry, path: from(entry.path) }
      : entry;
  return {
    ...data,
    threads: data.threads,
    retrieval: located(data.retrieval),
    verifier: data.verifier.kind === "pmi"
      ? { ...located(data.verifier), thresholds: from(data.verifier.thresholds) }
      : located(data.verifier),
    judges: data.judges.map(located),
    prompts: from(data.prompts),
    judgeCalibration: data.judgeCalibration === undefined ? undefined : from(data.judgeCalibration),
  };
}
