import type { LlamaGrammar, Token } from "node-llama-cpp";
import { type JsonSchema, numberMass, numberOffset } from "../model.ts";
import type { StructuredModel, StructuredReply } from "../model.ts";
import { lendingPool, type Tokens, wholeCharacters } from "./engine.ts";
import { templateTokens } from "./roles.ts";

interface GeneratingEngineOptions {
  readonly threads: number;
  readonly contextTokens: number;
  readonly maxReplyTokens: number;
  readonly temperature: number;
  readonly seed: number;
}

/** Opens a GGUF file for {@link structuredChat}. `settings` are additional ones (hash, licence). */
export async function openStructuredModel(
  { id, path, settings, ...options }: GeneratingEngineOptions & {
    readonly id: string;
    readonly path: string;
    readonly settings?: StructuredModel["settings"];
  },
): Promise<StructuredModel & AsyncDisposable> {
  const engine = await openGeneratingEngine(path, options);
  const close = () => engine[Symbol.asyncDispose]();
  try {
    return { ...structuredChat(id, engine, settings), [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}

const LEAST_REPLY_TOKENS = 16;

/**
 * Wraps an engine's model as one that writes JSON. @throws {TypeError} without a usable chat
 * template.
 */
export function structuredChat(
  name: string,
  engine: GeneratingEngine,
  settings: StructuredModel["settings"] = {},
): StructuredModel {
  // A base model reads the prompt without a template.
  const tokensOf = engine.chatTemplate === undefined
    ? (prompt: string) => engine.tokenise(prompt)
    : templateTokens(name, engine.chatTemplate, engine);
  const failure = (message: string, text = ""): StructuredReply => (
    { kind: "failure", message, partialText: text === "" ? undefined : text }
  );
  const ask: StructuredModel["ask"] = async (prompt, { schema, signal, seed, numberOf } = {}) => {
    const tokens = tokensOf(prompt);
    const most = engine.contextTokens - LEAST_REPLY_TOKENS;
    if (tokens.length > most) {
      const failed = failure(
        `Cannot ask ${name}: the prompt has ${tokens.length} tokens and its context takes ${most}; ` +
          "shorten the source or raise contextTokens",
      );
      return { ...failed, tooLong: true };
    }
    let text = "";
    const onText = (piece: string) => text += piece;
    try {
      const generation = engine.generate(tokens, { schema, signal, seed, onText });
      const ended = await Promise.race([generation, aborted(signal)]);
      if (ended === "stopped" && text === "") {
        return failure(`Cannot answer: stopped before the first word (${signal?.reason})`);
      }
      const answer = { kind: "answer", text: wholeCharacters(text), ended } as const;
      const place = ended === "complete" && numberOf ? numberOffset(text, numberOf) : undefined;
      if (place === undefined || engine.nextDigits === undefined) return answer;
      const before = [...tokens, ...engine.tokenise(text.slice(0, place))];
      const reading = numberMass((digits) => engine.nextDigits!(before, digits));
      const numbers = await Promise.race([reading, aborted(signal)]);
      return numbers === "stopped" ? answer : { ...answer, numbers };
    } catch (error) {
      return failure(`Cannot ask ${name}: ${error instanceof Error ? error.message : error}`, text);
    }
  };
  return { name, settings: { ...engine.settings, ...settings }, concurrency: 1, ask };
}

function aborted(signal: AbortSignal | undefined): Promise<"stopped"> {
  if (signal === undefined) return new Promise(() => {});
  if (signal.aborted) return Promise.resolve("stopped");
  return new Promise((resolve) =>
    signal.addEventListener("abort", () => resolve("stopped"), { once: true })
  );
}

type OpenGeneratingEngine = Awaited<ReturnType<typeof openGeneratingEngine>>;
export type GeneratingEngine =
  & Omit<OpenGeneratingEngine, "nextDigits">
  & Partial<Pick<OpenGeneratingEngine, "nextDigits">>;

/** Opens a GGUF file for generation through node-llama-cpp, whose grammars enforce JSON. */
async function openGeneratingEngine(
  path: string,
  { threads, contextTokens, maxReplyTokens, temperature, seed }: GeneratingEngineOptions,
) {
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
  const compile = llama.createGrammarForJsonSchema.bind(llama) as (
    schema: JsonSchema,
  ) => Promise<LlamaGrammar>;
  // A judge asks hundreds of times with the same few schemas.
  const grammars = new Map<string, Promise<LlamaGrammar>>();
  const grammarOf = (schema: JsonSchema) =>
    grammars.getOrInsertComputed(JSON.stringify(schema), () => compile(schema));
  const { lend, close } = lendingPool(1, () => contextSequence);
  /** Tokens for whole numbers from 0 to 100 and their digits, with their texts. */
  let digits: ReadonlyMap<Token, string> | undefined;
  const digitTokens = () =>
    digits ??= new Map(
      Array.from({ length: 101 }, (_, number) => String(number)).flatMap((text) =>
        [`a${text}`, ` ${text}`].flatMap((written) => {
          const token = model.tokenize(written, false).at(-1)!;
          return model.detokenize([token]).trim() === text ? [[token, text] as const] : [];
        })
      ),
    );
  return {
    tokenise: (text: string): Tokens => model.tokenize(text, false),
    tokeniseMarkup: (text: string): Tokens => model.tokenize(text, true),
    chatTemplate: model.fileInfo.metadata.tokenizer.chat_template as string | undefined,
    contextTokens,
    settings: {
      engine: `node-llama-cpp (llama.cpp ${llama.llamaCppRelease.release})`,
      threads,
      contextTokens,
      maxReplyTokens,
      temperature,
      seed,
      repeatPenalty: false,
    } as StructuredModel["settings"],
    /**
     * Generates one answer at a time. `onText` receives each piece of text. An abort takes effect
     * between tokens.
     */
    generate: (prompt: Tokens, { schema, signal, onText, seed: more = 0 }: {
      readonly schema: JsonSchema | undefined;
      readonly signal: AbortSignal | undefined;
      readonly onText: (piece: string) => void;
      /** Number added to the engine's seed. */
      readonly seed?: number | undefined;
    }) =>
      lend(async (): Promise<"complete" | "length" | "stopped"> => {
        if (signal?.aborted) return "stopped";
        // What was read for one prompt is forgotten before the next, so that no answer depends on another.
        await contextSequence.clearHistory();
        const { metadata } = await completion.generateCompletionWithMeta([...prompt] as Token[], {
          maxTokens: maxReplyTokens,
          temperature,
          ...(temperature > 0 && { seed: seed + more }),
          repeatPenalty: false,
          // One token, for a prompt must be read whole or not at all; the caller sees that it fits.
          contextShiftSize: 1,
          disableContextShift: true,
          stopOnAbortSignal: true,
          onTextChunk: onText,
          ...(signal && { signal }),
          ...(schema && { grammar: await grammarOf(schema) }),
        });
        if (metadata.stopReason === "abort") return "stopped";
        return metadata.stopReason === "maxTokens" ? "length" : "complete";
      }),
    /** Returns the probabilities of digits after tokens, at temperature 1, without the grammar. */
    nextDigits: (before: Tokens, written: string) =>
      lend(async () => {
        const tokens = [
          ...before,
          ...model.tokenize(written, false, "trimLeadingSpace"),
        ] as Token[];
        await contextSequence.adaptStateToTokens(tokens.slice(0, -1), false);
        const left = tokens.slice(contextSequence.nextTokenIndex);
        const plain = { temperature: 1, topK: 0, topP: 1, minP: 0, repeatPenalty: undefined };
        const found = new Map<string, number>();
        const next = contextSequence.evaluateWithMetadata(left, { probabilities: true }, plain);
        for await (const { probabilities } of next) {
          for (const [token, text] of digitTokens()) {
            found.set(text, (found.get(text) ?? 0) + (probabilities.get(token) ?? 0));
          }
          break;
        }
        return found;
      }),
    async [Symbol.asyncDispose]() {
      await close();
      completion.dispose();
      await context.dispose();
      await model.dispose();
      await llama.dispose();
    },
  };
}
