import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/**
 * Layout of a struct of llama.cpp v0.4.0 that crosses the FFI boundary.
 *
 * It lists the fields that are set here and those whose default is not 0. The shipped package has
 * no C header, so two checks verify the offsets: `assertLayout` by the default values,
 * `assertArrived` by the properties of a context.
 */
interface StructLayout {
  readonly name: string;
  readonly size: number;
  /** Ranges of padding bytes with unspecified content: start, and end (exclusive). */
  readonly padding: readonly (readonly [number, number])[];
  readonly fields: Readonly<Record<string, Field>>;
}

/** A field's offset in bytes, its type, and its value in the library's `…_default_params()`. */
type Field = readonly [offset: number, kind: "i32" | "f32" | "bool", initial: number];

export const MODEL_PARAMS = {
  name: "llama_model_params",
  size: 80,
  padding: [[36, 40], [76, 80]],
  fields: {
    gpuLayers: [16, "i32", -1],
    splitMode: [20, "i32", 1],
    loadMode: [24, "i32", -1],
    lazyMode: [28, "i32", 1],
    vocabularyOnly: [72, "bool", 0],
    extraBuffers: [74, "bool", 1],
  },
} as const satisfies StructLayout;

export const CONTEXT_PARAMS = {
  name: "llama_context_params",
  size: 160,
  padding: [[134, 136]],
  fields: {
    contextTokens: [0, "i32", 512],
    batchTokens: [4, "i32", 2048],
    microBatchTokens: [8, "i32", 512],
    sequences: [12, "i32", 1],
    outputsMax: [20, "i32", 0],
    outputsMaxPerSequence: [24, "i32", 1],
    threads: [28, "i32", 4],
    threadsBatch: [32, "i32", 4],
    ropeScaling: [40, "i32", -1],
    pooling: [44, "i32", -1],
    attention: [48, "i32", -1],
    flashAttention: [52, "i32", -1],
    yarnExtFactor: [64, "f32", -1],
    yarnAttentionFactor: [68, "f32", -1],
    yarnBetaFast: [72, "f32", -1],
    yarnBetaSlow: [76, "f32", -1],
    defragThreshold: [84, "f32", -1],
    typeK: [104, "i32", 1],
    typeV: [108, "i32", 1],
    embeddings: [128, "bool", 0],
    offloadKqv: [129, "bool", 1],
    noPerf: [130, "bool", 1],
    opOffload: [131, "bool", 1],
    swaFull: [132, "bool", 1],
    kvUnified: [133, "bool", 0],
  },
} as const satisfies StructLayout;

export const QUANTIZE_PARAMS = {
  name: "llama_model_quantize_params",
  // Eight bytes more than the library fills.
  size: 64,
  padding: [[22, 24], [56, 64]],
  fields: {
    threads: [0, "i32", 0],
    fileType: [4, "i32", 7],
    outputType: [8, "i32", 43],
    embeddingType: [12, "i32", 43],
    allowRequantize: [16, "bool", 0],
    quantizeOutput: [17, "bool", 1],
    pure: [19, "bool", 0],
  },
} as const satisfies StructLayout;

export function writeField(bytes: Uint8Array, [offset, kind]: Field, value: number): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (kind === "i32") view.setInt32(offset, value, true);
  else if (kind === "f32") view.setFloat32(offset, value, true);
  else view.setUint8(offset, value);
}

/** Returns the bytes of a struct with default values; 0 outside its fields. */
export function initialBytes({ size, fields }: StructLayout): Uint8Array {
  const bytes = new Uint8Array(size);
  for (const field of Object.values(fields)) writeField(bytes, field, field[2]);
  return bytes;
}

/**
 * Checks a struct's layout by the library's default values.
 * @throws {TypeError} naming the first byte that differs.
 */
export function assertLayout(layout: StructLayout, defaults: Uint8Array): void {
  const expected = initialBytes(layout);
  const isPadding = (at: number) => layout.padding.some(([from, to]) => at >= from && at < to);
  const at = expected.findIndex((byte, at) => byte !== defaults[at] && !isPadding(at));
  if (at < 0) return;
  const [name] =
    Object.entries(layout.fields).find(([, [offset, kind]]) =>
      at >= offset && at < offset + (kind === "bool" ? 1 : 4)
    ) ?? ["(no field)"];
  throw new TypeError(
    `Cannot use llama.cpp through FFI: byte ${at} of ${layout.name}, ${name}, is ` +
      `${defaults[at]}, expected ${expected[at]}: the library is not version v0.4.0`,
  );
}

/** Describes a struct passed by value. libffi only needs its size and alignment. */
function words({ size }: StructLayout): { readonly struct: "u64"[] } {
  return { struct: Array<"u64">(size / 8).fill("u64") };
}

const BATCH = { struct: Array<"u64">(7).fill("u64") };

const getters = <const Name extends string, const Result extends Deno.NativeResultType>(
  result: Result,
  ...names: readonly Name[]
) =>
  Object.fromEntries(
    names.map((name) => [name, { parameters: ["pointer"] as const, result }]),
  ) as Record<
    Name,
    { readonly parameters: readonly ["pointer"]; readonly result: Result }
  >;

const LOADING = ["buffer", words(MODEL_PARAMS)] as const;
const TOKENISING = ["pointer", "buffer", "i32", "buffer", "i32", "bool", "bool"] as const;
const EVALUATING = ["pointer", BATCH] as const;
const QUANTISING = ["buffer", "buffer", "buffer"] as const;

