import { type Context, Hono } from "hono";
import { answerOf, type StandInOptions, Traffic } from "./stand_in/traffic.ts";
import { batchRoutes, keyOf } from "./stand_in/batch_routes.ts";
import { badRequestBody } from "./stand_in/bodies.ts";
import { completion, noSuchPath } from "./stand_in/echo.ts";
import { listenRaw, type RawListener } from "./stand_in/raw_listener.ts";
import { CHAT_REQUEST } from "./stand_in/request_shapes.ts";
import { BatchStore } from "./stand_in/stored_batches.ts";
import type { StandInCall } from "./stand_in/behaviour.ts";

export type { Behaviour, FaultPlan, StandInCall } from "./stand_in/behaviour.ts";
export type { StandInOptions } from "./stand_in/traffic.ts";

export interface StandInServer extends AsyncDisposable {
  /** For groq-sdk, which adds `/openai/v1/…`. */
  readonly baseUrl: string;
  /** For openai and any client that adds `/chat/completions` and the like. */
  readonly openAiBaseUrl: string;
  /** Every chat call so far, in order of arrival, with what was done to it. */
  readonly calls: readonly StandInCall[];
  /** Chat calls that were under way at once, at most; those that hang never end. */
  readonly mostInFlight: number;
  /** Files and batches of the Batch API. */
  readonly store: BatchStore;
  /** Calls of each path, e.g. `POST /batches`, the chat calls among them. */
  requests(path: string): number;
}

/**
 * A server on loopback that speaks Groq's protocol and OpenAI's: chat completions, the models list,
 * files and batches, completions with echoed log-probabilities, with Groq's headers and errors, and
 * with faults by plan. It is no model: for tests and benchmarks only, and nothing that it answers
 * may be kept as a result.
 */
export function startStandInServer(options: StandInOptions = {}): StandInServer {
  const raw = listenRaw();
  const traffic = new Traffic(options, raw.url);
  const store = new BatchStore(options.batchPlan ?? (() => ({})), answerOf(options));
  const routes = openRoutes(options, traffic, store);
  const app = new Hono();
  app.use(async (context, next) => {
    traffic.count(context.req.method, context.req.path);
    await next();
  });
  app.route("/openai/v1", routes).route("/v1", routes);
  app.notFound(noSuchPath);
  return serve(app, { traffic, store, raw });
}

function openRoutes(options: StandInOptions, traffic: Traffic, store: BatchStore): Hono {
  const routes = new Hono();
  routes.post("/chat/completions", async (context) => {
    const body: unknown = await context.req.json();
    const asked = CHAT_REQUEST.safeParse(body);
    if (!asked.success) return context.json(badRequestBody("model and messages are needed"), 400);
    if (asked.data.logprobs) return context.json(badRequestBody("logprobs is not supported"), 400);
    const { model, messages } = asked.data;
    const prompt = messages.at(-1)?.content ?? "";
    const key = keyOf(context);
    return await traffic.take({ key, model, prompt, body });
  });
  routes.post("/completions", async (context) => {
    const { echo } = options;
    return echo === undefined ? noSuchPath() : completion(await context.req.json(), echo);
  });
  routes.get("/models", (context) => modelList(context, options.models ?? []));
  const organisationOf = options.organisationOf ?? (() => "org_stand_in");
  return routes.route("/", batchRoutes(store, organisationOf));
}

function modelList(context: Context, models: readonly string[]): Response {
  const data = models.map((id) => ({ id, object: "model", owned_by: "stand-in", active: true }));
  return context.json({ object: "list", data });
}

interface Parts {
  readonly traffic: Traffic;
  readonly store: BatchStore;
  readonly raw: RawListener;
}

function serve(app: Hono, { traffic, store, raw }: Parts): StandInServer {
  // A body that is cut by plan arrives here as an error; it has been sent as far as it was meant to.
  const onError = () => new Response(null, { status: 500 });
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {}, onError },
    app.fetch,
  );
  const address = `http://127.0.0.1:${server.addr.port}`;
  return {
    baseUrl: address,
    openAiBaseUrl: `${address}/v1`,
    calls: traffic.calls,
    get mostInFlight() {
      return traffic.mostInFlight;
    },
    store,
    requests: (path) => traffic.requests(path),
    async [Symbol.asyncDispose]() {
      traffic.close();
      raw.close();
      await server.shutdown();
    },
  };
}
