import type { StructuredModel } from "../../models/structured_model.ts";
import { askWithin } from "../judges/ask_within.ts";

/** A model whose answers must come in time; what it had written by then is kept. */
export function timeLimitedModel(model: StructuredModel, timeoutSeconds: number): StructuredModel {
  const { name, concurrency, settings } = model;
  return {
    name,
    concurrency,
    settings: { ...settings, timeoutSeconds },
    async ask(prompt, { schema, signal } = {}) {
      const asked = { schema, timeoutSeconds, signal };
      const { reply, timedOut } = await askWithin(model, prompt, asked);
      if (!timedOut || reply.kind === "refusal") return reply;
      const partialText = reply.kind === "failure" ? reply.partialText : reply.text;
      return {
        kind: "failure",
        message: `no whole answer within ${timeoutSeconds} s`,
        partialText,
      };
    },
  };
}
