import { resolve } from "node:path";
import type { Logits, MaskedEncoder } from "./encoder_model.ts";
import type { Transformers, TransformersModel } from "./transformers_package.ts";

/** @throws {TypeError} where the model gives no logits. */
async function run(
  { Tensor }: Transformers,
  model: TransformersModel,
  rows: readonly (readonly number[])[],
): Promise<Logits> {
  const dimensions = [rows.length, rows[0]?.length ?? 0];
  const ids = BigInt64Array.from(rows.flat(), BigInt);
  const { logits } = await model({
    input_ids: new Tensor("int64", ids, dimensions),
    // Rows of one text have one length: nothing is padded, all is seen.
    attention_mask: new Tensor("int64", new BigInt64Array(ids.length).fill(1n), dimensions),
  });
  if (!(logits?.data instanceof Float32Array)) {
    throw new TypeError("Cannot read the model's output: it has no float32 logits");
  }
  return { dimensions: logits.dims, values: logits.data };
}

/** @throws {TypeError} for a tokeniser that masks nothing. */
async function openTokeniser({ AutoTokenizer }: Transformers, folder: string) {
  const tokeniser = await AutoTokenizer.from_pretrained(folder, { local_files_only: true });
  const { mask_token_id: maskId, unk_token_id: unknownId } = tokeniser;
  if (typeof maskId !== "number") throw new TypeError("its tokeniser has no mask token");
  const own = { add_special_tokens: false };
  return {
    bound: tokeniser.model_max_length ?? Infinity,
    maskId,
    unknownId: unknownId ?? undefined,
    encode: (text: string) => tokeniser.encode(text, own),
    pieces: (text: string) => tokeniser.tokenize(text, own),
    frame: (text: string) => tokeniser.encode(text, { add_special_tokens: true }),
  };
}

/** @throws {TypeError} for a model that does not say how large its vocabulary is. */
async function openNetwork(transformers: Transformers, folder: string, threads: number) {
  const model = await transformers.AutoModelForMaskedLM.from_pretrained(folder, {
    local_files_only: true,
    dtype: "fp32",
    device: "cpu",
    session_options: { intraOpNumThreads: threads },
  });
  const { vocab_size: vocabularySize, max_position_embeddings: places } = model.config;
  if (vocabularySize === undefined) throw new TypeError("its config.json has no vocab_size");
  return {
    places: places ?? Infinity,
    vocabularySize,
    run: (rows: readonly (readonly number[])[]) => run(transformers, model, rows),
    dispose: () => model.dispose(),
  };
}

/** A network with its tokeniser in memory. */
export interface OpenEncoder extends MaskedEncoder {
  dispose(): Promise<unknown>;
}

/**
 * The network and the tokeniser of a local folder, in float32 on the processor.
 *
 * @throws {TypeError} for a tokeniser or a network that masks nothing; what transformers.js throws
 * for files that it cannot read.
 */
export async function openEncoder(
  transformers: Transformers,
  path: string,
  { threads }: { readonly threads: number },
): Promise<OpenEncoder> {
  // A relative path would be taken for the name of a model on a host.
  const folder = resolve(path);
  const { bound, ...tokeniser } = await openTokeniser(transformers, folder);
  const { places, ...network } = await openNetwork(transformers, folder, threads);
  // A tokeniser without a bound says so by a huge number.
  return { ...tokeniser, ...network, longest: bound < 1e6 ? bound : places };
}
