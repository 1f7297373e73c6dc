export interface Passing {
  /** `POST /batches`, `GET /files/:id/content`: what kind of request it is. */
  readonly kind: string;
  readonly number: number;
  readonly url: URL;
}

export type Meddling =
  | "pass"
  /** The server does what it is asked; its answer never arrives. */
  | "lose answer"
  /** Answered by the proxy; the server never hears of it. */
  | { readonly status: number; readonly body: unknown; readonly headers?: HeadersInit };

export interface ProxyOptions {
  readonly target: string;
  readonly meddle?: (request: Passing) => Meddling | Promise<Meddling>;
  /** Called when the server has done what it was asked, before its answer goes back. */
  readonly answered?: (request: Passing) => void | Promise<void>;
  /** What goes back in an answer's place. */
  readonly change?: (request: Passing, answer: unknown) => unknown;
}

export function openProxy({ target, meddle = () => "pass", answered, change }: ProxyOptions) {
  const passed: string[] = [];
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {}, onError: () => new Response(null) },
    async (request) => {
      const url = new URL(request.url);
      const kind = kindOf(request.method, url);
      passed.push(kind);
      const number = passed.filter((other) => other === kind).length;
      const body = await request.arrayBuffer();
      const meddling = await meddle({ kind, number, url });
      if (typeof meddling === "object") return Response.json(meddling.body, meddling);
      const answer = await fetch(`${target}${url.pathname}${url.search}`, {
        method: request.method,
        headers: request.headers,
        ...(body.byteLength > 0 ? { body } : {}),
      });
      await answered?.({ kind, number, url });
      if (meddling === "lose answer") return lost(await answer.text());
      if (change === undefined || !answer.ok || kind.endsWith("/content")) return answer;
      return Response.json(await change({ kind, number, url }, await answer.json()));
    },
  );
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    passed,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

function kindOf(method: string, { pathname }: URL): string {
  const path = pathname.replace("/openai/v1", "");
  return `${method} ${path.replace(/^(\/files|\/batches)\/[^/]+/, "$1/:id")}`;
}

/** Head and half the body, then the connection breaks. */
function lost(text: string): Response {
  const stream = new ReadableStream({
    start: (stream) => stream.enqueue(new TextEncoder().encode(text.slice(0, text.length / 2))),
    pull: (stream) => stream.error(new Error("cut")),
  });
  return new Response(stream, { headers: { "content-type": "application/json" } });
}