const LLAMA_SYMBOLS = {
  ...getters("void", "llama_model_free", "llama_free"),
  ...getters("pointer", "llama_model_get_vocab", "llama_get_memory"),
  ...getters("pointer", "llama_get_embeddings", "llama_get_logits"),
  ...getters("u32", "llama_n_ctx", "llama_n_ctx_seq", "llama_n_batch", "llama_n_ubatch"),
  ...getters("u32", "llama_n_seq_max"),
  ...getters("i32", "llama_n_threads", "llama_n_threads_batch", "llama_pooling_type"),
  ...getters("i32", "llama_vocab_n_tokens", "llama_vocab_bos"),
  ...getters("i32", "llama_vocab_eos", "llama_vocab_type"),
  ...getters("bool", "llama_vocab_get_add_bos"),
  llama_model_default_params: { parameters: [], result: words(MODEL_PARAMS) },
  llama_context_default_params: { parameters: [], result: words(CONTEXT_PARAMS) },
  llama_model_quantize_default_params: { parameters: [], result: words(QUANTIZE_PARAMS) },
  llama_log_set: { parameters: ["pointer", "pointer"], result: "void" },
  llama_model_load_from_file: { parameters: LOADING, result: "pointer", nonblocking: true },
  /** Blocking variant for short calls. */
  loadNow: { name: "llama_model_load_from_file", parameters: LOADING, result: "pointer" },
  llama_model_meta_val_str: { parameters: ["pointer", "buffer", "buffer", "usize"], result: "i32" },
  llama_model_chat_template: { parameters: ["pointer", "pointer"], result: "pointer" },
  llama_init_from_model: { parameters: ["pointer", words(CONTEXT_PARAMS)], result: "pointer" },
  llama_set_n_threads: { parameters: ["pointer", "i32", "i32"], result: "void" },
  llama_state_seq_get_size: { parameters: ["pointer", "i32"], result: "usize" },
  llama_memory_clear: { parameters: ["pointer", "bool"], result: "void" },
  llama_memory_seq_rm: { parameters: ["pointer", "i32", "i32", "i32"], result: "bool" },
  llama_decode: { parameters: EVALUATING, result: "i32", nonblocking: true },
  llama_vocab_get_text: { parameters: ["pointer", "i32"], result: "pointer" },
  llama_vocab_is_eog: { parameters: ["pointer", "i32"], result: "bool" },
  llama_tokenize: { parameters: TOKENISING, result: "i32" },
  llama_detokenize: { parameters: TOKENISING, result: "i32" },
  llama_token_to_piece: {
    parameters: ["pointer", "i32", "buffer", "i32", "i32", "bool"],
    result: "i32",
  },
  llama_model_quantize: { parameters: QUANTISING, result: "u32", nonblocking: true },
} as const satisfies Deno.ForeignLibraryInterface;

/** llama.cpp from node-llama-cpp, opened through FFI with a checked layout. */
export interface LlamaLibrary {
  readonly symbols: Deno.StaticForeignLibraryInterface<typeof LLAMA_SYMBOLS>;
  /**
   * Version and platform, e.g. `llama.cpp v0.4.0 (linux-x64)`. It is part of every result's
   * settings.
   */
  readonly version: string;
}

let library: LlamaLibrary | undefined;

/**
 * Opens the library for the lifetime of the process, because kernels register globally. @throws
 * {TypeError} where it cannot be opened.
 */
export function openLlamaLibrary(): LlamaLibrary {
  return library ??= open();
}

function open(): LlamaLibrary {
  const { folder, platform } = librariesFolder();
  const names = [...Deno.readDirSync(folder)].map((entry) => entry.name);
  const fileOf = (stem: string) => libraryFile(names, stem);
  // Windows finds a library's own dependencies only where they are loaded already.
  Deno.dlopen(join(folder, fileOf("ggml-base")), {});
  const llama = join(folder, fileOf("llama"));
  const ggml = Deno.dlopen(join(folder, fileOf("ggml")), {
    ggml_backend_load_all_from_path: { parameters: ["buffer"], result: "void" },
  });
  const { symbols } = Deno.dlopen(llama, LLAMA_SYMBOLS);
  assertLayout(MODEL_PARAMS, symbols.llama_model_default_params());
  assertLayout(CONTEXT_PARAMS, symbols.llama_context_default_params());
  assertLayout(QUANTIZE_PARAMS, symbols.llama_model_quantize_default_params());
  // llama.cpp logs from its own threads, where no JavaScript may run, so the callback is a C function
  // that ignores its arguments and does nothing. What went wrong shows in results.
  const silent = Deno.dlopen(llama, { llama_max_devices: { type: "pointer" } });
  symbols.llama_log_set(silent.symbols.llama_max_devices, null);
  ggml.symbols.ggml_backend_load_all_from_path(cString(folder));
  const version = /v[\d.]+\d/.exec(fileOf("llama"))?.[0] ?? "unversioned";
  return { symbols, version: `llama.cpp ${version} (${platform})` };
}

const PLATFORM_PACKAGES: Readonly<Record<string, string>> = {
  "linux-x86_64": "linux-x64",
  "linux-aarch64": "linux-arm64",
  "darwin-aarch64": "mac-arm64-metal",
  "darwin-x86_64": "mac-x64",
  "windows-x86_64": "win-x64",
};

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

/** Encodes a text as UTF-8 with a terminating zero byte. */
export function cString(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`${text}\0`);
}
