import type { LlamaContextSequence, LlamaModel, Token } from "node-llama-cpp";
import {
  chooseStartToken,
  type Engine,
  type EngineOptions,
  type NextToken,
  singleToken,
  type TokenReader,
  type Tokens,
  turns,
  type Vocabulary,
} from "./engine.ts";

/** llama.cpp through node-llama-cpp's own API, on the processor alone. */
export async function loadThroughNode(path: string, threads: number) {
  const node = await import("node-llama-cpp");
  const llama = await node.getLlama({
    gpu: false,
    build: "never",
    // All threads but these would spin.
    maxThreads: threads,
    logLevel: node.LlamaLogLevel.error,
  });
  const model = await llama.loadModel({ modelPath: path, gpuLayers: 0 });
  return {
    node,
    llama,
    model,
    engine: `node-llama-cpp (llama.cpp ${llama.llamaCppRelease.release})`,
    chatTemplate: model.fileInfo.metadata.tokenizer.chat_template,
  };
}

/**
 * The same as `openFfiEngine`, where llama.cpp cannot be called through FFI: five to twenty times
 * slower, because every distribution crosses as a sorted map, and without expanded weights. Needs
 * `--allow-run` of Deno itself, `--allow-env`, `--allow-sys=homedir,uid,gid`, `--allow-ffi`, `--allow-read`.
 */
export async function openNodeEngine(
  path: string,
  { threads, contextTokens }: EngineOptions,
): Promise<Engine> {
  const { llama, model, engine, chatTemplate } = await loadThroughNode(path, threads);
  const context = await model.createContext({
    contextSize: contextTokens,
    threads,
    flashAttention: false,
    experimentalKvCacheKeyType: "F32",
    experimentalKvCacheValueType: "F32",
  });
  const sequence = context.getSequence();
  const vocabulary = vocabularyOf(model);
  const { take, idle } = turns();
  const reader: TokenReader = { read: (tokens) => readPrompt(sequence, tokens) };
  return {
    vocabulary,
    chatTemplate,
    settings: {
      engine,
      access: "node-llama-cpp",
      threads,
      contextTokens,
      keyValuePrecision: "F32",
      flashAttention: false,
      startToken: vocabulary.start.id,
      startTokenSource: vocabulary.start.source,
    },
    score: (sequences) =>
      take(async () => {
        const scores: number[] = [];
        for (const tokens of sequences) scores.push(await scoreSequence(sequence, tokens));
        return scores;
      }),
    reading: (task) => take(() => task(reader)),
    async [Symbol.asyncDispose]() {
      await idle();
      await context.dispose();
      await model.dispose();
      await llama.dispose();
    },
  };
}

function vocabularyOf(model: LlamaModel): Vocabulary {
  const bos = model.tokens.bos ?? undefined;
  const addBos = model.tokens.shouldPrependBosToken;
  return {
    tokenise: (text) => model.tokenize(text, false),
    tokeniseMarkup: (text) => model.tokenize(text, true),
    detokenise: (tokens) => model.detokenize(tokens as readonly Token[], false),
    endsReply: (token) => model.isEogToken(token as Token),
    start: chooseStartToken({
      bos,
      addBos,
      eos: model.tokens.eos ?? undefined,
      endOfText: singleToken(model.tokenize("<|endoftext|>", true)),
    }),
    chatStart: addBos ? bos : undefined,
  };
}

async function scoreSequence(sequence: LlamaContextSequence, tokens: Tokens): Promise<number> {
  const rows = await evaluate(sequence, tokens.slice(0, -1), () => true);
  return rows.reduce((sum, row, index) => sum + logProbabilityIn(row!, tokens[index + 1]!), 0);
}

async function readPrompt(sequence: LlamaContextSequence, tokens: Tokens): Promise<NextToken> {
  const row = (await evaluate(sequence, tokens, (index) => index === tokens.length - 1)).at(-1)!;
  const top = Math.max(...row.values().take(1));
  // Of equals the lowest id, as the other engine has it.
  const best = Math.min(...row.entries().filter(([, p]) => p === top).map(([token]) => token));
  return { best, size: row.size, logProbability: (token) => logProbabilityIn(row, token) };
}

/** Temperature 1 and no truncation, so that the probabilities are the model's own. */
const WHOLE_DISTRIBUTION = {
  probabilities: true,
  options: { temperature: 1, topK: 0, topP: 1, minP: 0 },
} as const;

async function evaluate(
  sequence: LlamaContextSequence,
  tokens: Tokens,
  wanted: (index: number) => boolean,
): Promise<readonly (ReadonlyMap<Token, number> | undefined)[]> {
  if (tokens.length === 0 || tokens.length >= sequence.contextSize) {
    throw new RangeError(
      `Cannot evaluate ${tokens.length} tokens: the context holds 1 to ${sequence.contextSize - 1}`,
    );
  }
  await sequence.clearHistory();
  const output = await sequence.controlledEvaluate(
    tokens.map((token, index) =>
      wanted(index) ? [token as Token, { generateNext: WHOLE_DISTRIBUTION }] : token as Token
    ),
  );
  return tokens.map((_, index) => output[index]?.next.probabilities);
}

function logProbabilityIn(probabilities: ReadonlyMap<Token, number>, token: number): number {
  const probability = probabilities.get(token as Token);
  if (probability === undefined) {
    throw new RangeError(`Cannot read token ${token}: node-llama-cpp gave it no probability`);
  }
  return Math.log(probability);
}
