import type { Cooling } from "./key_ring.ts";
import type { LimitKind, RateLimit } from "./rate_limit.ts";

/** The longest rest that is guessed; a host that names none is asked once a minute. */
const LONGEST_GUESS = 60_000;

const isDaily = (limit: LimitKind) => limit.endsWith("per day");

/** Midnight UTC that follows: when a daily quota returns where the host does not say. */
export function nextMidnight(now: number): number {
  return (Math.floor(now / 86_400_000) + 1) * 86_400_000;
}

/**
 * The rest after one more 429. Requests that were in flight together are refused together: that is
 * one strike. A time that the host names is kept to; where it proved too short, the next rest is
 * no shorter than if none were named.
 *
 * @param backoff Milliseconds of the first guess.
 * @param now Milliseconds since 1970.
 */
export function laterRest(
  before: Cooling | undefined,
  { limit, waitSeconds }: RateLimit,
  backoff: number,
  now: number,
): Cooling {
  const running = before !== undefined && before.until > now;
  const strikes = running ? before.strikes : (before?.strikes ?? 0) + 1;
  const until = waitSeconds === undefined
    ? isDaily(limit) ? nextMidnight(now) : now + grown(strikes, backoff)
    : now + Math.max(waitSeconds * 1000, grown(strikes - 1, backoff));
  return running && before.until >= until ? before : { until, limit, strikes };
}

/** It doubles with every strike, from the first on. */
function grown(strikes: number, backoff: number): number {
  return strikes < 1 ? 0 : Math.min(backoff * 2 ** (strikes - 1), Math.max(LONGEST_GUESS, backoff));
}
