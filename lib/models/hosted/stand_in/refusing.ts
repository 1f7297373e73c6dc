import type { Behaviour, StandInCall } from "./behaviour.ts";
import {
  invalidKeyBody,
  rateLimitBody,
  restrictedBody,
  statusBody,
  tooLargeBody,
  unknownModelBody,
  withdrawnBody,
} from "./bodies.ts";

type Refusal = Extract<
  Behaviour,
  {
    readonly kind:
      | "rate limit"
      | "too large"
      | "status"
      | "invalid key"
      | "restricted"
      | "withdrawn"
      | "unknown model";
  }
>;

/** What the host answers that will not serve a call. */
export function refused({ model, key }: StandInCall, behaviour: Refusal): Response {
  switch (behaviour.kind) {
    case "rate limit": {
      const { retryAfter, headers = {} } = behaviour;
      const wait = retryAfter === undefined ? [] : [["retry-after", String(retryAfter)] as const];
      return json(429, rateLimitBody(model, behaviour), {
        ...headers,
        ...Object.fromEntries(wait),
      });
    }
    case "too large":
      return json(413, tooLargeBody(model));
    case "status":
      return json(behaviour.status, statusBody(behaviour.status, behaviour.message));
    case "invalid key":
      return json(401, invalidKeyBody(key));
    case "restricted":
      return json(behaviour.status ?? 400, restrictedBody());
    case "withdrawn":
      return json(400, withdrawnBody(model));
    case "unknown model":
      return json(404, unknownModelBody(model));
  }
}

/** Groq's headers of limits stand on every answer; only a plan makes them mean something. */
const LIMITS = {
  "x-ratelimit-limit-requests": "1000",
  "x-ratelimit-limit-tokens": "8000",
  "x-ratelimit-remaining-requests": "999",
  "x-ratelimit-remaining-tokens": "7900",
  "x-ratelimit-reset-requests": "1m26.4s",
  "x-ratelimit-reset-tokens": "750ms",
};

/** A reply with Groq's headers. */
export function json(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
) {
  return Response.json(body, { status, headers: { ...LIMITS, ...headers } });
}
