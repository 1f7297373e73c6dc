import { badRequestBody, statusBody } from "./bodies.ts";
import { COMPLETION_REQUEST } from "./request_shapes.ts";

/** A token of an echoed prompt and its log-probability; the first has none before it, hence null. */
export interface EchoedToken {
  readonly text: string;
  readonly logProbability: number | null;
}

/** How the completions endpoint meets `echo` and `logprobs`. */
export type Echo =
  /** As vLLM and llama-cpp-python do. */
  | { readonly kind: "echoes"; readonly tokens: (prompt: string) => readonly EchoedToken[] }
  /** Completes and echoes nothing. */
  | { readonly kind: "ignores" }
  /** Echoes the text without log-probabilities. */
  | { readonly kind: "echoes text only" }
  /** Refuses, as Groq does. */
  | { readonly kind: "refuses" };

/** The response to a request for completions. */
export function completion(body: unknown, echo: Echo): Response {
  const asked = COMPLETION_REQUEST.safeParse(body);
  if (!asked.success) return refusal("model and prompt are needed");
  if (echo.kind === "refuses") return refusal("logprobs is not supported with this model");
  const { model, prompt, logprobs } = asked.data;
  const prompts = typeof prompt === "string" ? [prompt] : prompt;
  const choices = prompts.map((text, index) => {
    const base = { index, finish_reason: "length", text: "", logprobs: null };
    if (echo.kind === "ignores" || !asked.data.echo) return { ...base, text: " A" };
    if (echo.kind === "echoes text only" || logprobs === undefined) return { ...base, text };
    return { ...base, text, logprobs: logProbabilities(echo.tokens(text)) };
  });
  const usage = { prompt_tokens: 1, completion_tokens: 0, total_tokens: 1 };
  return Response.json({ id: "cmpl-1", object: "text_completion", model, choices, usage });
}

function logProbabilities(tokens: readonly EchoedToken[]) {
  let offset = 0;
  const offsets = tokens.map(({ text }) => {
    const here = offset;
    offset += [...text].length;
    return here;
  });
  return {
    tokens: tokens.map(({ text }) => text),
    token_logprobs: tokens.map(({ logProbability }) => logProbability),
    top_logprobs: null,
    text_offset: offsets,
  };
}

function refusal(message: string): Response {
  return Response.json(badRequestBody(message), { status: 400 });
}

/** What a server says that has no such endpoint. */
export function noSuchPath(): Response {
  return Response.json(statusBody(404, "Unknown request URL"), { status: 404 });
}
