import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import {
  assertLayout,
  CONTEXT_PARAMS,
  MODEL_PARAMS,
  QUANTIZE_PARAMS,
  type StructLayout,
} from "./layout.ts";

/** A struct passed by value: libffi only needs its size and alignment. */
function words(layout: StructLayout): { readonly struct: "u64"[] } {
  return { struct: Array<"u64">(layout.size / 8).fill("u64") };
}

/** `llama_batch`: a count, padding, and six pointers. */
const BATCH = { struct: Array<"u64">(7).fill("u64") };

const LLAMA_SYMBOLS = {
  llama_model_default_params: { parameters: [], result: words(MODEL_PARAMS) },
  llama_context_default_params: { parameters: [], result: words(CONTEXT_PARAMS) },
  llama_model_quantize_default_params: { parameters: [], result: words(QUANTIZE_PARAMS) },
  llama_log_set: { parameters: ["pointer", "pointer"], result: "void" },
  llama_max_devices: { parameters: [], result: "usize" },
  llama_model_load_from_file: {
    parameters: ["buffer", words(MODEL_PARAMS)],
    result: "pointer",
    nonblocking: true,
  },
  llama_model_free: { parameters: ["pointer"], result: "void" },
  llama_model_get_vocab: { parameters: ["pointer"], result: "pointer" },
  llama_model_chat_template: { parameters: ["pointer", "pointer"], result: "pointer" },
  llama_model_desc: { parameters: ["pointer", "buffer", "usize"], result: "i32" },
  llama_model_n_params: { parameters: ["pointer"], result: "u64" },
  llama_model_n_embd: { parameters: ["pointer"], result: "i32" },
  llama_model_n_ctx_train: { parameters: ["pointer"], result: "i32" },
  llama_model_n_cls_out: { parameters: ["pointer"], result: "u32" },
  llama_model_cls_label: { parameters: ["pointer", "u32"], result: "pointer" },
  llama_model_meta_val_str: {
    parameters: ["pointer", "buffer", "buffer", "usize"],
    result: "i32",
  },
  llama_init_from_model: { parameters: ["pointer", words(CONTEXT_PARAMS)], result: "pointer" },
  llama_free: { parameters: ["pointer"], result: "void" },
  llama_get_memory: { parameters: ["pointer"], result: "pointer" },
  llama_memory_clear: { parameters: ["pointer", "bool"], result: "void" },
  llama_memory_seq_rm: { parameters: ["pointer", "i32", "i32", "i32"], result: "bool" },
  llama_decode: { parameters: ["pointer", BATCH], result: "i32", nonblocking: true },
  llama_encode: { parameters: ["pointer", BATCH], result: "i32", nonblocking: true },
  llama_get_embeddings: { parameters: ["pointer"], result: "pointer" },
  llama_get_embeddings_seq: { parameters: ["pointer", "i32"], result: "pointer" },
  llama_get_logits: { parameters: ["pointer"], result: "pointer" },
  llama_vocab_n_tokens: { parameters: ["pointer"], result: "i32" },
  llama_vocab_bos: { parameters: ["pointer"], result: "i32" },
  llama_vocab_eos: { parameters: ["pointer"], result: "i32" },
  llama_vocab_sep: { parameters: ["pointer"], result: "i32" },
  llama_vocab_get_add_bos: { parameters: ["pointer"], result: "bool" },
  llama_vocab_is_eog: { parameters: ["pointer", "i32"], result: "bool" },
  llama_tokenize: {
    parameters: ["pointer", "buffer", "i32", "buffer", "i32", "bool", "bool"],
    result: "i32",
  },
  llama_detokenize: {
    parameters: ["pointer", "buffer", "i32", "buffer", "i32", "bool", "bool"],
    result: "i32",
  },
  llama_chat_apply_template: {
    parameters: ["buffer", "buffer", "usize", "bool", "buffer", "i32"],
    result: "i32",
  },
  llama_model_quantize: {
    parameters: ["buffer", "buffer", "buffer"],
    result: "u32",
    nonblocking: true,
  },
} as const satisfies Deno.ForeignLibraryInterface;

export type LlamaSymbols = Deno.StaticForeignLibraryInterface<typeof LLAMA_SYMBOLS>;

/** llama.cpp as node-llama-cpp ships it, opened through FFI and found to be laid out as expected. */
export interface LlamaLibrary {
  readonly symbols: LlamaSymbols;
  /** e.g. `llama.cpp v0.4.0 (linux-x64)`; part of every result's settings. */
  readonly version: string;
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

/** Loads the processor kernels that suit this machine; without them no model can be evaluated. */
function loadKernels(ggmlFile: string, folder: string): void {
  const ggml = Deno.dlopen(ggmlFile, {
    ggml_backend_load_all_from_path: { parameters: ["buffer"], result: "void" },
  });
  ggml.symbols.ggml_backend_load_all_from_path(cString(folder));
}

/**
 * llama.cpp logs from its own threads, where no JavaScript may run, so the callback is a C function
 * that ignores its arguments and does nothing: `llama_max_devices`. What went wrong shows in results.
 */
function silence(symbols: LlamaSymbols, llamaFile: string): void {
  const { symbols: addresses } = Deno.dlopen(llamaFile, { llama_max_devices: { type: "pointer" } });
  symbols.llama_log_set(addresses.llama_max_devices, null);
}

/** UTF-8 with the terminating zero that C expects. */
export function cString(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`${text}\0`);
}

function open(): LlamaLibrary {
  const { folder, platform } = librariesFolder();
  const names = [...Deno.readDirSync(folder)].map((entry) => entry.name);
  // Windows finds a library's own dependencies only where they are loaded already.
  Deno.dlopen(join(folder, libraryFile(names, "ggml-base")), {});
  const ggmlFile = join(folder, libraryFile(names, "ggml"));
  const llamaName = libraryFile(names, "llama");
  Deno.dlopen(ggmlFile, {});
  const { symbols } = Deno.dlopen(join(folder, llamaName), LLAMA_SYMBOLS);
  assertLayout(MODEL_PARAMS, symbols.llama_model_default_params());
  assertLayout(CONTEXT_PARAMS, symbols.llama_context_default_params());
  assertLayout(QUANTIZE_PARAMS, symbols.llama_model_quantize_default_params());
  silence(symbols, join(folder, llamaName));
  loadKernels(ggmlFile, folder);
  const version = /v[\d.]+\d/.exec(llamaName)?.[0] ?? "unversioned";
  return { symbols, version: `llama.cpp ${version} (${platform})` };
}

let library: LlamaLibrary | undefined;

/**
 * Opens the library once for the process; it stays open, because the kernels register globally.
 * Needs `--allow-ffi` and `--allow-read`.
 *
 * @throws {TypeError} where the platform has no library or its structs are laid out otherwise; the
 * caller then falls back to node-llama-cpp's own API (fallback.ts).
 */
export function openLlamaLibrary(): LlamaLibrary {
  library ??= open();
  return library;
}
