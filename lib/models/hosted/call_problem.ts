import { TimeLimitError } from "../in_flight.ts";

/**
 * Error of a reply with status 200 that has no answer: no choices, no message, or HTML. The call is
 * repeated.
 */
export class UnusableReply extends Error {
  override readonly name = "UnusableReply";
}

/** Reason for a failed request, by the required action. */
export type CallProblem =
  /** Rate limit. The key and its organisation's other keys are paused for the model. */
  | { readonly kind: "limited"; readonly rate: RateLimit; readonly organisation?: string }
  /** Permanently unusable key, or organisation with all its keys. */
  | {
    readonly kind: "key";
    readonly message: string;
    readonly organisation?: string;
    readonly wholeOrganisation: boolean;
  }
  /** Model that the host does not serve to any key. */
  | { readonly kind: "model"; readonly message: string }
  /** Failure that may pass: network (including DNS), 5xx, or an incomplete reply. */
  | { readonly kind: "transient"; readonly message: string; readonly isNameless?: boolean }
  /**
   * Permanent rejection. `ofRequest` is true if it is due to the request's content, so that others
   * may succeed.
   */
  | { readonly kind: "refused"; readonly message: string; readonly ofRequest?: boolean };

interface ProblemContext {
  readonly host: string;
  /** Remedy shown if the address does not respond. */
  readonly addressRemedy?: string | undefined;
  readonly modelRemedy: string;
  readonly keyless?: boolean;
  readonly clean: (text: string) => string;
  readonly now: number;
}

/** Classifies an error of groq-sdk, openai, or any other thrown by a request. */
export function readProblem(error: unknown, context: ProblemContext): CallProblem {
  const answered = statusError(error, context.clean);
  if (answered) return readStatus(answered, context);
  const { host, clean } = context;
  const transient = (message: string, isNameless = false): CallProblem => ({
    kind: "transient",
    message: `${host} ${message}`,
    isNameless,
  });
  const causes = chain(error);
  // The process itself may not use the network: trying again cannot help.
  if (/NotCapable|PermissionDenied|Requires net access/.test(causes)) {
    const message = `this process may not reach ${host}; run it with --allow-net`;
    return { kind: "refused", message };
  }
  if (error instanceof TimeLimitError) return transient(`gave ${error.message}`);
  if (error instanceof UnusableReply) {
    return transient(`sent no usable reply: ${clean(error.message)}`);
  }
  // The SDK's own JSON.parse of a body that was cut off, or that is none.
  if (error instanceof SyntaxError) return transient("sent half a reply, or one that is not JSON");
  const isNetwork = error instanceof Error && (/^APIConnection/.test(error.constructor.name) ||
    (error instanceof TypeError && NETWORK_MESSAGE.test(error.message)));
  if (isNetwork) {
    // Never the error's own text, which holds the address.
    const [, meaning] = NETWORK_PROBLEMS.find(([pattern]) => pattern.test(causes))!;
    return transient(`cannot be reached: ${meaning}`, NO_NAME.test(causes));
  }
  return { kind: "refused", message: `the call to ${host} broke: ${clean(String(error))}` };
}

function chain(error: unknown, depth = 4): string {
  if (!(error instanceof Error) || depth === 0) return "";
  const code = "code" in error ? String(error.code) : "";
  return `${error.name} ${code} ${error.message} ${chain(error.cause, depth - 1)}`;
}

const NETWORK_MESSAGE =
  /^(?:error sending request|fetch failed|network error|Connection error)|reading a body|connection|end of file|body failed/i;

const NO_NAME = /dns error|failed to lookup|ENOTFOUND|EAI_AGAIN|name or service not known/i;

/** Network errors of Deno and Node, with messages for users. */
const NETWORK_PROBLEMS: readonly (readonly [RegExp, string])[] = [
  [NO_NAME, "its name cannot be resolved; check that this machine has a network and DNS"],
  [
    /connection refused|ECONNREFUSED|actively refused/i,
    "it refuses the connection; is it running?",
  ],
  [/unreachable|no route|ENETUNREACH|EHOSTUNREACH/i, "there is no way to it; check the network"],
  [
    /certificate|UnknownIssuer|invalid peer|\btls\b|handshake/i,
    "its certificate cannot be trusted; check the clock and any proxy of this machine",
  ],
  [/timed? ?out|ETIMEDOUT/i, "the connection timed out; check the network"],
  [
    /reset|broken pipe|closed|end of file|\beof\b|unexpected end|incomplete|reading a body|terminated/i,
    "the connection broke off in the middle",
  ],
  [/^/, "the connection failed; check the network"],
];

