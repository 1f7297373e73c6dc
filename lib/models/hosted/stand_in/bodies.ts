import type { AnswerBehaviour, RateLimitBehaviour, StandInCall } from "./behaviour.ts";

const QUOTA_NAMES = {
  RPM: "requests per minute (RPM): Limit 30, Used 30, Requested 1",
  RPD: "requests per day (RPD): Limit 1000, Used 1000, Requested 1",
  TPM: "tokens per minute (TPM): Limit 8000, Used 7950, Requested 120",
  TPD: "tokens per day (TPD): Limit 200000, Used 199950, Requested 120",
};

/** Groq's error body. */
function errorBody(message: string, type: string, code?: string) {
  return { error: { message, type, ...(code === undefined ? {} : { code }) } };
}

const inOrganisation = (model: string, organisation: string) =>
  `model \`${model}\` in organization \`${organisation}\` service tier \`on_demand\``;

export function rateLimitBody(model: string, behaviour: RateLimitBehaviour) {
  const { quota, tryAgainIn, organisation = "org_stand_in" } = behaviour;
  const when = tryAgainIn === undefined ? "" : ` Please try again in ${tryAgainIn}.`;
  return errorBody(
    `Rate limit reached for ${inOrganisation(model, organisation)} on ${QUOTA_NAMES[quota]}.` +
      `${when} Need more tokens? Upgrade today at https://stand-in.invalid/billing`,
    quota.startsWith("T") ? "tokens" : "requests",
    "rate_limit_exceeded",
  );
}

export function tooLargeBody(model: string) {
  return errorBody(
    `Request too large for ${inOrganisation(model, "org_stand_in")} on tokens per minute (TPM): ` +
      "Limit 8000, Requested 9120, please reduce your message size and try again.",
    "tokens",
    "rate_limit_exceeded",
  );
}

export function statusBody(status: number, message = "Internal Server Error") {
  return status === 498
    ? errorBody("Flex tier capacity exceeded", "flex", "capacity_exceeded")
    : errorBody(message, status < 500 ? "invalid_request_error" : "internal_server_error");
}

/** As many services answer a wrong key: with a part of it. What is kept must not repeat it. */
export function invalidKeyBody(key: string) {
  return errorBody(`Invalid API Key: ${key}`, "invalid_request_error", "invalid_api_key");
}

export function restrictedBody() {
  return errorBody(
    "Organization has been restricted. Please reach out to support if you believe this was in error.",
    "invalid_request_error",
    "organization_restricted",
  );
}

export function withdrawnBody(model: string) {
  return errorBody(
    `The model \`${model}\` has been decommissioned and is no longer supported. Please refer to ` +
      "https://stand-in.invalid/deprecations for a recommendation on which model to use instead.",
    "invalid_request_error",
    "model_decommissioned",
  );
}

export function unknownModelBody(model: string) {
  return errorBody(
    `The model \`${model}\` does not exist or you do not have access to it.`,
    "invalid_request_error",
    "model_not_found",
  );
}

export function badRequestBody(message: string) {
  return errorBody(message, "invalid_request_error");
}

/** An error page as a proxy writes it. */
export function htmlPage(status: number): string {
  return `<!DOCTYPE html>\n<html><head><title>${status} A</title></head>` +
    `<body><h1>${status}</h1><p>B</p><hr>proxy</body></html>\n`;
}

/** About four characters a token: only the sums of tests depend on it. */
const countTokens = (text: string) => Math.ceil(text.length / 4);

function usage(prompt: string, reply: string) {
  const [prompt_tokens, completion_tokens] = [countTokens(prompt), countTokens(reply)];
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
}

/** A chat completion as Groq sends it, with the choices given. */
export function chatBody(call: StandInCall, choices: readonly unknown[], reply: string) {
  return {
    id: `chatcmpl-${call.number}`,
    object: "chat.completion",
    created: 1_700_000_000 + call.number,
    model: call.model,
    choices,
    usage: usage(call.prompt, reply),
    x_groq: { id: `req_${call.number}` },
  };
}

/** The one choice of an answer. */
export function answerChoice(behaviour: AnswerBehaviour, text: string) {
  const { reasoning, refusal, finishReason = "stop" } = behaviour;
  return {
    index: 0,
    message: {
      role: "assistant",
      content: refusal === undefined ? text : null,
      ...(reasoning === undefined ? {} : { reasoning }),
      ...(refusal === undefined ? {} : { refusal }),
    },
    logprobs: null,
    finish_reason: finishReason,
  };
}
