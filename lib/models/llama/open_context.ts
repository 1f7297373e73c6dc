import type { GgufModel } from "./gguf_model.ts";
import { CONTEXT_PARAMS, writeField } from "./layout.ts";

/** What every context states, for texts or for logits. */
export interface ContextBounds {
  /** Tokens that can be held at once, over all sequences. */
  readonly contextTokens: number;
  /** Most tokens of one evaluation. */
  readonly batchTokens: number;
  readonly sequences: number;
  /** Most positions of one evaluation that something is wanted of. */
  readonly outputs: number;
  readonly threads: number;
}

/** Further fields of `llama_context_params`, by their names in the layout. */
export type ContextFields = Readonly<Partial<Record<keyof typeof CONTEXT_PARAMS.fields, number>>>;

const DISABLED = 0;

/** On the processor alone, each evaluation in one piece and without fused attention. */
function fieldsOf(bounds: ContextBounds): ContextFields {
  return {
    contextTokens: bounds.contextTokens,
    batchTokens: bounds.batchTokens,
    microBatchTokens: bounds.batchTokens,
    sequences: bounds.sequences,
    outputsMax: bounds.outputs,
    outputsMaxPerSequence: 0,
    threads: bounds.threads,
    threadsBatch: bounds.threads,
    flashAttention: DISABLED,
    offloadKqv: 0,
    opOffload: 0,
  };
}

/**
 * A context of llama.cpp, which `llama_free` frees.
 *
 * @param own What it states besides.
 * @throws {RangeError} where llama.cpp refuses it, usually for want of memory.
 */
export function openContext(
  model: GgufModel,
  bounds: ContextBounds,
  own: ContextFields,
): Deno.PointerObject {
  const { symbols } = model.library;
  const params = Uint8Array.from(symbols.llama_context_default_params());
  for (const [name, value] of Object.entries({ ...fieldsOf(bounds), ...own })) {
    writeField(params, CONTEXT_PARAMS.fields[name as keyof ContextFields], value);
  }
  const handle = symbols.llama_init_from_model(model.handle, params);
  if (handle !== null) return handle;
  throw new RangeError(
    `Cannot make a context of ${bounds.contextTokens} tokens for ${model.path}: ` +
      `llama.cpp refused it; is there enough memory?`,
  );
}
