/** A chat request as the stand-in server took it in. */
export interface StandInCall {
  /** 1 for the server's first chat request. */
  readonly number: number;
  /** The key it came with; empty where it came with none. */
  readonly key: string;
  readonly model: string;
  /** Text of the last message. */
  readonly prompt: string;
  /** How often this model was asked this prompt, this time included. */
  readonly asked: number;
  /** Milliseconds since the server started. */
  readonly at: number;
  /** The whole request as it came. */
  readonly body: unknown;
}

/** Groq's quotas: requests or tokens, a minute or a day. */
export type Quota = "RPM" | "RPD" | "TPM" | "TPD";

/** What comes back with status 200 where all goes well. */
export interface AnswerBehaviour {
  readonly kind: "answer";
  /** The server's `answer` where left out. */
  readonly text?: string;
  /** Hidden reasoning: stands beside the text, as reasoning models send it. */
  readonly reasoning?: string;
  /** `message.refusal`, with no text. */
  readonly refusal?: string;
  /** `length`: the limit of reply tokens was reached. Default `stop`. */
  readonly finishReason?: "stop" | "length";
  /** Milliseconds before the answer; the server's own delay where left out. */
  readonly delayMs?: number;
}

export interface RateLimitBehaviour {
  readonly kind: "rate limit";
  readonly quota: Quota;
  /** Header `retry-after` in seconds; no header where left out. */
  readonly retryAfter?: number;
  /** "Please try again in …" of the message, e.g. `9m38.016s`; no such sentence where left out. */
  readonly tryAgainIn?: string;
  /** More headers, e.g. `x-ratelimit-reset-tokens`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** `org_stand_in` where left out. */
  readonly organisation?: string;
}

/** What the server does with one request. */
export type Behaviour =
  | AnswerBehaviour
  | RateLimitBehaviour
  /** 413: one request above the limit of tokens a minute; to wait never helps. */
  | { readonly kind: "too large" }
  /** A bare status with Groq's error body, e.g. 500, 503, 498. */
  | { readonly kind: "status"; readonly status: number; readonly message?: string }
  /** An HTML page, as a proxy before the server sends one; 200 is possible too. */
  | { readonly kind: "html"; readonly status: number }
  /** 401. */
  | { readonly kind: "invalid key" }
  /** 400, 401 or 403, final for the organisation. */
  | { readonly kind: "restricted"; readonly status?: 400 | 401 | 403 }
  /** 400 with code model_decommissioned. */
  | { readonly kind: "withdrawn" }
  /** 404 with code model_not_found. */
  | { readonly kind: "unknown model" }
  /** The request is taken in and nothing ever comes back. */
  | { readonly kind: "hang" }
  /** Head and half the body, then nothing. */
  | { readonly kind: "hang in body" }
  /** Head and half the body, then the connection is closed: chunks, or fewer bytes than promised. */
  | { readonly kind: "cut"; readonly promised: "chunks" | "length" }
  /** The connection is closed without a word. */
  | { readonly kind: "drop" }
  /** Bytes that are not HTTP. */
  | { readonly kind: "garbage" }
  /** Status 200, sound HTTP, and JSON that breaks off. */
  | { readonly kind: "half JSON" }
  /** Status 200 and no byte of a body. */
  | { readonly kind: "no body" }
  /** `choices: []`. */
  | { readonly kind: "no choices" }
  /** One choice without a message. */
  | { readonly kind: "no message" }
  /** Whatever else a test needs. */
  | { readonly kind: "json"; readonly status: number; readonly body: unknown };

/** What happens to a call; nothing means that it is answered. */
export type FaultPlan = (call: StandInCall) => Behaviour | undefined;
