import { BatchMemory, type BatchToken } from "../llama/batch_memory.ts";
import { type GgufModel, loadGgufModel } from "../llama/gguf_model.ts";
import { openContext } from "../llama/open_context.ts";
import type { EncoderNetwork } from "./encoder_network.ts";

/** What an evaluation may hold, and on how many threads it runs. */
export interface NetworkShape {
  /** Most tokens of one run, over all its sequences; also the longest sequence. */
  readonly batchTokens: number;
  readonly batchSequences: number;
  readonly threads: number;
}

/** One vector a token. */
const NO_POOLING = 0;

function batchOf(sequences: readonly (readonly number[])[]): readonly BatchToken[] {
  return sequences.flatMap((tokens, sequence) =>
    tokens.map((token, position) => ({ token, position, sequences: [sequence], output: true }))
  );
}

/** The last layer's vectors, in the library's own memory. */
async function encode(
  { library: { symbols }, path }: GgufModel,
  context: Deno.PointerObject,
  memory: BatchMemory,
  batch: readonly BatchToken[],
  dimensions: number,
): Promise<Float32Array> {
  const status = await symbols.llama_encode(context, memory.fill(batch));
  const pointer = symbols.llama_get_embeddings(context);
  if (status !== 0 || pointer === null) {
    throw new RangeError(
      `Cannot encode ${batch.length} tokens with ${path}: llama.cpp answered ${status}`,
    );
  }
  const bytes = batch.length * dimensions * Float32Array.BYTES_PER_ELEMENT;
  return new Float32Array(Deno.UnsafePointerView.getArrayBuffer(pointer, bytes));
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
  const { batchTokens, batchSequences, threads } = shape;
  const handle = openContext(
    model,
    {
      ...{ contextTokens: batchTokens, batchTokens, outputs: batchTokens },
      ...{ sequences: batchSequences, threads },
    },
    { pooling: NO_POOLING, embeddings: 1 },
  );
  const memory = new BatchMemory(batchTokens, batchSequences);
  const dimensions = symbols.llama_model_n_embd(model.handle);
  const kept = opened.move();
  return {
    dimensions,
    batchSequences,
    run: (sequences) => encode(model, handle, memory, batchOf(sequences), dimensions),
    [Symbol.asyncDispose]() {
      symbols.llama_free(handle);
      kept.dispose();
      return Promise.resolve();
    },
  };
}
