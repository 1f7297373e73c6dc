import type { OpenAI } from "openai";
import { z } from "zod";
import type { Generation, ServerEntry } from "../panel.ts";
import type { JsonSchema, StructuredModel, StructuredReply } from "../structured_model.ts";
import { bodyOf } from "./answer_body.ts";
import { readCompletion } from "./chat_completion.ts";
import { clientsByKey } from "./clients_by_key.ts";
import {
  chatParameters,
  hostSettings,
  refusalOf,
  type ServerConnection,
} from "./openai_compatible.ts";
import { openAiClient } from "./openai_compatible_client.ts";

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
  { calls }: ServerConnection,
): StructuredModel {
  const clientOf = clientsByKey((key) => openAiClient(key, entry.baseUrl));
  let takesFormat = true;
  const asked = async (prompt: string, schema: JsonSchema | undefined, signal?: AbortSignal) => {
    const parameters = {
      ...chatParameters(entry, generation, prompt),
      ...(schema === undefined ? {} : { response_format: formatOf(schema) }),
    };
    const result = await calls.call(entry.id, async (key, limit) => {
      try {
        const answer = await clientOf(key).chat.completions.create(parameters, { signal: limit });
        return { reply: replyIn(bodyOf(answer)), formatRefused: false };
      } catch (error) {
        const message = schema === undefined ? undefined : refusalOf(error, key);
        if (message === undefined) throw error;
        return { reply: failure(message), formatRefused: true };
      }
    }, signal ? { signal } : {});
    return result.kind === "done"
      ? result.value
      : { reply: failure(result.message), formatRefused: false };
  };
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
      const first = await asked(prompt, takesFormat ? schema : undefined, signal);
      if (!first.formatRefused) return first.reply;
      const { reply } = await asked(prompt, undefined, signal);
      // Refused in both ways, it is the prompt that was refused.
      if (reply.kind === "answer") takesFormat = false;
      return reply;
    },
  };
}

function failure(message: string): StructuredReply {
  return { kind: "failure", message, partialText: undefined };
}
