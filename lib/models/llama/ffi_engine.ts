import type { Engine, EngineOptions } from "./engine.ts";
import { EvaluationContext } from "./evaluation_context.ts";
import { loadGgufModel } from "./gguf_model.ts";
import { PromptReader } from "./prompt_reader.ts";
import { scoreSequences } from "./sequence_score.ts";
import { modelVocabulary } from "./vocabulary.ts";

/** Tokens of one decode. Fixed, because the last digits of a sum may depend on it. */
const BATCH_TOKENS = 256;

/** Texts that may share one decode: a contrast set rarely has more members. */
const SHARED_TEXTS = 8;

/**
 * Opens a GGUF file with the shipped llama.cpp through FFI. Needs `--allow-ffi` and `--allow-read`.
 *
 * @throws {TypeError} where the library cannot be used here: then use node-llama-cpp's own API.
 * @throws {SyntaxError} where the file is no model llama.cpp knows.
 */
export async function openFfiEngine(path: string, options: EngineOptions): Promise<Engine> {
  const model = await loadGgufModel(path);
  const shape = { ...options, batchTokens: BATCH_TOKENS };
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
      threads: options.threads,
      contextTokens: options.contextTokens,
      batchTokens: BATCH_TOKENS,
      sharedTexts: SHARED_TEXTS,
      keyValuePrecision: "F32",
      flashAttention: false,
      startToken: vocabulary.start.id,
      startTokenSource: vocabulary.start.source,
    },
    score(sequences) {
      scoring ??= new EvaluationContext(model, { ...shape, sequences: SHARED_TEXTS, rows: "all" });
      const context = scoring;
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
