/** Which limit a 429 speaks of, as far as it says. */
export type LimitKind =
  | "requests per minute"
  | "tokens per minute"
  | "requests per day"
  | "tokens per day"
  | "rate limit";

/** What a 429 tells. */
export interface RateLimit {
  readonly limit: LimitKind;
  /** How long to wait; left out where the reply names no time above 0. */
  readonly waitSeconds?: number | undefined;
}

/** Longer waits than a month are a slip of the server. */
const LONGEST_SECONDS = 31 * 86_400;

const UNIT_SECONDS: Readonly<Record<string, number>> = {
  d: 86_400,
  h: 3600,
  m: 60,
  s: 1,
  ms: 1e-3,
};

/** `9m38.016s` in seconds; undefined for what is no duration above 0. */
export function parseWait(text: string): number | undefined {
  if (!/^(?:\d+(?:\.\d+)?(?:ms|[dhms]))+$/.test(text)) return undefined;
  const parts = text.matchAll(/(\d+(?:\.\d+)?)(ms|[dhms])/g);
  return wait([...parts].reduce((sum, [, n, unit]) => sum + Number(n) * UNIT_SECONDS[unit!]!, 0));
}

function wait(seconds: number): number | undefined {
  return seconds > 0 ? Math.min(seconds, LONGEST_SECONDS) : undefined;
}

/** `retry-after`: seconds, or a date. */
function parseRetryAfter(value: string | null, now: number): number | undefined {
  if (value === null || value.trim() === "") return undefined;
  const seconds = Number(value);
  return wait(Number.isNaN(seconds) ? (Date.parse(value) - now) / 1000 : seconds);
}

/** From the message; failing that, from the bucket that the headers call empty. */
function limitKind(headers: Headers, message: string): LimitKind {
  const [, what, per] = /\bon (requests|tokens) per (minute|day)\b/i.exec(message) ?? [];
  if (what && per) return `${what.toLowerCase()} per ${per.toLowerCase()}` as LimitKind;
  if (headers.get("x-ratelimit-remaining-requests") === "0") return "requests per day";
  if (headers.get("x-ratelimit-remaining-tokens") === "0") return "tokens per minute";
  return "rate limit";
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
  const waitSeconds = parseRetryAfter(headers.get("retry-after"), now) ??
    parseWait(told.replace(/\.$/, "")) ??
    parseWait(headers.get(RESET_HEADER[limit] ?? "x-none") ?? "");
  return { limit, waitSeconds };
}
