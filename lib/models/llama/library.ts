import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** A field of a struct, and what the library's own `…_default_params()` puts there. */
interface Field {
  /** In bytes. */
  readonly offset: number;
  readonly kind: "i32" | "f32" | "bool";
  readonly initial: number;
}

/**
 * Where llama.cpp v0.4.0 keeps the fields of a struct that crosses the FFI boundary: all that we set,
 * and all whose default is not 0. The C header is not part of the shipped package, so the offsets are
 * written here and proved: by the defaults at load (`assertLayout`), and for the fields whose default
 * is 0 or stands in several places by what a context tells of itself (`assertArrived` of context.ts).
 */
interface StructLayout {
  readonly name: string;
  /** Size in bytes, a multiple of 8. */
  readonly size: number;
  /** Bytes that belong to no field: first, and the one after the last. Nobody says what is in them. */
  readonly padding: readonly (readonly [number, number])[];
  readonly fields: Readonly<Record<string, Field>>;
}

export const MODEL_PARAMS = {
  name: "llama_model_params",
  size: 80,
  padding: [[36, 40], [76, 80]],
  fields: {
    gpuLayers: { offset: 16, kind: "i32", initial: -1 },
    splitMode: { offset: 20, kind: "i32", initial: 1 },
    loadMode: { offset: 24, kind: "i32", initial: -1 },
    lazyMode: { offset: 28, kind: "i32", initial: 1 },
    extraBuffers: { offset: 74, kind: "bool", initial: 1 },
  },
} as const satisfies StructLayout;

export const CONTEXT_PARAMS = {
  name: "llama_context_params",
  size: 160,
  padding: [[134, 136]],
  fields: {
    contextTokens: { offset: 0, kind: "i32", initial: 512 },
    batchTokens: { offset: 4, kind: "i32", initial: 2048 },
    microBatchTokens: { offset: 8, kind: "i32", initial: 512 },
    sequences: { offset: 12, kind: "i32", initial: 1 },
    outputsMax: { offset: 20, kind: "i32", initial: 0 },
    outputsMaxPerSequence: { offset: 24, kind: "i32", initial: 1 },
    threads: { offset: 28, kind: "i32", initial: 4 },
    threadsBatch: { offset: 32, kind: "i32", initial: 4 },
    ropeScaling: { offset: 40, kind: "i32", initial: -1 },
    pooling: { offset: 44, kind: "i32", initial: -1 },
    attention: { offset: 48, kind: "i32", initial: -1 },
    flashAttention: { offset: 52, kind: "i32", initial: -1 },
    yarnExtFactor: { offset: 64, kind: "f32", initial: -1 },
    yarnAttentionFactor: { offset: 68, kind: "f32", initial: -1 },
    yarnBetaFast: { offset: 72, kind: "f32", initial: -1 },
    yarnBetaSlow: { offset: 76, kind: "f32", initial: -1 },
    defragThreshold: { offset: 84, kind: "f32", initial: -1 },
    typeK: { offset: 104, kind: "i32", initial: 1 },
    typeV: { offset: 108, kind: "i32", initial: 1 },
    embeddings: { offset: 128, kind: "bool", initial: 0 },
    offloadKqv: { offset: 129, kind: "bool", initial: 1 },
    noPerf: { offset: 130, kind: "bool", initial: 1 },
    opOffload: { offset: 131, kind: "bool", initial: 1 },
    swaFull: { offset: 132, kind: "bool", initial: 1 },
    kvUnified: { offset: 133, kind: "bool", initial: 0 },
  },
} as const satisfies StructLayout;

export const QUANTIZE_PARAMS = {
  name: "llama_model_quantize_params",
  // Eight bytes more than the library fills.
  size: 64,
  padding: [[22, 24], [56, 64]],
  fields: {
    threads: { offset: 0, kind: "i32", initial: 0 },
    fileType: { offset: 4, kind: "i32", initial: 7 },
    outputType: { offset: 8, kind: "i32", initial: 43 },
    embeddingType: { offset: 12, kind: "i32", initial: 43 },
    allowRequantize: { offset: 16, kind: "bool", initial: 0 },
    quantizeOutput: { offset: 17, kind: "bool", initial: 1 },
    pure: { offset: 19, kind: "bool", initial: 0 },
  },
} as const satisfies StructLayout;

/** Booleans are written as 0 or 1. All supported platforms are little-endian. */
export function writeField(bytes: Uint8Array, { offset, kind }: Field, value: number): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (kind === "i32") view.setInt32(offset, value, true);
  else if (kind === "f32") view.setFloat32(offset, value, true);
  else view.setUint8(offset, value);
}

/** The struct as the library's defaults fill it: its fields, and 0 in every byte of any other. */
export function initialBytes({ size, fields }: StructLayout): Uint8Array {
  const bytes = new Uint8Array(size);
  for (const field of Object.values(fields)) writeField(bytes, field, field.initial);
  return bytes;
}

