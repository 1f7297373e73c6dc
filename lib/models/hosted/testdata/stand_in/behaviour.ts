export interface StandInCall {
  readonly number: number;
  /** Key of the call; empty without a key. */
  readonly key: string;
  readonly model: string;
  readonly prompt: string;
  /** Number of times that this model was asked this prompt, including this one. */
  readonly asked: number;
  readonly body: unknown;
}

/** Answer with a text, hidden reasoning or a refusal. The default delay is the server's. */
interface AnswerBehaviour {
  readonly kind: "answer";
  readonly text?: string;
  readonly reasoning?: string;
  readonly refusal?: string;
  readonly finishReason?: "stop" | "length";
  readonly delayMs?: number;
}

interface RateLimitBehaviour {
  readonly kind: "rate limit";
  readonly quota: keyof typeof QUOTAS;
  /** Value of the `retry-after` header in seconds; by default there is no header. */
  readonly retryAfter?: number;
  /**
   * Duration in "Please try again in …", e.g. `9m38.016s`. By default the message has no such
   * sentence.
   */
  readonly tryAgainIn?: string;
  readonly organisation?: string;
}

export type Behaviour =
  | AnswerBehaviour
  | RateLimitBehaviour
  /** Status 413, 401, 400 with a code, or 404 with a code. */
  | { readonly kind: "too large" | "invalid key" | "withdrawn" | "unknown model" }
  /** Status with Groq's error body, or an HTML page. Proxies send such a page even with 200. */
  | { readonly kind: "status" | "html"; readonly status: number; readonly message?: string }
  /** Permanent restriction of the organisation. */
  | { readonly kind: "restricted"; readonly status?: 400 | 401 | 403 }
  /** No response, or only the headers and half of the body. */
  | { readonly kind: "hang" | "hang in body" }
  /**
   * Headers and half of the body, then a closed connection, in chunked or fixed-length encoding.
   */
  | { readonly kind: "cut"; readonly promised: "chunks" | "length" }
  /** Connection closed without a response, or bytes that are not HTTP. */
  | { readonly kind: "drop" | "garbage" }
  /** Redirect to another address. */
  | { readonly kind: "redirect"; readonly status: 301 | 302 | 303 | 307 | 308; readonly to: string }
  /** Status 200 with truncated JSON, no body, no choice, or a choice without a message. */
  | { readonly kind: "half JSON" | "no body" | "no choices" | "no message" }
  | { readonly kind: "json"; readonly status: number; readonly body: unknown };

export type FaultPlan = (call: StandInCall) => Behaviour | undefined;

/** Responds to a chat call. `closing` ends all hanging responses. */
export async function respond(
  call: StandInCall,
  behaviour: Behaviour,
  { answer, closing }: { readonly answer: string; readonly closing: Promise<void> },
): Promise<Response> {
  const { model, key } = call;
  const body = chatBody(call, { kind: "answer", text: answer });
  const whole = JSON.stringify(body);
  const headers = { "content-type": "application/json" };
  const sent = (text: BodyInit) => new Response(text, { headers });
  const failed = (status: number, message: string, code: string, type?: string) =>
    json(status, errorBody(message, code, type));
  switch (behaviour.kind) {
    case "answer":
      return json(200, chatBody(call, { text: answer, ...behaviour }));
    case "no choices":
      return json(200, { ...body, choices: [] });
    case "no message":
      return json(200, { ...body, choices: [{ index: 0, finish_reason: "stop" }] });
    case "json":
      return json(behaviour.status, behaviour.body);
    case "html": {
      const { status } = behaviour;
      const page = `<!DOCTYPE html>\n<html><head><title>${status} A</title></head>` +
        `<body><h1>${status}</h1><p>B</p><hr>proxy</body></html>\n`;
      return new Response(page, { status, headers: { "content-type": "text/html" } });
    }
    case "hang":
      await closing;
      return new Response(null, { status: 503 });
    case "hang in body":
      return sent(brokenBody(halfOf(whole), closing));
    case "cut": {
      const length = String(new TextEncoder().encode(whole).length);
      const response = sent(brokenBody(halfOf(whole)));
      if (behaviour.promised === "length") response.headers.set("content-length", length);
      return response;
    }
    case "half JSON":
      return sent(halfOf(whole));
    case "no body":
      return sent("");
    case "drop":
    case "garbage":
      return new Response(null, { status: BROKEN[behaviour.kind] });
    case "redirect":
      return Response.redirect(behaviour.to, behaviour.status);
    case "rate limit": {
      const { retryAfter, quota, tryAgainIn, organisation } = behaviour;
      const when = tryAgainIn === undefined ? "" : ` Please try again in ${tryAgainIn}.`;
      const message = `Rate limit reached for ${inOrganisation(model, organisation)} on ` +
        `${QUOTAS[quota]}.${when} Need more tokens? Upgrade today at https://stand-in.invalid`;
      const type = quota.startsWith("T") ? "tokens" : "requests";
      const response = failed(429, message, "rate_limit_exceeded", type);
      if (retryAfter !== undefined) response.headers.set("retry-after", String(retryAfter));
      return response;
    }
    case "too large": {
      const message = `Request too large for ${inOrganisation(model)} on tokens per minute ` +
        "(TPM): Limit 8000, Requested 9120, please reduce your message size and try again.";
      return failed(413, message, "rate_limit_exceeded", "tokens");
    }
    case "status":
      return json(behaviour.status, statusBody(behaviour.status, behaviour.message));
    case "invalid key":
      // As many services answer a wrong key: with a part of it. What is kept must not repeat it.
      return failed(401, `Invalid API Key: ${key}`, "invalid_api_key");
    case "restricted": {
      const message = "Organization has been restricted. Please reach out to support.";
      return failed(behaviour.status ?? 400, message, "organization_restricted");
    }
    case "withdrawn": {
      const message = `The model \`${model}\` has been decommissioned. Please refer to ` +
        "https://stand-in.invalid/deprecations for which model to use instead.";
      return failed(400, message, "model_decommissioned");
    }
    case "unknown model":
      return failed(404, `The model \`${model}\` does not exist.`, "model_not_found");
  }
}

