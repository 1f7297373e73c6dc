import { BatchMemory, type BatchToken } from "../llama/batch_memory.ts";
import { type GgufModel, loadGgufModel } from "../llama/gguf_model.ts";
import { CONTEXT_PARAMS, writeField } from "../llama/layout.ts";
import type { EncoderNetwork } from "./encoder_network.ts";

/** What an evaluation may hold, and on how many threads it runs. */
export interface NetworkShape {
  /** Most tokens of one run, over all its sequences; also the longest sequence. */
  readonly batchTokens: number;
  readonly batchSequences: number;
  readonly threads: number;
}

const DISABLED = 0;
/** One vector a token. */
const NO_POOLING = 0;

function contextParams(model: GgufModel, shape: NetworkShape): Uint8Array<ArrayBuffer> {
  const params = Uint8Array.from(model.library.symbols.llama_context_default_params());
  const { fields } = CONTEXT_PARAMS;
  writeField(params, fields.contextTokens, shape.batchTokens);
  writeField(params, fields.batchTokens, shape.batchTokens);
  writeField(params, fields.microBatchTokens, shape.batchTokens);
  writeField(params, fields.sequences, shape.batchSequences);
  writeField(params, fields.outputsMax, shape.batchTokens);
  writeField(params, fields.outputsMaxPerSequence, 0);
  writeField(params, fields.threads, shape.threads);
  writeField(params, fields.threadsBatch, shape.threads);
  writeField(params, fields.pooling, NO_POOLING);
  writeField(params, fields.embeddings, 1);
  writeField(params, fields.flashAttention, DISABLED);
  writeField(params, fields.offloadKqv, 0);
  writeField(params, fields.opOffload, 0);
  return params;
}

function batchOf(sequences: readonly (readonly number[])[]): readonly BatchToken[] {
  return sequences.flatMap((tokens, sequence) =>
    tokens.map((token, position) => ({ token, position, sequences: [sequence], output: true }))
  );
}

function openContext(model: GgufModel, shape: NetworkShape): Deno.PointerObject {
  const params = contextParams(model, shape);
  const handle = model.library.symbols.llama_init_from_model(model.handle, params);
  if (handle === null) {
    throw new RangeError(
      `Cannot make a context of ${shape.batchTokens} tokens for ${model.path}: ` +
        `llama.cpp refused it; is there enough memory?`,
    );
  }
  return handle;
}

/**
 * An encoder's GGUF file under llama.cpp, through FFI.
 *
 * @throws What `loadGgufModel` throws; {RangeError} where there is no memory for it.
 */
export async function llamaNetwork(path: string, shape: NetworkShape): Promise<EncoderNetwork> {
  using opened = new DisposableStack();
  const model = opened.use(await loadGgufModel(path));
  const { symbols } = model.library;
  const handle = openContext(model, shape);
  const memory = new BatchMemory(shape.batchTokens, shape.batchSequences);
  const dimensions = symbols.llama_model_n_embd(model.handle);
  const kept = opened.move();
  return {
    dimensions,
    batchSequences: shape.batchSequences,
    async run(sequences) {
      const batch = batchOf(sequences);
      const status = await symbols.llama_encode(handle, memory.fill(batch));
      const pointer = symbols.llama_get_embeddings(handle);
      if (status !== 0 || pointer === null) {
        throw new RangeError(
          `Cannot encode ${batch.length} tokens with ${path}: llama.cpp answered ${status}`,
        );
      }
      const bytes = batch.length * dimensions * Float32Array.BYTES_PER_ELEMENT;
      return new Float32Array(Deno.UnsafePointerView.getArrayBuffer(pointer, bytes));
    },
    [Symbol.asyncDispose]() {
      symbols.llama_free(handle);
      kept.dispose();
      return Promise.resolve();
    },
  };
}
