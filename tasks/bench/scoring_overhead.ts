import { openLlamaLibrary } from "../../lib/models/llama/library.ts";
import { EvaluationContext } from "../../lib/models/llama/evaluation_context.ts";
import { loadGgufModel } from "../../lib/models/llama/gguf_model.ts";
import { scoreSequences } from "../../lib/models/llama/sequence_score.ts";
import type { Tokens } from "../../lib/models/llama/engine.ts";
import { modelVocabulary } from "../../lib/models/llama/vocabulary.ts";
import { compareAlternating, type Comparison } from "./alternating.ts";

async function evaluatePlainly(context: EvaluationContext, tokens: Tokens): Promise<void> {
  context.clear();
  await context.decode(
    tokens.map((token, position) => ({ token, position, sequences: [0], output: true })),
  );
}

/**
 * The time of log-probability scoring against that of plain llama.cpp evaluation of the same
 * tokens with logits at every position, sentence by sentence, in the same process and context.
 */
export async function scoringOverhead(
  path: string,
  threads: number,
  sentences: readonly string[],
): Promise<Comparison> {
  openLlamaLibrary();
  using model = await loadGgufModel(path);
  const context = new EvaluationContext(model, {
    contextTokens: 2048,
    batchTokens: 256,
    sequences: 8,
    rows: "all",
    threads,
  });
  try {
    const { start, tokenise } = modelVocabulary(model);
    const sequences = sentences.map((text) => [start.id, ...tokenise(text)])
      .filter((tokens) => tokens.length <= 256);
    return await compareAlternating(
      sequences,
      async (tokens) => void await scoreSequences(context, [tokens]),
      // The last token predicts nothing, so neither contestant evaluates it.
      (tokens) => evaluatePlainly(context, tokens.slice(0, -1)),
    );
  } finally {
    await context.close();
  }
}
