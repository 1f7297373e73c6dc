import { openFfiEngine } from "../../lib/models/llama/ffi_engine.ts";
import { startTokenText } from "./against_minicons.ts";
import type { BenchSentence } from "./inputs.ts";
import { PythonScorer } from "./python_scorer.ts";

/** One sentence scored twice on the same float32 weights, in nats. */
export interface Agreement {
  readonly model: string;
  readonly sentenceId: string;
  readonly tokens: number;
  readonly llama: number;
  readonly pytorch: number;
}

/** Scores sentences, token by token the same, by llama.cpp and by PyTorch. */
export async function pytorchAgreement(options: {
  readonly model: string;
  readonly path: string;
  readonly threads: number;
  readonly python: string;
  readonly sentences: readonly BenchSentence[];
}): Promise<readonly Agreement[]> {
  const { model, path, threads, python, sentences } = options;
  await using engine = await openFfiEngine(path, { threads, contextTokens: 2048 });
  const { start, tokenise } = engine.vocabulary;
  const startToken = startTokenText(start.source);
  await using scorer = await PythonScorer.open({ python, path, threads, startToken });
  const agreements: Agreement[] = [];
  for (const { id, text } of sentences) {
    const sequence = [start.id, ...tokenise(text)];
    const [llama] = await engine.score([sequence]);
    const [pytorch] = (await scorer.ask({ kind: "torch", sequences: [sequence] })).scores;
    if (llama === undefined || pytorch === undefined) {
      throw new TypeError(`Cannot compare sentence ${id}: a score is missing`);
    }
    agreements.push({ model, sentenceId: id, tokens: sequence.length - 1, llama, pytorch });
  }
  return agreements;
}
