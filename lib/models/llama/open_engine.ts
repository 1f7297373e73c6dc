import { EvaluationContext } from "./context.ts";
import type { Engine } from "./engine.ts";
import { loadGgufModel, modelVocabulary } from "./gguf_model.ts";
import { openLlamaLibrary } from "./library.ts";
import { PromptReader, scoreSequences } from "./sequence_score.ts";

/** Why llama.cpp cannot be called through FFI here; undefined where it can. */
export function ffiObstacle(): string | undefined {
  try {
    openLlamaLibrary();
    return undefined;
  } catch (error) {
    if (error instanceof TypeError) return error.message;
    throw error;
  }
}

/** Tokens of one decode. Fixed, because the last digits of a sum may depend on it. */
const BATCH_TOKENS = 256;

const SHARED_TEXTS = 8;

/** Opens a GGUF file through FFI. @throws {TypeError} where the library cannot be used here. */
export async function openEngine(
  path: string,
  { threads, contextTokens }: { readonly threads: number; readonly contextTokens: number },
): Promise<Engine> {
  const model = await loadGgufModel(path);
  const shape = { threads, contextTokens, batchTokens: BATCH_TOKENS };
  const vocabulary = modelVocabulary(model);
  let scoring: EvaluationContext | undefined;
  let prompting: { context: EvaluationContext; reader: PromptReader } | undefined;
  const openPrompting = () => {
    const context = new EvaluationContext(model, { ...shape, sequences: 1, rows: "last" });
    return { context, reader: new PromptReader(context) };
  };
  return {
    vocabulary,
    chatTemplate: model.chatTemplate,
    settings: {
      engine: model.library.version,
      access: "ffi",
      ...shape,
      sharedTexts: SHARED_TEXTS,
      keyValuePrecision: "F32",
      flashAttention: false,
      startToken: vocabulary.start.id,
      startTokenSource: vocabulary.start.source,
    },
    score(sequences) {
      const context = scoring ??= new EvaluationContext(model, {
        ...shape,
        sequences: SHARED_TEXTS,
        rows: "all",
      });
      return context.exclusively(() => scoreSequences(context, sequences));
    },
    reading(task) {
      const { context, reader } = prompting ??= openPrompting();
      return context.exclusively(() => task(reader));
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([scoring?.close(), prompting?.context.close()]);
      model[Symbol.dispose]();
    },
  };
}
