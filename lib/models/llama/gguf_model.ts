import { MODEL_PARAMS, writeField } from "./layout.ts";
import { cString, type LlamaLibrary, openLlamaLibrary } from "./library.ts";

/** A GGUF file's weights and vocabulary in memory, on the processor only. Dispose it after its contexts. */
export interface GgufModel extends Disposable {
  readonly library: LlamaLibrary;
  readonly path: string;
  readonly handle: Deno.PointerObject;
  readonly vocabulary: Deno.PointerObject;
  readonly vocabularySize: number;
  readonly parameters: number;
  /** Tokens the model was trained to see at once. */
  readonly trainedContext: number;
  /** The file's own Jinja chat template, or undefined for a model that was never taught to chat. */
  readonly chatTemplate: string | undefined;
}

const GGUF_MAGIC = "GGUF";

/** @throws {Deno.errors.NotFound} no such file; @throws {SyntaxError} a file that is not GGUF. */
async function assertGguf(path: string): Promise<void> {
  using file = await Deno.open(path).catch((cause) => {
    throw new Deno.errors.NotFound(`Cannot load a model: ${path} cannot be read`, { cause });
  });
  const magic = new Uint8Array(4);
  await file.read(magic);
  if (new TextDecoder().decode(magic) !== GGUF_MAGIC) {
    throw new SyntaxError(`Cannot load a model: ${path} is not a GGUF file`);
  }
}

/** A list of no devices keeps the layers off any graphics card, whose sums would differ. */
const NO_DEVICES = new Uint8Array(new ArrayBuffer(8));

function modelParams(library: LlamaLibrary): Uint8Array<ArrayBuffer> {
  const params = Uint8Array.from(library.symbols.llama_model_default_params());
  const address = Deno.UnsafePointer.value(Deno.UnsafePointer.of(NO_DEVICES));
  new DataView(params.buffer).setBigUint64(0, BigInt(address), true);
  writeField(params, MODEL_PARAMS.fields.gpuLayers, 0);
  return params;
}

function readCString(pointer: Deno.PointerValue): string | undefined {
  return pointer === null ? undefined : Deno.UnsafePointerView.getCString(pointer);
}

/**
 * Loads a GGUF file through the shipped llama.cpp.
 *
 * @throws {Deno.errors.NotFound} where the file is missing.
 * @throws {SyntaxError} where it is not a GGUF file, or one of an architecture llama.cpp lacks.
 * @throws {TypeError} where the library cannot be used (see `openLlamaLibrary`).
 */
export async function loadGgufModel(path: string): Promise<GgufModel> {
  const library = openLlamaLibrary();
  await assertGguf(path);
  const { symbols } = library;
  const handle = await symbols.llama_model_load_from_file(cString(path), modelParams(library));
  if (handle === null) {
    throw new SyntaxError(
      `Cannot load ${path}: llama.cpp refused it; it is cut short or of an unknown architecture`,
    );
  }
  const vocabulary = symbols.llama_model_get_vocab(handle);
  if (vocabulary === null) throw new SyntaxError(`Cannot load ${path}: it has no vocabulary`);
  return {
    library,
    path,
    handle,
    vocabulary,
    vocabularySize: symbols.llama_vocab_n_tokens(vocabulary),
    parameters: Number(symbols.llama_model_n_params(handle)),
    trainedContext: symbols.llama_model_n_ctx_train(handle),
    chatTemplate: readCString(symbols.llama_model_chat_template(handle, null)),
    [Symbol.dispose]: () => symbols.llama_model_free(handle),
  };
}
