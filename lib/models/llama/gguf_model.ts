import { existsSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import {
  chooseStartToken,
  continuesWord,
  singleToken,
  type Tokens,
  type Vocabulary,
} from "./engine.ts";
import {
  cString,
  type LlamaLibrary,
  MODEL_PARAMS,
  openLlamaLibrary,
  writeField,
} from "./library.ts";

/**
 * Weights and vocabulary of a GGUF file in memory, on the CPU only. Dispose of its contexts first.
 */
export type GgufModel = Awaited<ReturnType<typeof loadGgufModel>>;

/** Loads a GGUF file. @throws {NotFound | SyntaxError}; {TypeError} for an unusable library. */
export async function loadGgufModel(path: string) {
  const library = openLlamaLibrary();
  using file = await Deno.open(path).catch((cause) => {
    throw new Deno.errors.NotFound(`Cannot load a model: ${path} cannot be read`, { cause });
  });
  const magic = new Uint8Array(4);
  await file.read(magic);
  if (new TextDecoder().decode(magic) !== "GGUF") {
    throw new SyntaxError(`Cannot load a model: ${path} is not a GGUF file`);
  }
  const { symbols } = library;
  const handle = await symbols.llama_model_load_from_file(cString(path), modelParams(library));
  if (handle === null) {
    throw new SyntaxError(
      `Cannot load ${path}: llama.cpp refused it; it is cut short or of an unknown architecture`,
    );
  }
  const vocabulary = symbols.llama_model_get_vocab(handle);
  if (vocabulary === null) throw new SyntaxError(`Cannot load ${path}: it has no vocabulary`);
  const template = symbols.llama_model_chat_template(handle, null);
  return {
    library,
    path,
    handle,
    vocabulary,
    vocabularySize: symbols.llama_vocab_n_tokens(vocabulary),
    /** Chat template of the file, in Jinja; undefined for a base model. */
    chatTemplate: template === null ? undefined : Deno.UnsafePointerView.getCString(template),
    [Symbol.dispose]: () => symbols.llama_model_free(handle),
  };
}

const TRIAL = fileURLToPath(new URL("trial.ts", import.meta.url));
const CONFIG = fileURLToPath(new URL("../../../deno.json", import.meta.url));
const TRIED = z.union([
  z.object({ problem: z.string() }),
  z.object({ isChat: z.boolean().optional() }),
]);

/**
 * Reads the metadata of a user's GGUF file (`facts`) or loads it, in a separate process.
 *
 * A crash of that process becomes an error. Without permission to run processes the work is done in
 * this one. @throws {SyntaxError} naming the file and the fault or crash.
 */
export function tryGguf(what: "facts" | "load", path: string): { readonly isChat?: boolean } {
  const { state } = Deno.permissions.querySync({ name: "run", command: Deno.execPath() });
  if (state !== "granted") return what === "facts" ? ggufFactsHere(path) : {};
  const { stdout, signal, code } = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-prompt", "--config", CONFIG]
      .concat("--allow-read", "--allow-ffi", "--allow-env", "--allow-sys", TRIAL, what, path),
    env: { GGML_NO_BACKTRACE: "1" },
    stdin: "null",
    stdout: "piped",
    stderr: "null",
  }).outputSync();
  const line = new TextDecoder().decode(stdout).trim().split("\n").at(-1) ?? "";
  const found = line.startsWith("{") ? TRIED.parse(JSON.parse(line)) : undefined;
  if (found !== undefined && !("problem" in found)) return found;
  const crash = `llama.cpp ends the process that ${what === "facts" ? "reads" : "loads"} it ` +
    `(${signal ?? `exit code ${code}`})`;
  throw new SyntaxError(found?.problem ?? `Cannot use ${basename(path)}: ${crash}`);
}

/**
 * Reads whether a GGUF file has a chat template, without its weights.
 * @throws {SyntaxError} for a file that is not GGUF, and for an encoder, which assigns no
 * probability to texts.
 */
export function ggufFactsHere(path: string): { readonly isChat: boolean } {
  const library = openLlamaLibrary();
  const { symbols } = library;
  const params = modelParams(library);
  writeField(params, MODEL_PARAMS.fields.vocabularyOnly, 1);
  const handle = symbols.loadNow(cString(path), params);
  if (handle === null) {
    const why = existsSync(path)
      ? "it is no GGUF file that llama.cpp knows"
      : "there is no such file";
    throw new SyntaxError(`Cannot use ${path}: ${why}`);
  }
  const name = new Uint8Array(64);
  symbols.llama_model_meta_val_str(handle, cString("general.architecture"), name, 64n);
  const architecture = new TextDecoder().decode(name).replace(/\0.*$/s, "");
  const isChat = symbols.llama_model_chat_template(handle, null) !== null;
  symbols.llama_model_free(handle);
  if (!/bert|^t5/.test(architecture)) return { isChat };
  throw new SyntaxError(
    `Cannot use ${path}: a model of the form ${architecture} reads a text in both directions and ` +
      "gives no probability of what comes next",
  );
}

