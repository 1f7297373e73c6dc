import { OpenAI } from "openai";
import { type ApiKey, apiKey, KEYLESS } from "./api_keys.ts";
import { plainFetch } from "./plain_fetch.ts";

/** Stands for the key of a server that asks for none: the SDK will not be made without. */
export const NO_KEY: ApiKey = apiKey(KEYLESS, "server-without-key");

/** The time limit is the calls' own, and covers the body; the SDK's must never come first. */
const NEVER_MS = 86_400_000;

/**
 * OpenAI's SDK as transport alone: no tries, waits or log of its own, and nothing from the variables
 * by which it would otherwise introduce the caller to the server (OPENAI_ORG_ID and the like).
 */
export function openAiClient(key: ApiKey, baseUrl: string): OpenAI {
  return new OpenAI({
    apiKey: key.reveal(),
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    baseURL: baseUrl,
    fetch: plainFetch(key),
    maxRetries: 0,
    timeout: NEVER_MS,
    logLevel: "off",
  });
}
