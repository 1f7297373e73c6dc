import { Groq } from "groq-sdk";
import { OpenAI } from "openai";
import { type ApiKey, apiKey, KEYLESS } from "./api_keys.ts";

/** Stands for the key of a server that asks for none: the SDK will not be made without. */
export const NO_KEY: ApiKey = apiKey(KEYLESS, "server-without-key");

/** An SDK as transport alone: tries, waits and headers are ours, whatever the environment says. */
const transport = (key: ApiKey) => ({
  apiKey: key.reveal(),
  maxRetries: 0,
  timeout: 86_400_000,
  logLevel: "off" as const,
  fetch: (input: string | URL | Request, init?: RequestInit) => {
    const headers = new Headers({
      accept: "application/json, */*;q=0.5",
      authorization: `Bearer ${key.reveal()}`,
    });
    if (typeof init?.body === "string") headers.set("content-type", "application/json");
    return fetch(input, { ...init, headers });
  },
});

/** `baseUrl`: a stand-in's, in tests; null, for GROQ_BASE_URL must not lead elsewhere. */
export function groqClient(key: ApiKey, baseUrl?: string): Groq {
  return new Groq({ ...transport(key), baseURL: baseUrl ?? null });
}

/** Nothing from the variables by which the SDK would introduce the caller (OPENAI_ORG_ID and the like). */
export function openAiClient(key: ApiKey, baseURL: string): OpenAI {
  const nobody = { adminAPIKey: null, organization: null, project: null, webhookSecret: null };
  return new OpenAI({ ...transport(key), baseURL, ...nobody });
}
