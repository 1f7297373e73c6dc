import { z } from "zod";
import { MODEL_PACKAGES } from "../../models/panel.ts";

const PATH = z.string().regex(/\S/, "is blank");
const IDENTIFIER = z.string().regex(
  /^[\w.\/-]+$/,
  "must consist of letters, digits, '.', '_', '-' and '/'",
);
const SHA256 = z.string().regex(/^[0-9a-f]{64}$/, "must be 64 lower-case hexadecimal digits");
/** `8-bit`: Q8_0 made once in the cache for GGUF; the folder's own int8 file for ONNX. */
const QUANTISATION = z.enum(["none", "8-bit"]);

/** What takes the candidate output apart; a language model is one of the judges, by its id. */
export const SPLITTER = z.discriminatedUnion("kind", [
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
};

export const RETRIEVAL = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("none") }),
  z.strictObject({ kind: z.literal("factbook"), ...FOUND }),
  z.strictObject({ kind: z.literal("folder"), path: PATH, ...FOUND }),
  z.strictObject({
    kind: z.literal("wikipedia"),
    path: PATH,
    sha256: SHA256.optional(),
    ...FOUND,
  }),
]);

const EITHER = { message: "must have either a package or a path, and not both" };
const hasOneSource = (entry: { readonly package?: unknown; readonly path?: unknown }) =>
  (entry.package === undefined) !== (entry.path === undefined);

const GGUF = {
  /** Names the model in every result. */
  id: IDENTIFIER,
  /** A package of the index that carries the model … */
  package: z.enum(MODEL_PACKAGES).optional(),
  /** … or a GGUF file of the user's own. */
  path: PATH.optional(),
  sha256: SHA256.optional(),
  quantisation: QUANTISATION.optional(),
  /** Longest prompt with its answer, in tokens. */
  contextTokens: z.int().min(256).default(2048),
  licence: z.string().regex(/\S/, "is blank"),
};

const HOSTED = {
  id: IDENTIFIER,
  /** The host's own name for it; the id where left out. */
  model: z.string().min(1).optional(),
  reasoningEffort: z.enum(["none", "default", "low", "medium", "high"]).optional(),
  licence: z.string().regex(/\S/, "is blank"),
};

/** A server that speaks OpenAI's protocol. */
const SERVER = {
  ...HOSTED,
  baseUrl: z.url({
    protocol: /^https?$/,
    error: "must be an address that begins with http:// or https:// and ends with /v1",
  }),
  /** The variable in `.env` that holds the key; none for a server that asks for none. */
  keyName: z.string().regex(/^[A-Z][A-Z0-9_]*$/, "must be a variable's name").optional(),
  /** Requests in flight at once. */
  concurrency: z.int().min(1).max(1024).default(8),
  /** Ends a request; what had come back by then is kept. */
  timeoutSeconds: z.number().positive().max(3600).default(60),
};

/** Most words of a source that a language model is shown at once. */
const CHUNK_WORDS = z.int().min(20).max(100_000).default(300);

/** How a prompted verifier asks. */
const PROMPTED = {
  /** A `next word` prompt with {{passages}} and {{claim}}. */
  prompt: z.string().min(1).default("support"),
  chunkWords: CHUNK_WORDS,
};

/** A score written out with its reasons, or read from the probabilities of the next token. */
const READOUT = z.enum(["generation", "next-token"]).default("generation");

/** Thresholds of the baselines. */
const BASELINE = { path: PATH.default("verifier_baselines.json") };

/** The verifier is always needed: without verdicts there is nothing to show the judges. */
export const VERIFIER = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("trained"),
    path: PATH.default("verifier_weights.json"),
    sha256: SHA256.optional(),
  }),
  z.strictObject({ kind: z.literal("overlap"), ...BASELINE }),
  z.strictObject({ kind: z.literal("cosine"), ...BASELINE }),
  z.strictObject({
    kind: z.literal("prompted"),
    ...GGUF,
    ...PROMPTED,
  }).refine(hasOneSource, EITHER),
  z.strictObject({ kind: z.literal("prompted-server"), ...SERVER, ...PROMPTED }),
  z.strictObject({
    kind: z.literal("pmi"),
    ...GGUF,
    chunkWords: CHUNK_WORDS,
    /** The file with the threshold that was fitted for this model. */
    thresholds: BASELINE.path,
  }).refine(hasOneSource, EITHER),
  z.strictObject({
    kind: z.literal("onnx-nli"),
    id: IDENTIFIER,
    /** A folder with config.json, tokenizer.json and onnx/model.onnx. */
    path: PATH,
    /** Of `onnx/model.onnx`, or of the int8 file where 8-bit is asked for. */
    sha256: SHA256.optional(),
    quantisation: QUANTISATION.optional(),
    licence: z.string().regex(/\S/, "is blank"),
  }),
  /** What `deno task finetune` makes: network, head and temperature in one GGUF file. */
  z.strictObject({ kind: z.literal("cross-encoder"), path: PATH, sha256: SHA256.optional() }),
]);

const JUDGE = {
  /** In a weighted average; measured accuracy gives it where left out. */
  weight: z.number().min(0).optional(),
  /** Ends a request; what had come back by then is kept. */
  timeoutSeconds: z.number().positive().max(3600).default(60),
  /** Reasoning tokens are counted among them. */
  maxReplyTokens: z.int().min(16).max(32768).default(400),
  temperature: z.number().min(0).max(2).default(0),
  /** Whether to stop where this judge cannot be had; otherwise it is left out, and the report says so. */
  required: z.boolean().default(false),
};

export const JUDGE_ENTRY = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("gguf"),
    ...GGUF,
    ...JUDGE,
    readout: READOUT,
  }).refine(hasOneSource, EITHER),
  z.strictObject({ kind: z.literal("groq"), ...HOSTED, ...JUDGE }),
  z.strictObject({
    kind: z.literal("openai-compatible"),
    ...SERVER,
    ...JUDGE,
    readout: READOUT,
  }),
]);

export type Quantisation = z.infer<typeof QUANTISATION>;
export type SplitterEntry = Readonly<z.infer<typeof SPLITTER>>;
export type RetrievalEntry = Readonly<z.infer<typeof RETRIEVAL>>;
export type VerifierEntry = Readonly<z.infer<typeof VERIFIER>>;
export type JudgeEntry = Readonly<z.infer<typeof JUDGE_ENTRY>>;
