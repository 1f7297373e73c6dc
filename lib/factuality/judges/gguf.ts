/** A GGUF model in this process, for judges and prompted verifiers. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { sha256OfFile, shownPath } from "../../files/atomic.ts";
import { type DownloadProgress, MODEL_PACKAGES } from "../../files/packages.ts";
import { formatBytes, formatDownload } from "../../files/progress.ts";
import {
  type LoadProgress,
  modelFile,
  packagedSha256,
  QWEN_CODER,
} from "../../models/llama/local_models.ts";
import { expandedWeights } from "../../models/llama/weights.ts";
import {
  FILE_SHA256,
  IDENTIFIER,
  NON_BLANK,
  type OpeningContext,
  QUANTISATION,
} from "../component.ts";
import { JUDGE, type JudgeComponent, readingJudge, writingJudge } from "./judge.ts";

/** Configuration keys of every entry with a GGUF model. */
export const GGUF = {
  /** Name of the model in every result. */
  id: IDENTIFIER,
  /** Package that contains the model; without it `path` names the user's GGUF file. */
  package: z.enum(MODEL_PACKAGES).optional(),
  path: NON_BLANK.optional(),
  sha256: FILE_SHA256.optional(),
  /** Precision of the weights: `shipped` uses the file's, `none` converts them to floats. */
  quantisation: z.enum([...QUANTISATION.options, "shipped"]).optional(),
  /** Context size in tokens: prompt and answer together. */
  contextTokens: z.int().min(256).default(2048),
  licence: NON_BLANK,
};
type Gguf = Readonly<z.infer<z.ZodObject<typeof GGUF>>>;

export const hasOneSource = (entry: { readonly package?: unknown; readonly path?: unknown }) =>
  (entry.package === undefined) !== (entry.path === undefined);
export const ONE_SOURCE_MESSAGE = { message: "must have either a package or a path, and not both" };

const SCHEMA = z.strictObject({ kind: z.literal("gguf"), ...GGUF, ...JUDGE })
  .refine(hasOneSource, ONE_SOURCE_MESSAGE);

/** A judge with a GGUF model. */
export const gguf: JudgeComponent<typeof SCHEMA> = {
  schema: SCHEMA,
  async open(entry, opening, seed = 0) {
    if (entry.readout === "next-token") {
      const { nextWord, likelihood, measured } = await openFloats(entry, opening);
      return { ...readingJudge(nextWord, entry, measured, opening), likelihood };
    }
    const { openStructuredModel } = await import("../../models/llama/structured_chat.ts");
    const { id, contextTokens, maxReplyTokens, temperature } = entry;
    const { threads, resources } = opening;
    const { path, measured, settings } = await openWeights(entry, "shipped", opening);
    const model = { id, path, settings, threads, contextTokens, maxReplyTokens, temperature };
    const writes = resources.use(await openStructuredModel({ ...model, seed }));
    return writingJudge(writes, entry, measured, opening);
  },
  async draws(entry, generation, opening) {
    const { engineDraws, engineSampling } = await import("../../models/llama/sampling.ts");
    const { engine, settings } = await openEntry(entry, "shipped", opening);
    const isChat = engine.chatTemplate !== undefined;
    return engineDraws(engineSampling(entry.id, engine, settings), generation, isChat);
  },
  weights({ package: packed, path = "", sha256, readout, ...entry }, opening) {
    const fileSha256 = packed ? packagedSha256(packed) : sha256 ??
      (existsSync(path) ? sha256OfFile(path) : undefined);
    const plain = readout === "next-token" ? "F32" : "shipped";
    return { modelSha256: fileSha256, weights: precisionOf(entry, plain, opening) };
  },
};

const PRECISIONS = { "8-bit": "Q8_0", shipped: "shipped" } as const;

function precisionOf<Plain extends "F32" | "shipped">(
  { quantisation }: Pick<Gguf, "quantisation">,
  plain: Plain,
  opening: OpeningContext,
) {
  const wanted = quantisation ?? opening.quantisation;
  return wanted === "none" ? plain : PRECISIONS[wanted];
}

