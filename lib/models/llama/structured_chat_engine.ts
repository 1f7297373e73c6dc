import type {
  Llama,
  LlamaCompletion,
  LlamaCompletionGenerationOptions,
  LlamaContextSequence,
  LlamaGrammar,
  Token,
} from "node-llama-cpp";
import type { JsonSchema } from "../structured_model.ts";
import type { Tokens } from "./engine.ts";

/** How answers are drawn. */
export interface Sampling {
  readonly maxReplyTokens: number;
  /** 0 takes the most probable token each time. */
  readonly temperature: number;
  /** Of the draws; without effect at temperature 0. */
  readonly seed: number;
}

/** What one answer needs beside its prompt. */
export interface GenerationRequest {
  /** Forces JSON of this schema. */
  readonly schema: JsonSchema | undefined;
  readonly signal: AbortSignal | undefined;
  /** Hears the text as it is written, piece by piece. */
  readonly onText: (piece: string) => void;
}

/** A model that goes on with a prompt. */
export interface GeneratingEngine extends AsyncDisposable {
  tokenise(text: string): Tokens;
  /** A rendered chat template, in which markup names control tokens. */
  tokeniseMarkup(text: string): Tokens;
  /** The file's own; undefined for a base model. */
  readonly chatTemplate: string | undefined;
  /** Longest prompt with its answer. */
  readonly contextTokens: number;
  readonly settings: Readonly<Record<string, string | number | boolean>>;
  /** Answers take turns. An abort is noticed between tokens, not while a prompt is read. */
  generate(prompt: Tokens, request: GenerationRequest): Promise<"complete" | "length" | "stopped">;
}

export interface GeneratingEngineOptions extends Sampling {
  readonly threads: number;
  readonly contextTokens: number;
}

/** Each schema's grammar, compiled once. */
function grammars(llama: Llama): (schema: JsonSchema) => Promise<LlamaGrammar> {
  // Its own type works a schema's value out, for which the schema must be a literal.
  const compile = llama.createGrammarForJsonSchema.bind(llama) as (
    schema: JsonSchema,
  ) => Promise<LlamaGrammar>;
  const compiled = new Map<string, Promise<LlamaGrammar>>();
  return (schema) => {
    const key = JSON.stringify(schema);
    const grammar = compiled.get(key) ?? compile(schema);
    compiled.set(key, grammar);
    return grammar;
  };
}

function generationOptions(
  { maxReplyTokens, temperature, seed }: Sampling,
  { signal, onText }: Pick<GenerationRequest, "signal" | "onText">,
): LlamaCompletionGenerationOptions {
  return {
    maxTokens: maxReplyTokens,
    temperature,
    ...(temperature > 0 ? { seed } : {}),
    repeatPenalty: false,
    // One token, for a prompt must be read whole or not at all; the caller sees that it fits.
    contextShiftSize: 1,
    disableContextShift: true,
    stopOnAbortSignal: true,
    onTextChunk: onText,
    ...(signal === undefined ? {} : { signal }),
  };
}

type Generate = GeneratingEngine["generate"];

/** What was read for one prompt is forgotten before the next, so that no answer depends on another. */
function generation(
  sequence: LlamaContextSequence,
  completion: LlamaCompletion,
  grammarOf: (schema: JsonSchema) => Promise<LlamaGrammar>,
  sampling: Sampling,
): Generate {
  return async (prompt, { schema, ...request }) => {
    if (request.signal?.aborted) return "stopped";
    await sequence.clearHistory();
    const options = {
      ...generationOptions(sampling, request),
      ...(schema === undefined ? {} : { grammar: await grammarOf(schema) }),
    };
    const tokens = [...prompt] as Token[];
    const { metadata } = await completion.generateCompletionWithMeta(tokens, options);
    if (metadata.stopReason === "abort") return "stopped";
    return metadata.stopReason === "maxTokens" ? "length" : "complete";
  };
}

/** One call after the other; `idle` resolves when none is left. */
function inTurn(generate: Generate) {
  let turn: Promise<unknown> = Promise.resolve();
  const call: Generate = (prompt, request) => {
    const result = turn.then(() => generate(prompt, request));
    turn = result.catch(() => undefined);
    return result;
  };
  return { call, idle: () => turn };
}

/**
 * Opens a GGUF file to write with, through node-llama-cpp: its grammars force JSON. Needs
 * `--allow-run` of Deno itself, `--allow-env`, `--allow-sys=homedir,uid,gid`, `--allow-ffi`,
 * `--allow-read`.
 */
export async function openGeneratingEngine(
  path: string,
  { threads, contextTokens, maxReplyTokens, temperature, seed }: GeneratingEngineOptions,
): Promise<GeneratingEngine> {
  const { getLlama, LlamaCompletion, LlamaLogLevel } = await import("node-llama-cpp");
  const llama = await getLlama({
    gpu: false,
    build: "never",
    // All threads but these would spin.
    maxThreads: threads,
    logLevel: LlamaLogLevel.error,
  });
  const model = await llama.loadModel({ modelPath: path, gpuLayers: 0 });
  const context = await model.createContext({ contextSize: contextTokens, threads });
  const contextSequence = context.getSequence();
  const completion = new LlamaCompletion({ contextSequence });
  const sampling = { maxReplyTokens, temperature, seed };
  const generate = inTurn(generation(contextSequence, completion, grammars(llama), sampling));
  return {
    tokenise: (text) => model.tokenize(text, false),
    tokeniseMarkup: (text) => model.tokenize(text, true),
    chatTemplate: model.fileInfo.metadata.tokenizer.chat_template,
    contextTokens,
    settings: {
      engine: `node-llama-cpp (llama.cpp ${llama.llamaCppRelease.release})`,
      threads,
      contextTokens,
      ...sampling,
      repeatPenalty: false,
    },
    generate: generate.call,
    async [Symbol.asyncDispose]() {
      await generate.idle();
      completion.dispose();
      await context.dispose();
      await model.dispose();
      await llama.dispose();
    },
  };
}
