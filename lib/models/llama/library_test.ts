import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { sha256OfFile } from "../../files/atomic.ts";
import { inFolder } from "../../files/testdata/folder.ts";
import { assertArrived, BatchMemory, type ContextFields, openContext } from "./context.ts";
import { type GgufModel, loadGgufModel } from "./gguf_model.ts";
import {
  assertLayout,
  CONTEXT_PARAMS,
  cString,
  initialBytes,
  MODEL_PARAMS,
  openLlamaLibrary,
  QUANTIZE_PARAMS,
  writeField,
} from "./library.ts";
import { writeTinyQwen2 } from "./testdata/tiny_qwen2.ts";
import { expandedWeights, type WeightPrecision } from "./weights.ts";

const LAYOUTS = [MODEL_PARAMS, CONTEXT_PARAMS, QUANTIZE_PARAMS];

Deno.test("assertLayout() refuses whatever byte differs from the defaults, padding apart (property)", () => {
  const anyByte = fc.tuple(fc.constantFrom(...LAYOUTS), fc.nat(), fc.integer({ min: 1, max: 255 }));
  fc.assert(
    fc.property(anyByte, ([layout, place, change]) => {
      const bytes = initialBytes(layout);
      assertLayout(layout, bytes);
      const at = place % layout.size;
      bytes[at]! ^= change;
      if (layout.padding.some(([from, to]) => at >= from && at < to)) assertLayout(layout, bytes);
      else assert.throws(() => assertLayout(layout, bytes), TypeError);
    }),
    { numRuns: 1000 },
  );
});

function withModel(task: (model: GgufModel, path: string) => Promise<void>): Promise<void> {
  return inFolder(async (folder) => {
    const path = join(folder, "tiny.gguf");
    writeTinyQwen2(path);
    using model = await loadGgufModel(path);
    await task(model, path);
  });
}

const BOUNDS = { contextTokens: 700, batchTokens: 96, sequences: 3, outputs: 5, threads: 3 };

Deno.test("openContext() sets each field where the library reads it", () =>
  withModel((model) => {
    const { symbols } = model.library;
    const propertiesOf = (own: ContextFields) => {
      const context = openContext(model, BOUNDS, own);
      const { llama_n_ctx: all, llama_n_ctx_seq: each, llama_pooling_type: pooling } = symbols;
      const found = [all(context), each(context), pooling(context)];
      symbols.llama_free(context);
      return found;
    };
    assert.deepEqual(propertiesOf({ kvUnified: 1, pooling: 0 }), [768, 768, 0]);
    // 700 / 3, rounded up to 256 for each sequence; 2 is llama.cpp's number for the first token.
    assert.deepEqual(propertiesOf({ kvUnified: 0, pooling: 2 }), [768, 256, 2]);
    return Promise.resolve();
  }));

Deno.test("assertArrived() names each field that is not what was asked for", () =>
  withModel((model) => {
    const context = openContext(model, BOUNDS, { pooling: 1, kvUnified: 1 });
    const { contextTokens, batchTokens, sequences, threads } = BOUNDS;
    const batches = { batchTokens, microBatchTokens: batchTokens };
    const right: Readonly<Record<string, number>> = {
      contextTokens,
      ...batches,
      sequences,
      threads,
      threadsBatch: threads,
      pooling: 1,
      kvUnified: 1,
    };
    const { symbols } = model.library;
    assertArrived(symbols, context, right);
    for (const [name, value] of Object.entries(right)) {
      const other = { ...right, [name]: name === "kvUnified" ? 0 : value + 500 };
      const problem = new RegExp(`a context asked for with ${name} = `);
      assert.throws(() => assertArrived(symbols, context, other), problem);
    }
    symbols.llama_free(context);
    return Promise.resolve();
  }));

/**
 * State that ten tokens leave in a context: bytes of keys and values, and whether there are
 * vectors.
 */
async function after(model: GgufModel, own: ContextFields) {
  const { symbols } = model.library;
  const context = openContext(model, { ...BOUNDS, sequences: 1, outputs: 10, threads: 1 }, own);
  const batch = Array.from(
    { length: 10 },
    (_, position) => ({ token: position % 8, position, sequences: [0], output: true }),
  );
  assert.equal(await symbols.llama_decode(context, new BatchMemory(10, 1).fill(batch)), 0);
  const bytes = Number(symbols.llama_state_seq_get_size(context, 0));
  const hasVectors = symbols.llama_get_embeddings(context) !== null;
  symbols.llama_free(context);
  return { bytes, hasVectors };
}

Deno.test("typeK, typeV and embeddings stand where the library reads them", () =>
  withModel(async (model) => {
    const [F32, F16] = [0, 1];
    const whole = await after(model, { typeK: F32, typeV: F32 });
    // Ten tokens, in each of two blocks 16 components of 2 bytes instead of 4.
    for (const half of [{ typeK: F16, typeV: F32 }, { typeK: F32, typeV: F16 }]) {
      assert.equal(whole.bytes - (await after(model, half)).bytes, 640);
    }
    assert.equal(whole.hasVectors, false);
    assert.equal((await after(model, { embeddings: 1 })).hasVectors, true);
  }));

Deno.test("fileType and allowRequantize stand where the library reads them", () =>
  withModel(async (_, path) => {
    const written = (source: string, precision: WeightPrecision) => {
      const options = { directory: dirname(path), precision, threads: 1 };
      return expandedWeights({ path: source, sha256: sha256OfFile(source) }, options);
    };
    const [half, eight] = [await written(path, "F16"), await written(path, "Q8_0")];
    // Two bytes a weight of all matrices, and 34 for 32 of them; the metadata differ by some bytes.
    const block = 2 * 32 * 32 + 2 * 16 * 32 + 3 * 64 * 32;
    const expected = (2 * block + 2 * 98 * 32) * (2 - 34 / 32);
    const [inHalf, inEight] = [half, eight].map((file) => Deno.statSync(file.path).size);
    const found = inHalf! - inEight!;
    assert.ok(Math.abs(found - expected) <= 64, `${found} bytes`);
    // 8-bit weights are only read where that is allowed.
    await written(eight.path, "F32");
    const { symbols } = openLlamaLibrary();
    const params = Uint8Array.from(symbols.llama_model_quantize_default_params());
    writeField(params, QUANTIZE_PARAMS.fields.fileType, 0);
    const [from, to] = [cString(eight.path), cString(`${path}.x`)];
    assert.notEqual(await symbols.llama_model_quantize(from, to, params), 0);
  }));
