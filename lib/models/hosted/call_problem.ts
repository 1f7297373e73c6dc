import { TimeLimitError } from "../in_flight.ts";

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
  | {
    readonly kind: "transient";
    readonly message: string;
    /** Said where the request never reached the host. */
    readonly unsent?: Unsent;
  }
  /** This request is refused and would be again. */
  | { readonly kind: "refused"; readonly message: string };

/** How far a request came that never reached its host: not to a name's address, or not to the host. */
export type Unsent = "no name" | "no connection";

/** Whom messages name, and what the host's user is to do about a model. */
interface ProblemContext {
  readonly host: string;
  readonly modelRemedy: string;
  /** Whether the request went out without a key, to a server of the user's own. */
  readonly keyless?: boolean;
  /** Takes keys, accounts and addresses out of a text of the host's or the SDK's. */
  readonly clean: (text: string) => string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Reads an error of groq-sdk or openai, or any that a request threw. */
export function readProblem(error: unknown, context: ProblemContext): CallProblem {
  const answered = statusError(error, context.clean);
  if (answered) return readStatus(answered, context);
  const { host, clean } = context;
  const transient = (message: string, unsent?: Unsent): CallProblem => ({
    kind: "transient",
    message: `${host} ${message}`,
    ...(unsent && { unsent }),
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
  if (isNetworkProblem(error)) {
    // Never the error's own text, which holds the address.
    const { meaning, unsent } = NETWORK_PROBLEMS.find(({ pattern }) => pattern.test(causes)) ??
      { meaning: "the connection failed; check the network" };
    return transient(`cannot be reached: ${meaning}`, unsent);
  }
  return { kind: "refused", message: `the call to ${host} broke: ${clean(String(error))}` };
}

/** Names, codes and messages of an error and its causes. */
function chain(error: unknown, depth = 4): string {
  if (!(error instanceof Error) || depth === 0) return "";
  const code = "code" in error ? String(error.code) : "";
  return `${error.name} ${code} ${error.message} ${chain(error.cause, depth - 1)}`;
}

const NETWORK_MESSAGE =
  /^(?:error sending request|fetch failed|network error|Connection error)|reading a body|connection|end of file|body failed/i;

/** Whether an error came from the network, not from this program or from a reply. */
function isNetworkProblem(error: unknown): boolean {
  return error instanceof Error && (/^APIConnection/.test(error.constructor.name) ||
    (error instanceof TypeError && NETWORK_MESSAGE.test(error.message)));
}

/** Texts of the runtime's network errors (Deno's, and Node's codes) and what they mean for the user. */
const NETWORK_PROBLEMS: readonly {
  readonly pattern: RegExp;
  readonly meaning: string;
  readonly unsent?: Unsent;
}[] = [
  {
    pattern: /dns error|failed to lookup|ENOTFOUND|EAI_AGAIN|name or service not known/i,
    meaning: "its name cannot be resolved; check that this machine has a network and DNS",
    unsent: "no name",
  },
  {
    pattern: /connection refused|ECONNREFUSED|actively refused/i,
    meaning: "it refuses the connection; is it running?",
    unsent: "no connection",
  },
  {
    pattern: /unreachable|no route|ENETUNREACH|EHOSTUNREACH/i,
    meaning: "there is no way to it; check the network",
    unsent: "no connection",
  },
  {
    pattern: /certificate|UnknownIssuer|invalid peer|\btls\b|handshake/i,
    meaning: "its certificate cannot be trusted; check the clock and any proxy of this machine",
  },
  {
    pattern: /timed? ?out|ETIMEDOUT/i,
    meaning: "the connection timed out; check the network",
  },
  {
    pattern:
      /reset|broken pipe|closed|end of file|\beof\b|unexpected end|incomplete|reading a body|terminated/i,
    meaning: "the connection broke off in the middle",
  },
];

/** What an SDK's error for a status says. */
interface StatusError {
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
  const status = statusOf(error);
  if (!(error instanceof Error) || status === undefined) return undefined;
  const whole = property(error, "error");
  const body = property(whole, "error") ?? whole;
  const code = property(body, "code");
  const headers = property(error, "headers");
  // Some servers say `"error": "in one sentence"`.
  const told = typeof body === "string" ? body : property(body, "message");
  // The SDK puts the status before what is no JSON.
  const message = typeof told === "string" ? told : error.message.replace(/^\d{3} /, "");
  const organisation = /\b(org_\w+)/.exec(message)?.[1];
  return {
    status,
    code: typeof code === "string" ? code : "",
    structured: typeof body === "string" || (typeof body === "object" && body !== null),
    // Cleaned before it is cut: half a key is a secret too, and looks like nothing.
    message: readable(clean(message)),
    ...(organisation && { organisation }),
    headers: headers instanceof Headers ? headers : new Headers(),
  };
}

/** The HTTP status that an SDK's error carries. */
export function statusOf(error: unknown): number | undefined {
  const status = error instanceof Error ? property(error, "status") : undefined;
  return typeof status === "number" ? status : undefined;
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

/** What is to be done about an answer that is an error. */
export function readStatus(answer: StatusError, context: ProblemContext): CallProblem {
  const { status, code, message, organisation } = answer;
  const { host } = context;
  if (status >= 500 || status === 498) {
    return { kind: "transient", message: `${host} answers ${status}: ${message}` };
  }
  if (/request too large/i.test(message) || status === 413) {
    const remedy = "shorten the prompt, or use an account with a higher limit";
    return { kind: "refused", message: `the request is too large: ${message}; ${remedy}` };
  }
  const ofKey = keyProblem(answer, context);
  if (ofKey) return { kind: "key", ...ofKey, ...(organisation && { organisation }) };
  if (status === 429) {
    const rate = readRateLimit(answer.headers, message, context.now);
    return { kind: "limited", rate, ...(organisation && { organisation }) };
  }
  // model_not_found, model_decommissioned, model_terms_required, model_permission_blocked_…
  if (code.startsWith("model_") || (status === 404 && /\bmodel\b/i.test(message))) {
    const reason = `${host} does not serve it (${status}: ${message}); ${context.modelRemedy}`;
    return { kind: "model", message: reason };
  }
  const where = status === 404 ? "nothing is served at this address; check it" : "bad request";
  return { kind: "refused", message: `${where} (${host} answers ${status}: ${message})` };
}

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
): { readonly message: string; readonly wholeOrganisation: boolean } | undefined {
  const told = `(${status}: ${message})`;
  const isRestricted = /organi[sz]ation has been restricted/i.test(message) ||
    code === "organization_restricted";
  if (isRestricted) {
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

/** The limits that a 429 may speak of; the last where it does not say. */
export const LIMIT_KINDS = [
  "requests per minute",
  "tokens per minute",
  "requests per day",
  "tokens per day",
  "rate limit",
] as const;

export type LimitKind = (typeof LIMIT_KINDS)[number];

/** What a 429 tells. */
export interface RateLimit {
  readonly limit: LimitKind;
  /** How long to wait; left out where the reply names no time above 0. */
  readonly waitSeconds?: number | undefined;
}

/** The headers' buckets are the day's requests and the minute's tokens: no other limit has one. */
const RESET_HEADER: Readonly<Partial<Record<LimitKind, string>>> = {
  "requests per day": "x-ratelimit-reset-requests",
  "tokens per minute": "x-ratelimit-reset-tokens",
};

/**
 * Reads a 429. The time is `retry-after`'s, else the message's "try again in", else that of the
 * limit's own reset header.
 *
 * @param now Milliseconds since 1970, for a `retry-after` that is a date.
 */
export function readRateLimit(headers: Headers, message: string, now: number): RateLimit {
  const limit = limitKind(headers, message);
  const [, told = ""] = /try again in ((?:[\d.]+(?:ms|[dhms]))+)/i.exec(message) ?? [];
  const waitSeconds = parseRetryAfter(headers, now) ??
    parseWait(told.replace(/\.$/, "")) ??
    parseWait(headers.get(RESET_HEADER[limit] ?? "x-none") ?? "");
  return { limit, waitSeconds };
}

/** From the message; failing that, from the bucket that the headers call empty. */
function limitKind(headers: Headers, message: string): LimitKind {
  const [, what, per] = /\bon (requests|tokens) per (minute|day)\b/i.exec(message) ?? [];
  if (what && per) return `${what.toLowerCase()} per ${per.toLowerCase()}` as LimitKind;
  if (headers.get("x-ratelimit-remaining-requests") === "0") return "requests per day";
  if (headers.get("x-ratelimit-remaining-tokens") === "0") return "tokens per minute";
  return "rate limit";
}

/** A number as HTTP writes it: `Number` alone would also read 0x10 and 1e3. */
const DECIMAL = /^\d+(?:\.\d+)?$/;

/** `Sun, 22 Nov 2026 03:50:00 GMT`; `Date.parse` alone would also read "2 seconds". */
const HTTP_DATE = /^[a-z]+, \d{1,2}[ -][a-z]{3}[ -]\d{2,4} [\d:]{8} GMT$/i;

/** `retry-after-ms`, else `retry-after`: seconds, or a date. */
function parseRetryAfter(headers: Headers, now: number): number | undefined {
  const milliseconds = headers.get("retry-after-ms")?.trim() ?? "";
  const exact = DECIMAL.test(milliseconds) ? bearable(Number(milliseconds) / 1000) : undefined;
  if (exact !== undefined) return exact;
  const value = headers.get("retry-after")?.trim() ?? "";
  if (DECIMAL.test(value)) return bearable(Number(value));
  return HTTP_DATE.test(value) ? bearable((Date.parse(value) - now) / 1000) : undefined;
}

const UNIT_SECONDS: Readonly<Record<string, number>> = {
  d: 86_400,
  h: 3600,
  m: 60,
  s: 1,
  ms: 1e-3,
};

/** `9m38.016s` in seconds; undefined for what is no duration above 0, or none that can be meant. */
export function parseWait(text: string): number | undefined {
  if (!/^(?:\d+(?:\.\d+)?(?:ms|[dhms]))+$/.test(text)) return undefined;
  const parts = text.matchAll(/(\d+(?:\.\d+)?)(ms|[dhms])/g);
  return bearable(
    [...parts].reduce((sum, [, n, unit]) => sum + Number(n) * UNIT_SECONDS[unit!]!, 0),
  );
}

/** No limit lasts longer than a week: a longer wait is a slip, or a date in place of a duration. */
function bearable(seconds: number): number | undefined {
  return seconds > 0 && seconds <= 7 * 86_400 ? seconds : undefined;
}
