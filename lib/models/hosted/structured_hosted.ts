import type { ChatModel } from "../model.ts";
import type { StructuredModel } from "../structured_model.ts";

/**
 * A chat model as one that writes JSON because its prompt says so; whether it does is for the reader
 * to see. How its text ended is not known, so one without a closing brace counts as cut off.
 */
export function hostedStructuredModel(chat: ChatModel): StructuredModel {
  return {
    name: chat.name,
    settings: { ...chat.settings, responseFormat: "none" },
    concurrency: chat.concurrency ?? 1,
    async ask(prompt, { signal } = {}) {
      const reply = await chat.ask(prompt, signal ? { signal } : {});
      if (reply.kind === "failure") return { ...reply, partialText: undefined };
      if (reply.kind === "refusal") return reply;
      const ended = reply.text.trimEnd().endsWith("}") ? "complete" : "length";
      return { kind: "answer", text: reply.text, ended };
    },
  };
}