/**
 * Returns the parts of an SDK's HTTP error by its shape. groq-sdk keeps the whole body, openai its
 * `error`.
 */
function statusError(error: unknown, clean: ProblemContext["clean"]) {
  const status = httpStatus(error);
  if (!(error instanceof Error) || status === undefined) return undefined;
  const whole = property(error, "error");
  const body = property(whole, "error") ?? whole;
  const [code, headers] = [property(body, "code"), property(error, "headers")];
  const written = typeof body === "string" ? body : property(body, "message");
  const message = typeof written === "string" ? written : error.message.replace(/^\d{3} /, "");
  return {
    status,
    code: typeof code === "string" ? code : "",
    // Whether the host itself speaks: what blocks the way to it sends pages.
    structured: typeof body === "string" || (typeof body === "object" && body !== null),
    // Cleaned before it is cut: half a key is a secret too, and looks like nothing.
    message: readable(clean(message)),
    organisation: /\b(org_\w+)/.exec(message)?.[1],
    headers: headers instanceof Headers ? headers : new Headers(),
  };
}

/** Returns the HTTP status of an SDK's error. */
export function httpStatus(error: unknown): number | undefined {
  const status = error instanceof Error ? property(error, "status") : undefined;
  return typeof status === "number" ? status : undefined;
}

