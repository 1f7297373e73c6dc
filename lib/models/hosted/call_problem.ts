import { describeNetworkProblem, isNetworkProblem, lacksPermission } from "./network_problem.ts";
import { type RateLimit, readRateLimit } from "./rate_limit.ts";
import { TimeLimitError } from "./time_limit.ts";

/** A reply with status 200 that is none: no choices, no message, an HTML page. It is asked again. */
export class UnusableReply extends Error {
  override readonly name = "UnusableReply";
}

/** Why a request brought no value, by what is to be done about it. */
export type CallProblem =
  /** The key rests for this model, and so do all keys of its organisation. */
  | { readonly kind: "limited"; readonly rate: RateLimit; readonly organisation?: string }
  /** The key is of no use any more, or none of its organisation's is. */
  | {
    readonly kind: "key";
    readonly message: string;
    readonly organisation?: string;
    readonly wholeOrganisation: boolean;
  }
  /** The host does not serve the model, with whatever key. */
  | { readonly kind: "model"; readonly message: string }
  /** May go well at the next try: network, 5xx, half a reply. */
  | { readonly kind: "transient"; readonly message: string }
  /** This request is refused and would be again. */
  | { readonly kind: "refused"; readonly message: string };

/** Whom messages name, and what the host's user is to do about a model. */
export interface ProblemContext {
  readonly host: string;
  readonly modelRemedy: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** What an SDK's error for a status says. */
interface StatusError {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly headers: Headers;
}

/** Reads an error of groq-sdk or openai, or any that a request threw. Messages may hold secrets still. */
export function readProblem(error: unknown, context: ProblemContext): CallProblem {
  const answered = statusError(error);
  if (answered) return readStatus(answered, context);
  const { host } = context;
  if (lacksPermission(error)) {
    const message = `this process may not reach ${host}; run it with --allow-net`;
    return { kind: "refused", message };
  }
  if (error instanceof TimeLimitError) {
    return { kind: "transient", message: `${host} gave ${error.message}` };
  }
  if (error instanceof UnusableReply) {
    return { kind: "transient", message: `${host} sent no usable reply: ${error.message}` };
  }
  // The SDK's own JSON.parse of a body that was cut off, or that is none.
  if (error instanceof SyntaxError) {
    return { kind: "transient", message: `${host} sent half a reply, or one that is not JSON` };
  }
  if (isNetworkProblem(error)) {
    const message = `${host} cannot be reached: ${describeNetworkProblem(error)}`;
    return { kind: "transient", message };
  }
  return { kind: "refused", message: `the call to ${host} broke: ${String(error)}` };
}

/** By shape: both SDKs have their own classes. groq-sdk keeps the whole body, openai its `error`. */
function statusError(error: unknown): StatusError | undefined {
  if (!(error instanceof Error) || !("status" in error) || typeof error.status !== "number") return;
  const { status } = error;
  const body = property("error" in error ? error.error : undefined, "error") ??
    ("error" in error ? error.error : undefined);
  const code = property(body, "code");
  const message = property(body, "message");
  const headers = "headers" in error && error.headers instanceof Headers
    ? error.headers
    : undefined;
  return {
    status,
    code: typeof code === "string" ? code : "",
    message: readable(typeof message === "string" ? message : error.message),
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
const NO_CREDIT = new Set(["insufficient_quota", "blocked_api_access"]);

function readStatus(answer: StatusError, context: ProblemContext): CallProblem {
  const { status, code, message } = answer;
  const organisation = /\b(org_\w+)/.exec(message)?.[1];
  const known = organisation === undefined ? {} : { organisation };
  if (status >= 500 || status === 498) {
    return { kind: "transient", message: `${context.host} answers ${status}: ${message}` };
  }
  if (/request too large/i.test(message) || status === 413) {
    const remedy = "shorten the prompt, or use an account with a higher limit";
    return { kind: "refused", message: `the request is too large: ${message}; ${remedy}` };
  }
  if (RESTRICTED.test(message) || code === "organization_restricted" || NO_CREDIT.has(code)) {
    const reason = `${context.host} has restricted its organisation (${status}: ${message}); ` +
      "ask the host's support, or use keys of another organisation";
    return { kind: "key", message: reason, ...known, wholeOrganisation: true };
  }
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
  if (status === 401 || status === 403) {
    const reason = `${context.host} refuses the key (${status}: ${message}); ` +
      "put a valid one on its line of .env";
    return { kind: "key", message: reason, ...known, wholeOrganisation: false };
  }
  const where = status === 404 ? "nothing is served at this address; check it" : "bad request";
  return { kind: "refused", message: `${where} (${context.host} answers ${status}: ${message})` };
}
