import type { OpenAI } from "openai";
import { z } from "zod";
import type { Generation, ServerEntry } from "../panel.ts";
import type { JsonSchema, StructuredModel, StructuredReply } from "../structured_model.ts";
import { readCompletion } from "./chat_completion.ts";
import { type Completed, completionsOf } from "./completions.ts";
import { hostSettings, type ServerConnection } from "./openai_compatible.ts";

/** The schema as OpenAI's strict mode wants it: every key required, no other allowed. */
function strictSchema(schema: JsonSchema): Record<string, unknown> {
  if ("enum" in schema) {
    const type = schema.enum.every(Number.isInteger) ? "integer" : "string";
    return { type, enum: [...schema.enum] };
  }
  if (schema.type === "array") return { ...schema, items: strictSchema(schema.items) };
  if (schema.type !== "object") return { ...schema };
  const entries = Object.entries(schema.properties);
  return {
    type: "object",
    properties: Object.fromEntries(entries.map(([key, value]) => [key, strictSchema(value)])),
    required: entries.map(([key]) => key),
    additionalProperties: false,
  };
}

function formatOf(schema: JsonSchema): OpenAI.ResponseFormatJSONSchema {
  return {
    type: "json_schema",
    json_schema: { name: "answer", strict: true, schema: strictSchema(schema) },
  };
}

const ENDS = z.object({ choices: z.array(z.object({ finish_reason: z.string().nullish() })) });

/** A completion with how it ended: what is not said to be whole may be cut off. */
function replyIn(body: unknown): StructuredReply {
  const { reply } = readCompletion(body);
  if (reply.kind === "refusal") return reply;
  const reason = ENDS.safeParse(body).data?.choices[0]?.finish_reason;
  return { kind: "answer", text: reply.text, ended: reason === "stop" ? "complete" : "length" };
}

/**
 * A model on a server that speaks OpenAI's protocol, asked for JSON by `response_format`. A server
 * that refuses the format is asked without it from then on; the prompt says what is wanted anyway.
 * Nothing is streamed: a request that is stopped has no partial text.
 */
export function structuredServer(
  entry: ServerEntry,
  generation: Generation,
  connection: ServerConnection,
): StructuredModel {
  const complete = completionsOf(entry, generation, connection);
  let takesFormat = true;
  return {
    name: entry.id,
    settings: {
      ...hostSettings(entry),
      ...generation,
      ...(entry.reasoningEffort === undefined ? {} : { reasoningEffort: entry.reasoningEffort }),
      responseFormat: "json_schema where the server takes it",
    },
    concurrency: entry.concurrency,
    async ask(prompt, { schema, signal } = {}) {
      const format = takesFormat && schema ? { response_format: formatOf(schema) } : undefined;
      const first = await complete(prompt, format, replyIn, signal);
      if (first.kind !== "refused") return replyOf(first);
      const reply = replyOf(await complete(prompt, undefined, replyIn, signal));
      // Refused in both ways, it is the prompt that was refused.
      if (reply.kind === "answer") takesFormat = false;
      return reply;
    },
  };
}

function replyOf(completed: Completed<StructuredReply>): StructuredReply {
  return completed.kind === "read"
    ? completed.value
    : { kind: "failure", message: completed.message, partialText: undefined };
}
