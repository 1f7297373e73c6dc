import { Hono } from "hono";
import { z } from "zod";
import {
  type Behaviour,
  errorBody,
  type FaultPlan,
  listenBefore,
  respond,
  type StandInCall,
  statusBody,
} from "./behaviour.ts";

export type { Behaviour, FaultPlan, StandInCall } from "./behaviour.ts";

/** Fields of a chat request that are read; others are accepted. */
const CHAT_REQUEST = z.looseObject({
  model: z.string(),
  messages: z.array(z.looseObject({ content: z.string() })).min(1),
  logprobs: z.boolean().optional(),
});

export interface StandInOptions {
  readonly answer?: (call: StandInCall) => string;
  readonly plan?: FaultPlan;
  readonly delayMs?: number;
}

export interface StandInServer extends AsyncDisposable {
  /** Base URL for groq-sdk, which appends `/openai/v1/…`. */
  readonly baseUrl: string;
  /** Base URL for openai and other clients that append `/chat/completions`. */
  readonly openAiBaseUrl: string;
  /** Chat calls so far in order of arrival, each with the behaviour applied. */
  readonly calls: readonly (StandInCall & { readonly behaviour: Behaviour })[];
  /** Maximum number of concurrent chat calls so far. Hanging calls never end. */
  readonly mostInFlight: number;
}

/**
 * Starts a fake server with Groq's and OpenAI's protocols on loopback. It injects planned faults,
 * has no model and stores nothing.
 */
export function startStandInServer(
  { answer = () => "A", plan, delayMs = 0 }: StandInOptions = {},
): StandInServer {
  const closing = Promise.withResolvers<void>();
  const calls: (StandInCall & { readonly behaviour: Behaviour })[] = [];
  const timesAsked = new Map<string, number>();
  let [inFlight, mostInFlight] = [0, 0];
  const routes = new Hono();
  routes.post("/chat/completions", async (context) => {
    const body: unknown = await context.req.json();
    const { data } = CHAT_REQUEST.safeParse(body);
    if (!data) return context.json(errorBody("model and messages are needed"), 400);
    if (data.logprobs) return context.json(errorBody("logprobs is not supported"), 400);
    const prompt = data.messages.at(-1)!.content;
    const question = JSON.stringify([data.model, prompt]);
    const asked = (timesAsked.get(question) ?? 0) + 1;
    timesAsked.set(question, asked);
    const number = calls.length + 1;
    const key = context.req.header("authorization")?.replace(/^Bearer /, "") ?? "";
    const call = { number, key, model: data.model, prompt, asked, body };
    const behaviour = plan?.(call) ?? { kind: "answer" };
    calls.push({ ...call, behaviour });
    mostInFlight = Math.max(mostInFlight, ++inFlight);
    try {
      if (behaviour.kind === "answer") await pause(behaviour.delayMs ?? delayMs, closing.promise);
      return await respond(call, behaviour, { answer: answer(call), closing: closing.promise });
    } finally {
      inFlight -= 1;
    }
  });
  const app = new Hono();
  app.route("/openai/v1", routes).route("/v1", routes);
  app.notFound((context) => context.json(statusBody(404, "Unknown request URL"), 404));
  // A body that is cut by plan arrives here as an error; it has been sent as far as it was meant to.
  const onError = () => new Response(null, { status: 500 });
  const local = { hostname: "127.0.0.1", port: 0, onListen: () => {}, onError };
  const server = Deno.serve(local, app.fetch);
  // Only what goes by a plan is to break connections.
  const before = plan && listenBefore(server.addr.port);
  const address = `http://127.0.0.1:${(before ?? server.addr).port}`;
  return {
    baseUrl: address,
    openAiBaseUrl: `${address}/v1`,
    calls,
    get mostInFlight() {
      return mostInFlight;
    },
    async [Symbol.asyncDispose]() {
      closing.resolve();
      before?.close();
      await server.shutdown();
    },
  };
}

/** Waits, but not beyond the server's end. */
async function pause(milliseconds: number, closing: Promise<void>): Promise<void> {
  if (milliseconds <= 0) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  await Promise.race([promise, closing]);
  clearTimeout(timer);
}
