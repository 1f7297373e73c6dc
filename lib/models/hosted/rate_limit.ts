/** The limits that a 429 may speak of; the last where it does not say. */
export const LIMIT_KINDS = [
  "requests per minute",
  "tokens per minute",
  "requests per day",
  "tokens per day",
  "rate limit",
] as const;

/** Which limit a 429 speaks of, as far as it says. */
export type LimitKind = (typeof LIMIT_KINDS)[number];

/** What a 429 tells. */
export interface RateLimit {
  readonly limit: LimitKind;
  /** How long to wait; left out where the reply names no time above 0. */
  readonly waitSeconds?: number | undefined;
}

/** No limit lasts longer than a week: a longer wait is a slip, or a date in place of a duration. */
const LONGEST_SECONDS = 7 * 86_400;

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
  return wait([...parts].reduce((sum, [, n, unit]) => sum + Number(n) * UNIT_SECONDS[unit!]!, 0));
}

function wait(seconds: number): number | undefined {
  return seconds > 0 && seconds <= LONGEST_SECONDS ? seconds : undefined;
}

/** A number as HTTP writes it: `Number` alone would also read 0x10 and 1e3. */
const DECIMAL = /^\d+(?:\.\d+)?$/;

/** `Sun, 22 Nov 2026 03:50:00 GMT`; `Date.parse` alone would also read "2 seconds". */
const HTTP_DATE = /^[a-z]+, \d{1,2}[ -][a-z]{3}[ -]\d{2,4} [\d:]{8} GMT$/i;

/** `retry-after-ms`, else `retry-after`: seconds, or a date. */
function parseRetryAfter(headers: Headers, now: number): number | undefined {
  const milliseconds = headers.get("retry-after-ms")?.trim() ?? "";
  const exact = DECIMAL.test(milliseconds) ? wait(Number(milliseconds) / 1000) : undefined;
  if (exact !== undefined) return exact;
  const value = headers.get("retry-after")?.trim() ?? "";
  if (DECIMAL.test(value)) return wait(Number(value));
  return HTTP_DATE.test(value) ? wait((Date.parse(value) - now) / 1000) : undefined;
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
  const waitSeconds = parseRetryAfter(headers, now) ??
    parseWait(told.replace(/\.$/, "")) ??
    parseWait(headers.get(RESET_HEADER[limit] ?? "x-none") ?? "");
  return { limit, waitSeconds };
}