/** Progress message of a model's loading. */
export function loadMessage(progress: LoadProgress): string {
  if (progress.stage === "download") return formatDownload(progress.download);
  return progress.stage === "load"
    ? "loads"
    : `converts its weights, ${formatBytes(progress.bytes)}`;
}

/** Reports a download's progress. A large download first states its size and location. */
function downloadReporter({ id, licence, package: name }: Gguf, tell: OpeningContext["tell"]) {
  let isTold = name !== QWEN_CODER.package;
  return (download: DownloadProgress) => {
    if (!isTold && download.state === "downloading") {
      const size = formatBytes(QWEN_CODER.downloadBytes);
      tell(id, `licence ${licence}; ${size} are downloaded, once`, "stays");
      isTold = true;
    }
    tell(id, loadMessage({ stage: "download", model: id, download }));
  };
}

/**
 * Fetches and verifies an entry's GGUF file in the right precision. That is the configured one, or
 * else `precision`. `measured` has the SHA-256 of the published file. @throws {Error} where it is
 * missing or differs.
 */
async function openWeights(entry: Gguf, precision: "F32" | "shipped", opening: OpeningContext) {
  const { id, licence } = entry;
  const { cacheDirectory, threads, tell } = opening;
  const source = await modelFile(
    { ...entry, kind: "gguf", roles: ["chat"], readout: "generation", precision: "shipped" },
    cacheDirectory,
    downloadReporter(entry, tell),
  );
  using file = Deno.openSync(source.path);
  const magic = new Uint8Array(4);
  file.readSync(magic);
  // The engine's messages name neither model nor file.
  if (new TextDecoder().decode(magic) !== "GGUF") {
    const remedy =
      "Download it again, correct its path, or convert weights of another format first";
    throw new Error(
      `Cannot load model ${id}: ${shownPath(source.path)} is no GGUF file. ${remedy}`,
    );
  }
  if (entry.sha256 !== undefined && source.sha256 !== entry.sha256) {
    const wanted = `${entry.sha256} is wanted; restore the file, or correct path or sha256`;
    throw new Error(`Cannot load model ${id}: its file's SHA-256 is ${source.sha256}; ${wanted}`);
  }
  const wanted = precisionOf(entry, precision, opening);
  const weights = wanted === "shipped" ? source : await expandedWeights(source, {
    directory: join(cacheDirectory, "models"),
    precision: wanted,
    threads,
    onProgress: (bytes) => tell(id, loadMessage({ stage: "expand", model: id, bytes })),
  });
  tell(id, "loads");
  const settings = {
    fileSha256: source.sha256,
    weightsSha256: weights.sha256,
    precision: weights.sha256 === source.sha256 ? "shipped" : wanted,
    licence,
  };
  const measured = { modelSha256: source.sha256, weights: settings.precision };
  return { path: weights.path, measured, settings };
}

/** Opens the engine for an entry's weights, until the components are disposed of. */
async function openEntry(entry: Gguf, wanted: "F32" | "shipped", opening: OpeningContext) {
  const { path, measured, settings } = await openWeights(entry, wanted, opening);
  const { threads, resources } = opening;
  const shape = { threads, contextTokens: entry.contextTokens, precision: settings.precision };
  const { openEngine } = await import("../../models/llama/open_engine.ts");
  return { engine: resources.use(await openEngine(path, shape)), measured, settings };
}

/**
 * Opens a model for reading probabilities in plain floats. Quantised kernels round their inputs.
 */
export async function openFloats(entry: Gguf, opening: OpeningContext) {
  const { engine, measured, settings } = await openEntry(entry, "F32", opening);
  const { engineNextWord, languageModel } = await import("../../models/llama/roles.ts");
  const likelihood = languageModel(entry.id, engine, settings);
  return { nextWord: engineNextWord(entry.id, engine, settings), likelihood, measured };
}

/** Opens a model that chooses among three verdicts, in its published precision. */
export async function openAnswers(entry: Gguf, opening: OpeningContext) {
  const { engine, measured, settings } = await openEntry(entry, "shipped", opening);
  const { engineAnswers } = await import("../../models/llama/roles.ts");
  return { model: engineAnswers(entry.id, engine, settings), modelSha256: measured.modelSha256 };
}