/** Empty list of devices. GPUs, whose results would differ, are thus not used. */
const NO_DEVICES = new Uint8Array(new ArrayBuffer(8));

function modelParams({ symbols }: LlamaLibrary): Uint8Array<ArrayBuffer> {
  const params = Uint8Array.from(symbols.llama_model_default_params());
  const address = Deno.UnsafePointer.value(Deno.UnsafePointer.of(NO_DEVICES));
  new DataView(params.buffer).setBigUint64(0, BigInt(address), true);
  writeField(params, MODEL_PARAMS.fields.gpuLayers, 0);
  return params;
}

/** Returns the model's vocabulary. @throws {TypeError} without a token for the start of a text. */
export function modelVocabulary(
  { library: { symbols }, vocabulary, path }: GgufModel,
): Vocabulary {
  requireBytes(symbols, vocabulary, path);
  const tokenise = (text: string, markup: boolean): Tokens => {
    const bytes = new TextEncoder().encode(text);
    let tokens = new Int32Array(0);
    const count = withCapacity(bytes.length + 8, (room) => {
      tokens = new Int32Array(room);
      return symbols.llama_tokenize(vocabulary, bytes, bytes.length, tokens, room, false, markup);
    });
    return [...tokens.subarray(0, count)];
  };
  const detokenise = (tokens: Tokens): string => {
    const ids = Int32Array.from(tokens);
    let bytes = new Uint8Array(0);
    const count = withCapacity(tokens.length * 16 + 16, (room) => {
      bytes = new Uint8Array(room);
      return symbols.llama_detokenize(vocabulary, ids, ids.length, bytes, room, false, false);
    });
    return new TextDecoder().decode(bytes.subarray(0, count));
  };
  const pieceOf = (token: number): Uint8Array => {
    let bytes = new Uint8Array(0);
    const count = withCapacity(32, (room) => {
      bytes = new Uint8Array(room);
      return symbols.llama_token_to_piece(vocabulary, token, bytes, room, 0, false);
    });
    return bytes.subarray(0, count);
  };
  let continuing: Uint8Array | undefined;
  const known = (token: number) => token < 0 ? undefined : token;
  // Two words apart are the same tokens as together only where each has got a space of its own.
  const [both, parts] = [tokenise("a b", false), ["a", "b"].map((word) => tokenise(word, false))];
  const addsSpace = parts.flat().join() === both.join();
  const addBos = symbols.llama_vocab_get_add_bos(vocabulary);
  const bos = known(symbols.llama_vocab_bos(vocabulary));
  return {
    tokenise: (text) => tokenise(text, false),
    tokeniseMarkup: (text) => tokenise(text, true),
    detokenise,
    pieceOf,
    continuesWord(token) {
      continuing ??= Uint8Array.from(
        { length: symbols.llama_vocab_n_tokens(vocabulary) },
        (_, one) => Number(continuesWord(pieceOf(one))),
      );
      return continuing[token] === 1;
    },
    ...addsSpace && { addsSpace },
    endsReply: (token) => symbols.llama_vocab_is_eog(vocabulary, token),
    start: chooseStartToken({
      bos,
      addBos,
      eos: known(symbols.llama_vocab_eos(vocabulary)),
      endOfText: singleToken(tokenise("<|endoftext|>", true)),
    }),
    chatStart: addBos ? bos : undefined,
  };
}

/** Number of the SentencePiece vocabulary type in llama.cpp. */
const SENTENCE_PIECE = 1;

/**
 * Requires a SentencePiece vocabulary to have a token for every byte.
 * Otherwise llama.cpp ends the process at the first letter without a token.
 * @throws {TypeError} for a vocabulary without byte tokens.
 */
function requireBytes(
  symbols: LlamaLibrary["symbols"],
  vocabulary: Deno.PointerObject,
  path: string,
): void {
  if (symbols.llama_vocab_type(vocabulary) !== SENTENCE_PIECE) return;
  const words = new Set<string>();
  for (let token = 0; token < symbols.llama_vocab_n_tokens(vocabulary); token++) {
    const text = symbols.llama_vocab_get_text(vocabulary, token);
    if (text !== null) words.add(Deno.UnsafePointerView.getCString(text));
  }
  const lacks = Array.from({ length: 256 }, (_, byte) => byte).filter((byte) => {
    const hex = byte.toString(16).toUpperCase().padStart(2, "0");
    return !words.has(`<0x${hex}>`) && !(byte < 128 && words.has(String.fromCharCode(byte)));
  });
  if (lacks.length === 0) return;
  throw new TypeError(
    `Cannot use ${
      basename(path)
    }: its vocabulary has no tokens for ${lacks.length} of 256 bytes, and ` +
      "llama.cpp ends the process where a text needs one; convert the model with byte fallback",
  );
}

function withCapacity(capacity: number, call: (capacity: number) => number): number {
  const count = call(capacity);
  return count < 0 ? call(-count) : count;
}