/**
 * Throws where a struct filled by the library's defaults is not, byte for byte, what this module says:
 * a field whose default is not 0 is missed where it was, and found where it is.
 *
 * @throws {TypeError} naming the struct and the first place that differs.
 */
export function assertLayout(layout: StructLayout, defaults: Uint8Array): void {
  const expected = initialBytes(layout);
  const isPadding = (at: number) => layout.padding.some(([from, to]) => at >= from && at < to);
  const at = expected.findIndex((byte, at) => byte !== defaults[at] && !isPadding(at));
  if (at < 0) return;
  const name =
    Object.entries(layout.fields).find(([, { offset, kind }]) =>
      at >= offset && at < offset + (kind === "bool" ? 1 : 4)
    )?.[0] ?? "(no field)";
  throw new TypeError(
    `Cannot use llama.cpp through FFI: byte ${at} of ${layout.name}, ${name}, is ` +
      `${defaults[at]}, expected ${expected[at]}: the library is not version v0.4.0`,
  );
}

/** A struct passed by value: libffi only needs its size and alignment. */
function words({ size }: StructLayout): { readonly struct: "u64"[] } {
  return { struct: Array<"u64">(size / 8).fill("u64") };
}

/** `llama_batch`: a count, padding, and six pointers. */
const BATCH = { struct: Array<"u64">(7).fill("u64") };

const TOKENISING = {
  parameters: ["pointer", "buffer", "i32", "buffer", "i32", "bool", "bool"],
  result: "i32",
} as const;
const EVALUATING = {
  parameters: ["pointer", BATCH],
  result: "i32",
  nonblocking: true,
} as const;

const LLAMA_SYMBOLS = {
  llama_model_default_params: { parameters: [], result: words(MODEL_PARAMS) },
  llama_context_default_params: { parameters: [], result: words(CONTEXT_PARAMS) },
  llama_model_quantize_default_params: { parameters: [], result: words(QUANTIZE_PARAMS) },
  llama_log_set: { parameters: ["pointer", "pointer"], result: "void" },
  llama_model_load_from_file: {
    parameters: ["buffer", words(MODEL_PARAMS)],
    result: "pointer",
    nonblocking: true,
  },
  llama_model_free: { parameters: ["pointer"], result: "void" },
  llama_model_get_vocab: { parameters: ["pointer"], result: "pointer" },
  llama_model_chat_template: { parameters: ["pointer", "pointer"], result: "pointer" },
  llama_model_n_params: { parameters: ["pointer"], result: "u64" },
  llama_model_n_embd: { parameters: ["pointer"], result: "i32" },
  llama_model_n_cls_out: { parameters: ["pointer"], result: "u32" },
  llama_model_cls_label: { parameters: ["pointer", "u32"], result: "pointer" },
  llama_model_meta_val_str: {
    parameters: ["pointer", "buffer", "buffer", "usize"],
    result: "i32",
  },
  llama_init_from_model: { parameters: ["pointer", words(CONTEXT_PARAMS)], result: "pointer" },
  llama_free: { parameters: ["pointer"], result: "void" },
  llama_n_ctx: { parameters: ["pointer"], result: "u32" },
  llama_n_ctx_seq: { parameters: ["pointer"], result: "u32" },
  llama_n_batch: { parameters: ["pointer"], result: "u32" },
  llama_n_ubatch: { parameters: ["pointer"], result: "u32" },
  llama_n_seq_max: { parameters: ["pointer"], result: "u32" },
  llama_n_threads: { parameters: ["pointer"], result: "i32" },
  llama_n_threads_batch: { parameters: ["pointer"], result: "i32" },
  llama_pooling_type: { parameters: ["pointer"], result: "i32" },
  llama_state_seq_get_size: { parameters: ["pointer", "i32"], result: "usize" },
  llama_get_memory: { parameters: ["pointer"], result: "pointer" },
  llama_memory_clear: { parameters: ["pointer", "bool"], result: "void" },
  llama_memory_seq_rm: { parameters: ["pointer", "i32", "i32", "i32"], result: "bool" },
  llama_decode: EVALUATING,
  llama_encode: EVALUATING,
  llama_get_embeddings: { parameters: ["pointer"], result: "pointer" },
  llama_get_embeddings_seq: { parameters: ["pointer", "i32"], result: "pointer" },
  llama_get_logits: { parameters: ["pointer"], result: "pointer" },
  llama_vocab_n_tokens: { parameters: ["pointer"], result: "i32" },
  llama_vocab_bos: { parameters: ["pointer"], result: "i32" },
  llama_vocab_eos: { parameters: ["pointer"], result: "i32" },
  llama_vocab_sep: { parameters: ["pointer"], result: "i32" },
  llama_vocab_get_add_bos: { parameters: ["pointer"], result: "bool" },
  llama_vocab_is_eog: { parameters: ["pointer", "i32"], result: "bool" },
  llama_tokenize: TOKENISING,
  llama_detokenize: TOKENISING,
  llama_model_quantize: {
    parameters: ["buffer", "buffer", "buffer"],
    result: "u32",
    nonblocking: true,
  },
} as const satisfies Deno.ForeignLibraryInterface;

