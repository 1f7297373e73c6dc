type Meddling = "pass" | { readonly status: number; readonly body: unknown };

export interface Passing {
  /** `POST /batches`, `GET /files/:id/content`: what kind of request it is. */
  readonly kind: string;
  readonly number: number;
  readonly url: URL;
}

interface ProxyOptions {
  readonly target: string;
  /** What is not passed on: then the proxy answers, and the server never hears of it. */
  readonly meddle: (request: Passing) => Meddling | Promise<Meddling>;
  /** Called when the server has done what it was asked, before its answer goes back. */
  readonly answered?: (request: Passing) => void | Promise<void>;
}

export function openProxy({ target, meddle, answered }: ProxyOptions) {
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
      return answer;
    },
  );
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

function kindOf(method: string, { pathname }: URL): string {
  const path = pathname.replace("/openai/v1", "");
  return `${method} ${path.replace(/^(\/files|\/batches)\/[^/]+/, "$1/:id")}`;
}
