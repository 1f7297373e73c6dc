/** The rating page served to this machine; apart from the commands, for the gate may load no writer of workbooks. */
import { runProcess } from "../../lib/files/pip.ts";
import type { Page } from "./build_page.ts";

/** Serves one page to this machine until the signal is aborted. Throws Error if the port is in use. */
export function servePage(page: Page, port: number, signal: AbortSignal) {
  try {
    const options = { hostname: "127.0.0.1", port, signal, onListen: () => {} };
    const server = Deno.serve(options, (request) => answer(page, request));
    return { address: `http://127.0.0.1:${server.addr.port}/`, finished: server.finished };
  } catch (error) {
    if (!(error instanceof Deno.errors.AddrInUse)) throw error;
    throw new Error(
      `Cannot serve on port ${port}: it is in use. Is the page already open at ` +
        `http://127.0.0.1:${port}/? Another port: --port NUMBER.`,
    );
  }
}

/** The page at `/`; nothing else, and nothing is kept. */
export function answer({ html, policy }: Page, request: Request): Response {
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": `${policy}; frame-ancestors 'none'`,
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
  };
  if (new URL(request.url).pathname !== "/") return new Response("Not here.", { status: 404 });
  if (request.method === "GET") return new Response(html, { headers });
  if (request.method === "HEAD") return new Response(null, { headers });
  return new Response("Only to be read.", { status: 405, headers: { allow: "GET, HEAD" } });
}

/** The command that opens an address, by operating system. */
const OPENERS: Readonly<Record<string, string>> = { darwin: "open", windows: "cmd /c start" };

/** Opens an address in the user's browser; whether that could be done. Never fails. */
export async function openBrowser(
  address: string,
): Promise<boolean> {
  const [command, ...args] = [...(OPENERS[Deno.build.os] ?? "xdg-open").split(" "), address];
  try {
    const result = await runProcess(command!, args, { cwd: ".", env: {} });
    return result.kind === "ended" && result.code === 0;
  } catch {
    return false;
  }
}