type LlamaSymbols = Deno.StaticForeignLibraryInterface<typeof LLAMA_SYMBOLS>;

/** llama.cpp as node-llama-cpp ships it, opened through FFI and found to be laid out as expected. */
export interface LlamaLibrary {
  readonly symbols: LlamaSymbols;
  /** e.g. `llama.cpp v0.4.0 (linux-x64)`; part of every result's settings. */
  readonly version: string;
}

let library: LlamaLibrary | undefined;

/**
 * Opens the library once for the process; it stays open, because the kernels register globally.
 * Needs `--allow-ffi` and `--allow-read`.
 *
 * @throws {TypeError} where the platform has no library or its structs are laid out otherwise; the
 * caller then falls back to node-llama-cpp's own API (node_engine.ts).
 */
export function openLlamaLibrary(): LlamaLibrary {
  return library ??= open();
}

function open(): LlamaLibrary {
  const { folder, platform } = librariesFolder();
  const names = [...Deno.readDirSync(folder)].map((entry) => entry.name);
  // Windows finds a library's own dependencies only where they are loaded already.
  Deno.dlopen(join(folder, libraryFile(names, "ggml-base")), {});
  const ggmlFile = join(folder, libraryFile(names, "ggml"));
  const llamaFile = join(folder, libraryFile(names, "llama"));
  // The kernels that suit this machine; without them no model can be evaluated.
  const ggml = Deno.dlopen(ggmlFile, {
    ggml_backend_load_all_from_path: { parameters: ["buffer"], result: "void" },
  });
  const { symbols } = Deno.dlopen(llamaFile, LLAMA_SYMBOLS);
  assertLayout(MODEL_PARAMS, symbols.llama_model_default_params());
  assertLayout(CONTEXT_PARAMS, symbols.llama_context_default_params());
  assertLayout(QUANTIZE_PARAMS, symbols.llama_model_quantize_default_params());
  // llama.cpp logs from its own threads, where no JavaScript may run, so the callback is a C function
  // that ignores its arguments and does nothing. What went wrong shows in results.
  const silent = Deno.dlopen(llamaFile, { llama_max_devices: { type: "pointer" } });
  symbols.llama_log_set(silent.symbols.llama_max_devices, null);
  ggml.symbols.ggml_backend_load_all_from_path(cString(folder));
  const version = /v[\d.]+\d/.exec(libraryFile(names, "llama"))?.[0] ?? "unversioned";
  return { symbols, version: `llama.cpp ${version} (${platform})` };
}

const PLATFORM_PACKAGES: Readonly<Record<string, string>> = {
  "linux-x86_64": "linux-x64",
  "linux-aarch64": "linux-arm64",
  "darwin-aarch64": "mac-arm64-metal",
  "darwin-x86_64": "mac-x64",
  "windows-x86_64": "win-x64",
};

/** The folder with this platform's shared libraries, inside node-llama-cpp's own dependencies. */
function librariesFolder(): { readonly folder: string; readonly platform: string } {
  const platform = PLATFORM_PACKAGES[`${Deno.build.os}-${Deno.build.arch}`];
  if (platform === undefined) {
    throw new TypeError(
      `Cannot use llama.cpp through FFI: no library ships for ${Deno.build.os} ${Deno.build.arch}`,
    );
  }
  const engine = createRequire(import.meta.url).resolve("node-llama-cpp");
  const entry = createRequire(engine).resolve(`@node-llama-cpp/${platform}`);
  return { folder: join(dirname(entry), "..", "bins", platform), platform };
}

/** One library file by its stem: `libllama.v0.4.0.so`, `libllama.metal.v0.4.0.dylib`, `llama.v0.4.0.dll`. */
function libraryFile(names: readonly string[], stem: string): string {
  const pattern = new RegExp(`^(lib)?${stem}(\\.[a-z]+)?(\\.v[\\d.]+)?\\.(so|dylib|dll)$`);
  const found = names.find((name) => pattern.test(name));
  if (found === undefined) {
    throw new TypeError(
      `Cannot use llama.cpp through FFI: the library ${stem} is missing from node-llama-cpp; ` +
        `delete node_modules and run deno install`,
    );
  }
  return found;
}

/** UTF-8 with the terminating zero that C expects. */
export function cString(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`${text}\0`);
}