/**
 * Returns a chat completion in Groq's format. It counts four characters per token, which only
 * affects sums in tests.
 */
function chatBody(
  { number, model, prompt }: StandInCall,
  { text = "", reasoning, refusal, finishReason = "stop" }: AnswerBehaviour,
) {
  const [prompt_tokens, completion_tokens] = [prompt, text].map((it) => Math.ceil(it.length / 4));
  const message = {
    role: "assistant",
    content: refusal === undefined ? text : null,
    ...(reasoning !== undefined && { reasoning }),
    ...(refusal !== undefined && { refusal }),
  };
  return {
    id: `chatcmpl-${number}`,
    object: "chat.completion",
    created: 1_700_000_000 + number,
    model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishReason }],
    usage: { prompt_tokens, completion_tokens },
    x_groq: { id: `req_${number}` },
  };
}

export function errorBody(message: string, code?: string, type = "invalid_request_error") {
  return { error: { message, type, ...(code !== undefined && { code }) } };
}

export function statusBody(status: number, message = "Internal Server Error") {
  return status === 498
    ? errorBody("Flex tier capacity exceeded", "capacity_exceeded", "flex")
    : errorBody(message, undefined, status < 500 ? undefined : "internal_server_error");
}

const QUOTAS = {
  RPM: "requests per minute (RPM): Limit 30, Used 30, Requested 1",
  RPD: "requests per day (RPD): Limit 1000, Used 1000, Requested 1",
  TPM: "tokens per minute (TPM): Limit 8000, Used 7950, Requested 120",
  TPD: "tokens per day (TPD): Limit 200000, Used 199950, Requested 120",
};

const inOrganisation = (model: string, organisation = "org_stand_in") =>
  `model \`${model}\` in organization \`${organisation}\` service tier \`on_demand\``;

/** Groq's headers on limits, sent with every answer. Only planned faults give them an effect. */
const LIMITS = {
  "x-ratelimit-limit-requests": "1000",
  "x-ratelimit-limit-tokens": "8000",
  "x-ratelimit-remaining-requests": "999",
  "x-ratelimit-remaining-tokens": "7900",
  "x-ratelimit-reset-requests": "1m26.4s",
  "x-ratelimit-reset-tokens": "750ms",
};

function json(status: number, body: unknown) {
  return Response.json(body, { status, headers: LIMITS });
}

/** Returns the first half of a text. Half of a JSON text is invalid. */
export function halfOf(text: string): string {
  return text.slice(0, Math.floor(text.length / 2));
}

/**
 * Sends a text, then ends the connection: at once, when the server closes, or when the client
 * disconnects.
 */
function brokenBody(text: string, closing = Promise.resolve()): ReadableStream<Uint8Array> {
  const gone = Promise.withResolvers<void>();
  return new ReadableStream({
    start: (stream) => stream.enqueue(new TextEncoder().encode(text)),
    async pull(stream) {
      await Promise.race([gone.promise, closing]);
      stream.error(new Error("broken by plan"));
    },
    cancel: () => gone.resolve(),
  });
}

/** Statuses of responses that are dropped, or replaced by bytes that are not HTTP. */
const BROKEN = { drop: 444, garbage: 445 };

/** Starts a proxy before a local server that breaks connections marked {@link BROKEN}. */
export function listenBefore(port: number): { readonly port: number; close(): void } {
  const hostname = "127.0.0.1";
  const listener = Deno.listen({ hostname, port: 0 });
  const ends = new Set<() => void>();
  const pass = async (client: Deno.TcpConn) => {
    const server = await Deno.connect({ hostname, port });
    const end = () => {
      if (ends.delete(end)) { for (const connection of [client, server]) connection.close(); }
    };
    ends.add(end);
    const copied = [
      copy(client, (bytes) => writeAll(server, bytes)),
      copy(server, async (bytes) => {
        const head = new TextDecoder().decode(bytes.subarray(0, 12));
        if (head === `HTTP/1.1 ${BROKEN.drop}`) return end();
        if (head !== `HTTP/1.1 ${BROKEN.garbage}`) return await writeAll(client, bytes);
        await writeAll(client, new TextEncoder().encode("\u0000\u0001A\n\nB\n"));
        end();
      }),
    ];
    // Whichever side ends first ends the other.
    await Promise.race(copied);
    end();
    await Promise.all(copied);
  };
  void (async () => {
    for await (const connection of listener) void pass(connection);
  })();
  return {
    port: listener.addr.port,
    close() {
      listener.close();
      for (const end of ends) end();
    },
  };
}

/** Copies bytes of a connection until either end is closed. */
async function copy(from: Deno.TcpConn, write: (bytes: Uint8Array) => Promise<void>) {
  const buffer = new Uint8Array(65_536);
  try {
    for (let n = await from.read(buffer); n !== null; n = await from.read(buffer)) {
      await write(buffer.subarray(0, n));
    }
  } catch {
    // Either may be gone first.
  }
}

async function writeAll(to: Deno.TcpConn, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += await to.write(bytes.subarray(at));
}