function property(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

/** Shortens a message to one line. An HTML page is replaced by its title. */
function readable(text: string): string {
  const page = /<html|<!doctype/i.test(text);
  const title = /<title>([^<]*)<\/title>/i.exec(text)?.[1] ?? "untitled";
  const line = (page ? `an HTML page (${title})` : text).replace(/\s+/g, " ").trim();
  return line.length > 300 ? `${line.slice(0, 300)} …` : line;
}

/**
 * Returns the message of a server that rejects a request or path: `400 logprobs is not supported`.
 */
export function refusalMessage(error: unknown, clean: ProblemContext["clean"]): string | undefined {
  const answered = statusError(error, clean);
  if (!answered || ![400, 404, 405, 422, 501].includes(answered.status)) return undefined;
  const { kind } = readStatus(answered, { host: "the server", modelRemedy: "", clean, now: 0 });
  return kind === "refused" ? `${answered.status} ${answered.message}` : undefined;
}

const NO_CREDIT =
  /^(?:blocked_api_access|insufficient_quota|credit_balance_exhausted|organization_spend_limit_exceeded)$/;

function readStatus(
  answer: NonNullable<ReturnType<typeof statusError>>,
  context: ProblemContext,
): CallProblem {
  const { status, code, message, organisation } = answer;
  const { host } = context;
  // 501: the server does not know the request, and will not.
  if (status >= 500 && status !== 501 || status === 498) {
    return { kind: "transient", message: `${host} answers ${status}: ${message}` };
  }
  if (status >= 300 && status < 400) {
    const remedy = "write the address that it leads to, if you trust it, as baseUrl";
    const message = `${host} sends the question on to another address (${status}); ${remedy}`;
    return { kind: "refused", message };
  }
  if (/request too large/i.test(message) || status === 413) {
    const remedy = "shorten the prompt, or use an account with a higher limit";
    const large = `the request is too large: ${message}; ${remedy}`;
    return { kind: "refused", message: large, ofRequest: true };
  }
  const detail = `(${status}: ${message})`;
  const ofKey = (reason: string, wholeOrganisation = false): CallProblem => ({
    kind: "key",
    message: reason,
    organisation,
    wholeOrganisation,
  });
  if (
    code === "organization_restricted" || /organi[sz]ation has been restricted/i.test(message)
  ) {
    const remedy = "ask the host's support, or use keys of another organisation";
    return ofKey(`${host} has restricted its organisation ${detail}; ${remedy}`, true);
  }
  if (status === 402 || NO_CREDIT.test(code)) {
    return ofKey(
      `its organisation has no credit left with ${host} ${detail}; raise its limit`,
      true,
    );
  }
  if (status === 403 && !answer.structured) {
    const remedy = "check proxy, VPN and country";
    return ofKey(`something before ${host} blocks this machine ${detail}; ${remedy}`);
  }
  // model_not_found, model_decommissioned, model_terms_required, model_permission_blocked_…
  const ofModel = code.startsWith("model_");
  if ((status === 401 || status === 403) && !ofModel) {
    const reason = context.keyless
      ? `${host} asks for a key ${detail}; write keyName: MY_SERVER_KEY into its panel entry and ` +
        "MY_SERVER_KEY=… into .env"
      : `${host} refuses the key ${detail}; put a valid one on its line of .env`;
    return ofKey(reason);
  }
  if (status === 429) {
    return { kind: "limited", rate: rateLimit(answer.headers, message, context.now), organisation };
  }
  if (ofModel || (status === 404 && /\bmodel\b/i.test(message))) {
    const reason = `${host} does not serve it ${detail}; ${context.modelRemedy}`;
    return { kind: "model", message: reason };
  }
  const where = status === 404
    ? `nothing is served at this address; ${context.addressRemedy ?? "check it"}`
    : "bad request";
  const ofRequest = status === 400 || status === 422;
  return {
    kind: "refused",
    message: `${where} (${host} answers ${status}: ${message})`,
    ofRequest,
  };
}

export const LIMIT_KINDS = [
  "requests per minute",
  "tokens per minute",
  "requests per day",
  "tokens per day",
  "rate limit",
] as const;

export type LimitKind = (typeof LIMIT_KINDS)[number];

export interface RateLimit {
  readonly limit: LimitKind;
  /** Seconds to wait; undefined if the reply states no positive time. */
  readonly waitSeconds?: number | undefined;
}

/** Rate-limit headers: requests per day and tokens per minute. Other limits have none. */
const BUCKETS: readonly (readonly [LimitKind, string])[] = [
  ["requests per day", "requests"],
  ["tokens per minute", "tokens"],
];

/**
 * Reads the limit from the message, else from an exhausted header. The wait is from `retry-after`,
 * the message or the header.
 */
function rateLimit(headers: Headers, message: string, now: number): RateLimit {
  const named = /\bon ((?:requests|tokens) per (?:minute|day))\b/i.exec(message)?.[1];
  const empty = BUCKETS.find(([, name]) => headers.get(`x-ratelimit-remaining-${name}`) === "0");
  const limit = (named?.toLowerCase() as LimitKind | undefined) ?? empty?.[0] ?? "rate limit";
  const bucket = BUCKETS.find(([kind]) => kind === limit)?.[1];
  const wait = /try again in ((?:[\d.]+(?:ms|[dhms]))+)/i.exec(message)?.[1]?.replace(/\.$/, "");
  const waitSeconds = retryAfter(headers, now) ?? duration(wait) ??
    duration(headers.get(`x-ratelimit-reset-${bucket}`));
  return { limit, waitSeconds };
}

/** Pattern of decimal numbers. `Number` would also accept 0x10 and 1e3. */
const DECIMAL = /^\d+(?:\.\d+)?$/;

/**
 * Pattern of HTTP dates: `Sun, 22 Nov 2026 03:50:00 GMT`. `Date.parse` would also accept "2
 * seconds".
 */
const HTTP_DATE = /^[a-z]+, \d{1,2}[ -][a-z]{3}[ -]\d{2,4} [\d:]{8} GMT$/i;

function retryAfter(headers: Headers, now: number): number | undefined {
  const value = headers.get("retry-after")?.trim() ?? "";
  if (DECIMAL.test(value)) return bearable(Number(value));
  return HTTP_DATE.test(value) ? bearable((Date.parse(value) - now) / 1000) : undefined;
}

const UNIT_SECONDS: Readonly<Record<string, number>> = { d: 86400, h: 3600, m: 60, s: 1, ms: 1e-3 };

/** Parses a duration like `9m38.016s` to seconds; undefined unless positive and plausible. */
function duration(text: string | null | undefined): number | undefined {
  if (!/^(?:\d+(?:\.\d+)?(?:ms|[dhms]))+$/.test(text ?? "")) return undefined;
  const parts = [...text!.matchAll(/(\d+(?:\.\d+)?)(ms|[dhms])/g)];
  return bearable(parts.reduce((sum, [, n, unit]) => sum + Number(n) * UNIT_SECONDS[unit!]!, 0));
}

/** Returns a wait of at most a week; undefined for longer ones, which are errors. */
function bearable(seconds: number): number | undefined {
  return seconds > 0 && seconds <= 7 * 86_400 ? seconds : undefined;
}
