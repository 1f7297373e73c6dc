import { Groq } from "groq-sdk";
import type { ApiKey } from "./api_keys.ts";
import { plainFetch } from "./plain_fetch.ts";

/** The time limit is ours, and covers the body; the SDK's own must never come first. */
const NEVER_MS = 86_400_000;

/**
 * Groq's SDK as transport alone: no tries, waits or log of its own.
 *
 * @param baseUrl A stand-in's address, in tests only. Groq's own is set as null, for left out it
 * would be that of the variable GROQ_BASE_URL, which must not lead a run elsewhere.
 */
export function groqClient(key: ApiKey, baseUrl?: string): Groq {
  return new Groq({
    apiKey: key.reveal(),
    baseURL: baseUrl ?? null,
    fetch: plainFetch(key),
    maxRetries: 0,
    timeout: NEVER_MS,
    logLevel: "off",
  });
}
