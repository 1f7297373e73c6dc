import type { StructuredModel, StructuredReply } from "../structured_model.ts";
import type { Tokens } from "./engine.ts";
import {
  type GeneratingEngine,
  type GeneratingEngineOptions,
  openGeneratingEngine,
} from "./structured_chat_engine.ts";
import { templateTokens } from "./template_tokens.ts";

/** Fewer tokens are no room for an answer. */
const LEAST_REPLY_TOKENS = 16;

/** Prompts as tokens, in the chat template. A base model reads the prompt as it stands. */
function promptReader(name: string, engine: GeneratingEngine): (prompt: string) => Tokens {
  return engine.chatTemplate === undefined
    ? (prompt) => engine.tokenise(prompt)
    : templateTokens(name, engine.chatTemplate, engine);
}

/** Resolves when the signal aborts; never without one. */
function aborted(signal: AbortSignal | undefined): Promise<"stopped"> {
  if (signal === undefined) return new Promise(() => {});
  if (signal.aborted) return Promise.resolve("stopped");
  return new Promise((resolve) =>
    signal.addEventListener("abort", () => resolve("stopped"), { once: true })
  );
}

function reply(text: string, ended: "complete" | "length" | "stopped", signal?: AbortSignal) {
  if (ended === "stopped" && text === "") {
    const message = `Cannot answer: stopped before the first word (${signal?.reason})`;
    return { kind: "failure", message, partialText: undefined } as const;
  }
  // A character that was cut in two is left out.
  return { kind: "answer", text: text.replace(/\ufffd+$/, ""), ended } as const;
}

/**
 * The engine's model as one that writes JSON of a schema, asked in its own chat template, or in plain
 * text where it has none. An abort ends the call at once; the engine then ends at its next token, and
 * the call after waits for that.
 *
 * @param settings What the engine does not know of itself: the file's hash, its licence.
 * @throws {TypeError} where the file's chat template cannot be used.
 */
export function structuredChat(
  name: string,
  engine: GeneratingEngine,
  settings: StructuredModel["settings"] = {},
): StructuredModel {
  const tokensOf = promptReader(name, engine);
  const ask: StructuredModel["ask"] = async (prompt, { schema, signal } = {}) => {
    const tokens = tokensOf(prompt);
    const most = engine.contextTokens - LEAST_REPLY_TOKENS;
    if (tokens.length > most) {
      return failure(
        `Cannot ask ${name}: the prompt has ${tokens.length} tokens and its context takes ${most}; ` +
          "shorten the source or raise contextTokens",
        "",
      );
    }
    let text = "";
    const onText = (piece: string) => text += piece;
    try {
      const generation = engine.generate(tokens, { schema, signal, onText });
      const ended = await Promise.race([generation, aborted(signal)]);
      return reply(text, ended, signal);
    } catch (error) {
      return failure(`Cannot ask ${name}: ${error instanceof Error ? error.message : error}`, text);
    }
  };
  return { name, settings: { ...engine.settings, ...settings }, concurrency: 1, ask };
}

function failure(message: string, partialText: string): StructuredReply {
  return { kind: "failure", message, partialText: partialText === "" ? undefined : partialText };
}

/** A GGUF file to write with. */
export interface StructuredModelFile extends GeneratingEngineOptions {
  /** Names the model in every result. */
  readonly id: string;
  readonly path: string;
  /** The file's hash, its licence: what the engine does not know. */
  readonly settings?: StructuredModel["settings"];
}

/** Opens a GGUF file and asks it as {@link structuredChat} does; disposing of it frees its memory. */
export async function openStructuredModel(
  { id, path, settings = {}, ...options }: StructuredModelFile,
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
