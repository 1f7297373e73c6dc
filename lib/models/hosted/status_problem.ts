import type { CallProblem, ProblemContext } from "./call_problem.ts";
import { readRateLimit } from "./rate_limit.ts";

/** What an SDK's error for a status says. */
export interface StatusError {
  readonly status: number;
  readonly code: string;
  /** Fit to be shown. */
  readonly message: string;
  /** The id of the key's organisation, where the message names it. */
  readonly organisation?: string;
  /** Whether the host itself speaks: what blocks the way to it sends pages. */
  readonly structured: boolean;
  readonly headers: Headers;
}

/** By shape: both SDKs have their own classes. groq-sdk keeps the whole body, openai its `error`. */
export function statusError(
  error: unknown,
  clean: ProblemContext["clean"],
): StatusError | undefined {
  if (!(error instanceof Error) || !("status" in error) || typeof error.status !== "number") return;
  const { status } = error;
  const whole = "error" in error ? error.error : undefined;
  const body = property(whole, "error") ?? whole;
  const code = property(body, "code");
  // Some servers say `"error": "in one sentence"`.
  const told = typeof body === "string" ? body : property(body, "message");
  // The SDK puts the status before what is no JSON.
  const message = typeof told === "string" ? told : error.message.replace(/^\d{3} /, "");
  const organisation = /\b(org_\w+)/.exec(message)?.[1];
  const headers = "headers" in error && error.headers instanceof Headers
    ? error.headers
    : undefined;
  return {
    status,
    code: typeof code === "string" ? code : "",
    structured: typeof body === "string" || (typeof body === "object" && body !== null),
    // Cleaned before it is cut: half a key is a secret too, and looks like nothing.
    message: readable(clean(message)),
    ...(organisation === undefined ? {} : { organisation }),
    headers: headers ?? new Headers(),
  };
}

function property(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

/** On one line and of bearable length; an HTML page becomes its title. */
function readable(text: string): string {
  const page = /<html|<!doctype/i.test(text);
  const title = /<title>([^<]*)<\/title>/i.exec(text)?.[1] ?? "untitled";
  const line = (page ? `an HTML page (${title})` : text).replace(/\s+/g, " ").trim();
  return line.length > 300 ? `${line.slice(0, 300)} …` : line;
}

const RESTRICTED = /organi[sz]ation has been restricted/i;

/** Groq's code first, then OpenAI's. */
const NO_CREDIT = new Set([
  "blocked_api_access",
  "insufficient_quota",
  "credit_balance_exhausted",
  "organization_spend_limit_exceeded",
]);

/** Why the key is of no use, if that is what the answer says; with the remedy. */
function keyProblem(
  { status, code, message, structured }: StatusError,
  { host, keyless = false }: ProblemContext,
) {
  const told = `(${status}: ${message})`;
  if (RESTRICTED.test(message) || code === "organization_restricted") {
    const reason = `${host} has restricted its organisation ${told}; ask the host's support, or ` +
      "use keys of another organisation";
    return { message: reason, wholeOrganisation: true };
  }
  if (status === 402 || NO_CREDIT.has(code)) {
    const reason = `its organisation has no credit left with ${host} ${told}; raise its limit`;
    return { message: reason, wholeOrganisation: true };
  }
  if (status === 403 && !structured) {
    const reason =
      `something before ${host} blocks this machine ${told}; check proxy, VPN and country`;
    return { message: reason, wholeOrganisation: false };
  }
  if ((status !== 401 && status !== 403) || code.startsWith("model_")) return undefined;
  const reason = keyless
    ? `${host} asks for a key ${told}; write keyName: MY_SERVER_KEY into its panel entry and ` +
      "MY_SERVER_KEY=… into .env"
    : `${host} refuses the key ${told}; put a valid one on its line of .env`;
  return { message: reason, wholeOrganisation: false };
}

/** What is to be done about an answer that is an error. */
export function readStatus(answer: StatusError, context: ProblemContext): CallProblem {
  const { status, code, message, organisation } = answer;
  const known = organisation === undefined ? {} : { organisation };
  if (status >= 500 || status === 498) {
    return { kind: "transient", message: `${context.host} answers ${status}: ${message}` };
  }
  if (/request too large/i.test(message) || status === 413) {
    const remedy = "shorten the prompt, or use an account with a higher limit";
    return { kind: "refused", message: `the request is too large: ${message}; ${remedy}` };
  }
  const ofKey = keyProblem(answer, context);
  if (ofKey) return { kind: "key", ...ofKey, ...known };
  if (status === 429) {
    const rate = readRateLimit(answer.headers, message, context.now);
    return { kind: "limited", rate, ...known };
  }
  // model_not_found, model_decommissioned, model_terms_required, model_permission_blocked_…
  if (code.startsWith("model_") || (status === 404 && /\bmodel\b/i.test(message))) {
    const reason =
      `${context.host} does not serve it (${status}: ${message}); ${context.modelRemedy}`;
    return { kind: "model", message: reason };
  }
  const where = status === 404 ? "nothing is served at this address; check it" : "bad request";
  return { kind: "refused", message: `${where} (${context.host} answers ${status}: ${message})` };
}
