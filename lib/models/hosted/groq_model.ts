import type { ChatModel } from "../model.ts";
import type { Generation, GroqEntry } from "../panel.ts";
import type { KeyedCalls } from "./keyed_calls.ts";

/** How Groq is reached. */
export interface GroqConnection {
  readonly calls: KeyedCalls;
  /** The stand-in's address, in tests only; Groq's own where left out. */
  readonly baseUrl?: string;
}

/** A model that Groq serves, asked through its SDK. */
export function groqModel(
  _entry: GroqEntry,
  _generation: Generation,
  _connection: GroqConnection,
): ChatModel {
  throw new Error("Cannot ask: the model is being written");
}
