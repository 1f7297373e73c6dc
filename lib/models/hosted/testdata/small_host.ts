/** A host on this machine for one test; see stand_in/ for one that keeps Groq's rules. */
export function openSmallHost(reply: (request: Request) => Response | Promise<Response>) {
  const local = { port: 0, hostname: "127.0.0.1", onListen: () => {} };
  const server = Deno.serve({ ...local, onError: () => new Response() }, reply);
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

export function completionBody(content: string) {
  return {
    choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
    usage: { prompt_tokens: 12, completion_tokens: 1 },
  };
}
