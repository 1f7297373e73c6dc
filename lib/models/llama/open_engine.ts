import { EvaluationContext } from "./context.ts";
import { type Engine, lending, spareCores } from "./engine.ts";
import { loadGgufModel, modelVocabulary } from "./gguf_model.ts";
import { PromptReader, scoreSequences } from "./sequence_score.ts";

/** Tokens of one decode. Fixed, because the last digits of a sum may depend on it. */
const BATCH_TOKENS = 256;

const SHARED_TEXTS = 8;

/**
 * Opens a GGUF file through FFI, for up to `threads` tasks side by side, each in a context of its own
 * with one thread. Threads of one evaluation wait for each other by spinning: where another process
 * takes one's core for a moment, all lose it. So a task has more of them only while other tasks are idle
 * and no process wants the cores; scores are the same to the last bit.
 *
 * @param precision Of the weights. Quantised kernels give other last digits after a beginning that was
 * read before: prompts of all but `F32` are read in turn, so that no answer depends on which was quicker.
 * @throws {TypeError} where the library cannot be used here.
 */
export async function openEngine(
  path: string,
  { threads, contextTokens, precision }: {
    readonly threads: number;
    readonly contextTokens: number;
    readonly precision?: string | undefined;
  },
): Promise<Engine> {
  const model = await loadGgufModel(path);
  const shape = { contextTokens, batchTokens: BATCH_TOKENS };
  const vocabulary = modelVocabulary(model);
  const atWork = (): number => scoring.lent() + prompting.lent();
  const cores = spareCores(Math.min(threads, navigator.hardwareConcurrency), atWork);
  const open = (own: { readonly sequences: number; readonly rows: "all" | "last" }) =>
    new EvaluationContext(model, { ...shape, ...own, threads: 1 }, cores);
  const scoring = lending(threads, () => open({ sequences: SHARED_TEXTS, rows: "all" }));
  const concurrency = { score: threads, reading: precision === "F32" ? threads : 1 };
  const prompting = lending(concurrency.reading, () => {
    const context = open({ sequences: 1, rows: "last" });
    return { context, reader: new PromptReader(context) };
  });
  return {
    concurrency,
    vocabulary,
    chatTemplate: model.chatTemplate,
    settings: {
      engine: model.library.version,
      access: "ffi",
      threads,
      ...shape,
      sharedTexts: SHARED_TEXTS,
      keyValuePrecision: "F32",
      flashAttention: false,
      startToken: vocabulary.start.id,
      startTokenSource: vocabulary.start.source,
      ...vocabulary.addsSpace && { addsSpace: true },
    },
    score: (sequences) =>
      scoreSequences(sequences, { ...shape, texts: SHARED_TEXTS }, scoring.lend),
    reading: (task) => prompting.lend(({ reader }) => task(reader)),
    async [Symbol.asyncDispose]() {
      for (const context of await scoring.close()) context.close();
      for (const { context } of await prompting.close()) context.close();
      model[Symbol.dispose]();
    },
  };
}
